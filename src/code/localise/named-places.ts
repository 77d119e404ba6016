import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { testFlags } from '../files/store-files.ts';
import { filesMeant } from '../files/store-paths.ts';
import { fileOfSymbol } from '../symbols/store-symbols.ts';
import { definesFunction, fileOfFrame, isSurely, sourcesOf } from './built-files.ts';
import { ownPath } from './installed-files.ts';
import { pathFacts } from './path-features.ts';
import { functionsNamed } from './named-symbols.ts';

/** Folders of a path that are left off at its beginning: `/usr/lib/python3/site-packages/shop/mail.py`. */
const MOST_FOLDERS = 16;
/** A name that more files have points at none. */
const MOST_MEANT = 4;

/**
 * The files that a path of a trace means: those with the longest end of it, as traces have the paths of the machine that
 * wrote them. None when more than four may be meant, or when the path is in a package of others.
 */
export function filesOfTrace(db: ShardDatabase, path: string): number[] {
  const own = ownPath(db, path);
  const files = own === undefined ? [] : (own.files ?? filesAtEnd(db, own.path));
  return files.length <= MOST_MEANT ? files : [];
}

function filesAtEnd(db: ShardDatabase, path: string): number[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  const last = Math.min(parts.length, MOST_FOLDERS);
  for (let from = 0; from < last; from += 1) {
    const files = filesMeant(db, parts.slice(from).join('/'));
    if (files.length > 0) return files;
  }
  return [];
}

/** A line of a trace. */
interface TraceFrame {
  path: string;
  line?: number | undefined;
  symbol?: string | undefined;
}

/** A frame whose file is in the index. */
export interface FrameLocation {
  file: number;
  /** None in a file from which the one of the trace was built. */
  line: number | undefined;
  symbol: string | undefined;
}

/** The frames that are code of this repository, in their order: libraries and tests are left out. */
export function ownFrames(db: ShardDatabase, frames: readonly TraceFrame[]): FrameLocation[] {
  const isTest = testFlags(db);
  return frames.flatMap((frame) => {
    const files = filesOfTrace(db, frame.path).filter((file) => isTest[file] !== 1);
    const file = fileOfFrame(db, files, frame);
    if (file !== undefined) {
      const moved = movedFunction(db, file, frame.symbol);
      return [moved ?? { file, line: frame.line, symbol: frame.symbol }];
    }
    const source = files.length > 0 ? undefined : sourceOf(db, frame);
    return source === undefined ? [] : [{ file: source, line: undefined, symbol: frame.symbol }];
  });
}

/**
 * Path and line of each frame whose file is in the index, by position; undefined for others, and without a line where the frame
 * is of a built file or its function has moved.
 */
export function resolveFrames(
  db: ShardDatabase,
  { frames }: { frames: readonly TraceFrame[] },
): ({ path: string; line: number | undefined } | undefined)[] {
  const facts = pathFacts(db);
  return frames.map((frame) => {
    const [location] = ownFrames(db, [frame]);
    return location && { path: facts[location.file]?.path ?? '', line: location.line };
  });
}

/**
 * Current location of the function of a frame, when it is no longer in its file and only one other outside of tests has its
 * name.
 */
function movedFunction(db: ShardDatabase, file: number, symbol: string | undefined): FrameLocation | undefined {
  if (symbol === undefined || definesFunction(db, file, symbol)) return undefined;
  const [candidate, other] = functionsNamed(db, symbol);
  return candidate === undefined || other !== undefined
    ? undefined
    : { file: fileOfSymbol(db, candidate), line: undefined, symbol };
}

/** The file from which that of a frame was built. */
function sourceOf(db: ShardDatabase, frame: TraceFrame): number | undefined {
  const own = ownPath(db, frame.path);
  const file = own && fileOfFrame(db, sourcesOf(db, own.path, own.folder), frame);
  return file !== undefined && isSurely(db, file, frame) ? file : undefined;
}
