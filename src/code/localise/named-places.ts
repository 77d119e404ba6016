import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { testFlags } from '../files/store-files.ts';
import { filesMeant } from '../files/store-paths.ts';

/** Folders of a path that are left off at its beginning: `/usr/lib/python3/site-packages/shop/mail.py`. */
const MOST_FOLDERS = 16;
/** A name that more files have points at none. */
const MOST_MEANT = 4;

/**
 * The files that a path of a trace means: those with the longest end of it, as traces have the paths of the machine that
 * wrote them. None when more than four may be meant.
 */
export function filesOfTrace(db: ShardDatabase, path: string): number[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  const last = Math.min(parts.length, MOST_FOLDERS);
  for (let from = 0; from < last; from += 1) {
    const found = filesMeant(db, parts.slice(from).join('/'));
    if (found.length > 0) return found.length <= MOST_MEANT ? found : [];
  }
  return [];
}

/** A frame whose file is in the index. */
export interface FoundFrame {
  file: number;
  line: number | undefined;
  symbol: string | undefined;
}

/** The frames that are code of this repository, in their order: libraries and tests are left out. */
export function ownFrames(
  db: ShardDatabase,
  frames: readonly { path: string; line?: number | undefined; symbol?: string | undefined }[],
): FoundFrame[] {
  const isTest = testFlags(db);
  return frames.flatMap(({ path, line, symbol }) => {
    const [file, other] = filesOfTrace(db, path).filter((place) => isTest[place] !== 1);
    return file === undefined || other !== undefined ? [] : [{ file, line, symbol }];
  });
}
