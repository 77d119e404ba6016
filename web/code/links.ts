import { linkOptions } from '@tanstack/react-router';
import { type LineRange, writeLines, writeSourceAddress } from './address.ts';

/** A file or folder of an indexed repository. */
export interface CodeLocation {
  /** Name or id of the repository. */
  repo: string;
  path: string;
  /** Branch, tag or commit; none: what the index holds now. */
  ref?: string;
  /** Shown and marked; none: the whole file. */
  lines?: LineRange | undefined;
}

/** Returns the address of a file. */
export function fileLink({ repo, ref = '', path, lines }: CodeLocation) {
  return linkOptions({
    to: '/r/$',
    params: { _splat: writeSourceAddress({ repo, ref, path }) },
    ...(lines !== undefined && { hash: writeLines(lines) }),
  });
}

/** Returns the address of a folder. */
export function folderLink(target: CodeLocation) {
  return fileLink(target);
}
