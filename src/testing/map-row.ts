import type { MapEntry } from '../agents/gather/structure.ts';

/** A folder as `code-tool map` tells it, with nothing in it that a test does not say. */
export const MAP_ROW: MapEntry = {
  part: 'layers',
  path: '',
  role: '',
  files: 1,
  uses: [],
  kind: '',
  manifest: '',
  doc: '',
  refs: 0,
  reason: '',
};
