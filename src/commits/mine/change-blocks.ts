import { VarintReader, type VarintWriter } from '../../kernel/varints.ts';
import type { CommitClass } from '../classify/classify.ts';
import { STORED_TYPES } from './history-schema.ts';

/** Commits of one block. A scan reads whole blocks, so this is how much it may read too much at either end. */
export const BLOCK_COMMITS = 512;

/** The change of a file in a commit: added, modified, deleted, renamed, or its type changed. */
export type ChangeStatus = 'A' | 'M' | 'D' | 'R' | 'T';

const STATUSES: readonly ChangeStatus[] = ['A', 'M', 'D', 'R', 'T'];
const IS_BREAKING = 16;
const IS_MERGE = 32;
const IS_BOT = 64;

/** One file in a commit, by ids. */
export interface BlockChange {
  path: number;
  status: ChangeStatus;
  /** Of a rename, where it was before. */
  oldPath: number | undefined;
}

/** The data of a commit that questions over many commits need. */
export interface BlockCommit {
  id: number;
  /** Time at which it came into the history (committer date), in seconds since 1970. */
  time: number;
  author: number;
  type: CommitClass['type'];
  breaking: boolean;
  merge: boolean;
  /** True if a program made it, not for a person. */
  bot: boolean;
  changes: BlockChange[];
}

/** Appends one commit. Blocks can be joined: no commit refers to the one before it. */
export function writeBlockCommit(out: VarintWriter, commit: Omit<BlockCommit, 'id'>): void {
  const { time, author, type, breaking, merge, bot, changes } = commit;
  // Dates before 1970 and after 2038 are mistakes of somebody's clock.
  out.push(Math.min(2 ** 31 - 1, Math.max(0, time)));
  out.push(author);
  out.push(STORED_TYPES.indexOf(type) | (breaking ? IS_BREAKING : 0) | (merge ? IS_MERGE : 0) | (bot ? IS_BOT : 0));
  out.push(changes.length);
  for (const { path, status, oldPath } of changes) {
    out.push(path);
    out.push(STATUSES.indexOf(status));
    if (status === 'R') out.push(oldPath ?? path);
  }
}

/** The commits of a block, oldest first. */
export function readBlock(firstCommit: number, data: Uint8Array): BlockCommit[] {
  const from = new VarintReader(data);
  const commits: BlockCommit[] = [];
  for (let id = firstCommit; from.more; id += 1) {
    const time = from.next();
    const author = from.next();
    const code = from.next();
    const changes: BlockChange[] = [];
    for (let remaining = from.next(); remaining > 0; remaining -= 1) changes.push(readChange(from));
    commits.push({
      id,
      time,
      author,
      type: STORED_TYPES[code & 15] ?? 'unclassified',
      breaking: (code & IS_BREAKING) !== 0,
      merge: (code & IS_MERGE) !== 0,
      bot: (code & IS_BOT) !== 0,
      changes,
    });
  }
  return commits;
}

function readChange(from: VarintReader): BlockChange {
  const path = from.next();
  const status = STATUSES[from.next()] ?? 'M';
  return { path, status, oldPath: status === 'R' ? from.next() : undefined };
}
