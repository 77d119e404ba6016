import { z } from 'zod';
import type { Reference } from '../model/brief.ts';

/** Rows of `code-tool` and `commit-tool` as facts read them. Fields that they lack may be there. */
export const UsageRow = z.looseObject({
  repo: z.string().optional(),
  path: z.string(),
  line: z.int(),
  use: z.string(),
  enclosing: z.string(),
  grade: z.string(),
  test: z.boolean(),
});
export const EdgeRow = z.looseObject({
  from: z.string(),
  to: z.string(),
  relation: z.string(),
  hop: z.int(),
  grade: z.string(),
  line: z.int().optional(),
});
export type EdgeRow = z.output<typeof EdgeRow>;
export const ImpactRow = z.looseObject({
  path: z.string(),
  line: z.int(),
  symbol: z.string(),
  hop: z.int(),
  is_test: z.boolean(),
});
export const HeirRow = z.looseObject({
  path: z.string(),
  line: z.int(),
  qualified: z.string(),
  relation: z.string(),
});
const CycleRow = z.looseObject({ path: z.string(), line: z.int(), files: z.array(z.string()) });
export const HotspotRow = z.looseObject({
  path: z.string(),
  score: z.number(),
  revisions: z.int(),
  complexity: z.number(),
});
export const PairRow = z.looseObject({ a: z.string(), b: z.string(), shared: z.int(), degree_pct: z.number() });
export const LineRow = z.looseObject({ path: z.string(), line: z.int(), text: z.string() });
const CommitRow = z.looseObject({ id: z.string(), date: z.string(), author: z.string(), subject: z.string() });

/** Fields of the whole answer besides its rows. */
export const OwnersReply = z.looseObject({
  total: z.int(),
  groups: z.array(z.object({ name: z.string(), commits: z.int() })).default([]),
  rows: z.array(CommitRow),
});
export const CyclesReply = z.looseObject({
  total: z.int(),
  rows: z.array(CycleRow),
  /** Circles that only imports of types close. */
  of_types: z.int().default(0),
});
export const LayersReply = z.looseObject({
  layers: z.array(z.object({ name: z.string(), path: z.string(), files: z.int() })).default([]),
  faults: z.array(z.object({ fromPath: z.string(), toPath: z.string() })).default([]),
});

/** `sym:Class/method@src/a.ts` and `src/a.ts` are of src/a.ts. */
export function pathOf(handle: string): string {
  return handle.startsWith('sym:') ? handle.slice(handle.lastIndexOf('@') + 1) : handle;
}

/** A line of code as what a fact rests on. */
export function lineReference(repo: string, path: string, line: number | undefined, why: string): Reference {
  if (line === undefined) return { id: path, kind: 'code', repo, path, why: [why] };
  return { id: `${path}:${line}`, kind: 'code', repo, path, lines: { start: line, end: line }, why: [why] };
}

/** The first names of a list, and how many more there are. */
export function listSome(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
