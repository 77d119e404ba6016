import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { BLOCK_COMMITS, readBlock } from './change-blocks.ts';
import type { LoggedCommit } from './git-log.ts';
import { openHistoryWriter } from './history-writer.ts';

const PERSON = { authorName: 'Ada', authorEmail: 'ada@example.org' };
const PROGRAM = { authorName: 'renovate[bot]', authorEmail: 'bot@renovateapp.com' };

/** A commit of somebody, at so many seconds. */
function commitAt(time: number, more: Partial<LoggedCommit> = {}): LoggedCommit {
  const nothing = { parents: [], subject: 'Tidy', body: '', changes: [], complete: true };
  return { sha: String(time), ...PERSON, authoredAt: time - 1, committedAt: time, ...nothing, ...more };
}

const noTags = { tags: [], paths: [] };

/** Blocks as bounds and times: `1-512 0-511`. */
function blocksOf(db: DatabaseSync): string[] {
  const described = `first_commit || '-' || last_commit || ' ' || earliest || '-' || latest`;
  const rows = db.prepare(`select ${described} as block from change_block order by first_commit`).all();
  return rows.map(({ block }) => String(block));
}

function writtenIn(...runs: LoggedCommit[][]): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  for (const [index, commits] of runs.entries()) {
    const writer = openHistoryWriter(db, index === 0);
    writer.append(commits);
    writer.finish(noTags);
  }
  return db;
}

test('a block says which commits are merges, are breaking, and are of programs', () => {
  const db = writtenIn([
    commitAt(1, { subject: 'feat!: drop the old door' }),
    commitAt(2, { ...PROGRAM, parents: ['1'] }),
    commitAt(3, { ...PROGRAM, parents: ['2', '1'], body: 'Co-authored-by: Ada <ada@example.org>' }),
  ]);
  const { data } = db.prepare('select data from change_block').get() as { data: Uint8Array };

  expect(readBlock(1, data)).toMatchObject([
    { author: 1, time: 1, type: 'feat', breaking: true, merge: false, bot: false },
    { author: 2, time: 2, breaking: false, merge: false, bot: true },
    { author: 2, time: 3, breaking: false, merge: true, bot: false },
  ]);
  expect(db.prepare('select name, bot from author order by id').all()).toEqual([
    { name: 'Ada', bot: 0 },
    { name: 'renovate[bot]', bot: 1 },
  ]);
  expect(db.prepare('select breaking, authored_at, committed_at, parents from git_commit order by id').all()).toEqual([
    { breaking: 1, authored_at: 0, committed_at: 1, parents: '' },
    { breaking: 0, authored_at: 1, committed_at: 2, parents: '1' },
    { breaking: 0, authored_at: 2, committed_at: 3, parents: '2 1' },
  ]);
  expect(db.prepare('select commit_id, position, key, value from trailer').all()).toEqual([
    { commit_id: 3, position: 0, key: 'Co-authored-by', value: 'Ada <ada@example.org>' },
  ]);
});

test('a block is full at its number of commits, and a later run fills the last one up', () => {
  // The clock of one machine was behind.
  const commits = Array.from({ length: BLOCK_COMMITS + 3 }, (_, at) => commitAt(at === 5 ? 10 : 100 + at));
  const inOne = writtenIn(commits);

  expect(blocksOf(inOne)).toEqual(['1-512 10-611', '513-515 612-614']);
  for (const cut of [1, BLOCK_COMMITS - 1, BLOCK_COMMITS, BLOCK_COMMITS + 1]) {
    const inTwo = writtenIn(commits.slice(0, cut), commits.slice(cut));
    const data = 'select hex(data) from change_block order by first_commit';
    expect(blocksOf(inTwo)).toEqual(blocksOf(inOne));
    expect(inTwo.prepare(data).all()).toEqual(inOne.prepare(data).all());
  }
});

test('a clock that was at 1970 is the earliest and the latest of its block', () => {
  const commits = Array.from({ length: BLOCK_COMMITS + 1 }, (_, at) => commitAt(0, { sha: String(at) }));

  expect(blocksOf(writtenIn(commits))).toEqual(['1-512 0-0', '513-513 0-0']);
});

test('a history counts its commits, changes and those that are not complete, and marks the paths of the newest', () => {
  const db = new DatabaseSync(':memory:');
  const change = { status: 'A', blobs: ['', 'b'] } as const;
  const writer = openHistoryWriter(db, true);
  writer.append([
    commitAt(1, { changes: ['a.ts', 'dist/b.js'].map((path) => ({ path, ...change })) }),
    commitAt(2, { complete: false, changes: [{ path: 'a.ts', ...change, status: 'D' }] }),
    commitAt(3),
  ]);

  expect(writer.finish({ tags: [], paths: ['dist/b.js'] })).toEqual({ commits: 3, changes: 3, incomplete: 1 });
  expect(db.prepare('select path, left_out, alive from path order by id').all()).toEqual([
    { path: 'a.ts', left_out: '', alive: 0 },
    { path: 'dist/b.js', left_out: 'generated', alive: 1 },
  ]);
});
