import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShard, type ShardDatabase } from '../../indexes/shards/shards.ts';
import { testFolder, type TestRepository, testRepository } from '../../testing/git.ts';
import { HISTORY_FORMAT } from '../mine/history-schema.ts';
import { writeHistory } from '../mine/mine.ts';
import { fileActivity } from './store-activity.ts';
import { searchCommits } from './store-commits.ts';
import { filePeople } from './store-ownership.ts';

const text = (name: string): string => `export const ${name} = 1;\n`.repeat(9);
const folder = testFolder();
let repository: TestRepository;
let db: ShardDatabase;

beforeAll(async () => {
  repository = testRepository();
  const commit = (message: string, files: Record<string, string | undefined>): string =>
    repository.commit({ files, message });
  commit('Begin', { 'old/a.ts': text('a'), 'old/b.ts': text('b'), 'old/c.ts': text('c'), 'x.ts': text('x') });
  commit('Edit c', { 'old/c.ts': `${text('c')}// more\n` });
  commit('Move the folder', {
    'old/a.ts': undefined,
    'old/b.ts': undefined,
    'old/c.ts': undefined,
    'lib/a.ts': text('a'),
    'lib/b.ts': text('b'),
    'lib/c.ts': `${text('c')}// more\n`,
  });
  commit('Remove c', { 'lib/c.ts': undefined });
  commit('Something else at the old path', { 'old/a.ts': 'export class Other {}\n' });
  commit('Move again', {
    'lib/a.ts': undefined,
    'src/lib/a.ts': text('a'),
    'lib/b.ts': undefined,
    'src/lib/b.ts': text('b'),
  });
  commit('Bring x', { 'x.ts': undefined, 'src/lib/x.ts': text('x') });
  commit('Take x out', { 'src/lib/x.ts': undefined, 'y.ts': text('x') });
  commit('Begin k', { 'p/deep/k.ts': text('k') });
  commit('Move k', { 'p/deep/k.ts': undefined, 'q/deep/k.ts': text('k') });
  commit('Move k inside of q', { 'q/deep/k.ts': undefined, 'q/Deep/k.ts': text('k') });
  const targetFile = join(folder, 'history');
  const gitDir = repository.git('rev-parse', '--absolute-git-dir');
  await writeHistory(
    { gitDir, commit: repository.git('rev-parse', 'HEAD'), targetFile },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
  db = openShard(targetFile, HISTORY_FORMAT);
});
afterAll(() => {
  db.close();
  repository.remove();
  rmSync(folder, { recursive: true });
});

function subjects(path: string): string[] {
  return searchCommits(db, { filter: { range: {}, path }, limit: 20, offset: 0 }).rows.map(({ subject }) => subject);
}

test.each(['src/lib', 'src/lib/*.ts', 'src'])('the history of %s goes on before its moves', (path) => {
  expect(subjects(path)).toEqual(['Take x out', 'Bring x', 'Move again', 'Move the folder', 'Begin']);
});

test.each(['q', 'q/Deep', 'q/Deep/k.ts'])('the history of %s goes on before a move inside of the folder', (path) => {
  expect(subjects(path)).toEqual(['Move k inside of q', 'Move k', 'Begin k']);
});

test('what was removed after a move keeps its history, and an old folder has what was in it', () => {
  expect(subjects('lib')).toEqual(['Move again', 'Remove c', 'Move the folder', 'Edit c', 'Begin']);
  expect(subjects('old')).toEqual(['Something else at the old path', 'Move the folder', 'Edit c', 'Begin']);
});

test('the history of a file is that of its earlier names, and not of what is there now', () => {
  expect(subjects('src/lib/a.ts')).toEqual(['Move again', 'Move the folder', 'Begin']);
  expect(subjects('y.ts')).toEqual(['Take x out', 'Bring x', 'Begin']);
});

test('people who worked on a folder before it moved are its people, and other files at the old path are not its files', () => {
  expect(filePeople(db, { path: 'src/lib' }).people).toMatchObject([{ commits: 4 }]);
  expect(fileActivity(db, { filter: { range: {}, path: 'src/lib' } }).files.map(({ path }) => path)).toEqual([
    'src/lib/a.ts',
    'src/lib/b.ts',
  ]);
});
