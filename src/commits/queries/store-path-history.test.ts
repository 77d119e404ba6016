import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShard, type ShardDatabase } from '../../indexes/shards/shards.ts';
import { testFolder, type TestRepository, testRepository } from '../../testing/git.ts';
import { HISTORY_FORMAT } from '../mine/history-schema.ts';
import { writeHistory } from '../mine/mine.ts';
import { commitsTouching, findCommit, laterPaths } from './store-path-history.ts';

const TEXT = 'export const one = 1;\nexport const two = 2;\nexport const three = 3;\n';
const folder = testFolder();
let repository: TestRepository;
let db: ShardDatabase;
let first: string;
let moved: string;

beforeAll(async () => {
  repository = testRepository();
  first = repository.commit({ files: { 'a.ts': TEXT, 'other.ts': 'export const x = 1;\n' }, message: 'Begin' });
  repository.git('checkout', '--quiet', '-b', 'side');
  repository.commit({ files: { 'side.ts': 'export const side = 1;\n' }, message: 'Beside' });
  repository.git('checkout', '--quiet', 'main');
  moved = repository.commit({ files: { 'a.ts': undefined, 'b.ts': TEXT }, message: 'Move once' });
  repository.commit({ files: { 'b.ts': undefined, 'lib/c.ts': `${TEXT}// more\n` }, message: 'Move again' });
  repository.git('merge', '--quiet', '--no-ff', '-m', 'Merge side', 'side');
  const targetFile = join(folder, 'history');
  await writeHistory(
    {
      gitDir: repository.git('rev-parse', '--absolute-git-dir'),
      commit: repository.git('rev-parse', 'HEAD'),
      targetFile,
    },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
  db = openShard(targetFile, HISTORY_FORMAT);
});
afterAll(() => {
  db.close();
  repository.remove();
  rmSync(folder, { recursive: true });
});

test('a path is followed through its renames, those before the commit left out', () => {
  expect(laterPaths(db, { since: first, paths: ['a.ts', 'other.ts', 'none.ts'] })).toEqual([
    { path: 'a.ts', later: ['b.ts', 'lib/c.ts'] },
    { path: 'other.ts', later: [] },
    { path: 'none.ts', later: [] },
  ]);
  expect(laterPaths(db, { since: moved, paths: ['a.ts', 'b.ts'] })).toEqual([
    { path: 'a.ts', later: [] },
    { path: 'b.ts', later: ['lib/c.ts'] },
  ]);
});

function subjects(since: string | undefined, paths: string[], limit = 5): string[] {
  return commitsTouching(db, { since, paths, limit }).map(({ subject }) => subject);
}

test('commits that touched a path since a commit are told, newest first, also those merged later', () => {
  expect(subjects(first, ['a.ts', 'b.ts', 'lib/c.ts'])).toEqual(['Move again', 'Move once']);
  expect(subjects(moved, ['side.ts'])).toEqual(['Beside']);
  expect(subjects(undefined, ['a.ts', 'b.ts', 'lib/c.ts'])).toEqual(['Move again', 'Move once', 'Begin']);
  expect(subjects(undefined, ['a.ts', 'b.ts', 'lib/c.ts'], 1)).toEqual(['Move again']);
  expect(subjects('0'.repeat(40), ['a.ts'])).toEqual([]);
});

test('a commit is found by the beginning of its id', () => {
  expect(findCommit(db, { prefix: first.slice(0, 7) })).toBe(first);
  expect(findCommit(db, { prefix: first })).toBe(first);
  expect(findCommit(db, { prefix: `${first.slice(0, 39)}${first.endsWith('0') ? '1' : '0'}` })).toBeUndefined();
  expect(findCommit(db, { prefix: first.slice(0, 4) })).toBeUndefined();
});
