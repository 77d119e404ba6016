import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShard, type ShardDatabase } from '../../indexes/shards/shards.ts';
import { testFolder, type TestRepository, testRepository } from '../../testing/git.ts';
import { HISTORY_FORMAT } from '../mine/history-schema.ts';
import { writeHistory } from '../mine/mine.ts';
import { readReportHistory } from './store-report-history.ts';

const folder = testFolder();
let repository: TestRepository;
let db: ShardDatabase;

const text = 'export const value = 1; //';

beforeAll(async () => {
  repository = testRepository();
  const commit = (paths: readonly string[], message: string, date: string): string =>
    repository.commit({ files: Object.fromEntries(paths.map((path) => [path, `${text} ${message}`])), message, date });
  commit(['old.ts', 'new.ts', 'words.ts', 'many.ts'], 'feat: begin', '2024-01-01T00:00:00Z');
  commit(['old.ts'], 'fix: parcels without weight', '2024-01-02T00:00:00Z');
  commit(['old.ts', 'new.ts'], 'chore: rename values', '2024-01-03T00:00:00Z');
  commit(['old.ts', 'new.ts'], 'chore: rename values again', '2024-01-04T00:00:00Z');
  commit(['words.ts'], 'refactor: weigh parcels twice', '2025-12-01T00:00:00Z');
  commit(['new.ts'], 'fix: letters without stamps', '2026-01-01T00:00:00Z');
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

function historyOf(report: string, terms: readonly string[] = []) {
  const { paths, ...history } = readReportHistory(db, { text: report, terms, limit: 5 });
  const of = (values: Float32Array) => Object.fromEntries(paths.map((path, at) => [path, values[at] ?? 0]));
  return {
    ...history,
    paths,
    messages: of(history.messages),
    fixes: of(history.fixes),
    similar: of(history.similarFixes),
  };
}

test('a fix of today counts most, one of two years ago a seventh', () => {
  const { fixes } = historyOf('parcels');

  expect(fixes['new.ts']).toBe(1);
  expect(fixes['old.ts']).toBeCloseTo(Math.log1p(Math.exp(-2)) / Math.log1p(1), 2);
  expect(fixes['words.ts']).toBe(0);
});

test('messages of all commits to a file count, and the files of similar fixes', () => {
  const { messages, similar, commits } = historyOf('parcels have no weight');

  expect(messages['words.ts']).toBeGreaterThan(0);
  expect(messages['new.ts']).toBe(0);
  expect(similar).toMatchObject({ 'old.ts': 1, 'words.ts': 0 });
  expect(commits[0]).toMatchObject({ subject: 'fix: parcels without weight', paths: ['old.ts'] });
});

test('a word is rare when few messages have it', () => {
  const { rarity } = historyOf('', ['renam', 'parcel', 'zebra']);

  expect(rarity.get('zebra')).toBe(1);
  expect(rarity.get('parcel')).toBeCloseTo(Math.log(7 / 3) / Math.log(7));
  expect(rarity.get('renam')).toBe(rarity.get('parcel'));
});

test('files that changed together are listed as pairs of positions', () => {
  const { together, paths } = historyOf('parcels');
  const [file = 0, partner = 0, degree] = together;

  expect(new Set([paths[file], paths[partner]])).toEqual(new Set(['new.ts', 'old.ts']));
  expect(degree).toBeCloseTo(3 / 4);
  expect(together).toHaveLength(6);
});
