import { expect, test } from 'vitest';
import { describeRepository, type RepositoryJson } from './repo.ts';

const READY: RepositoryJson = {
  id: 'one',
  name: 'shop',
  url: 'somewhere',
  default_branch: 'main',
  status: 'ready',
  commit: '28a9c128912de19f',
  behind: 0,
  freshness: 'fresh',
  fetched_at: null,
  fetch_result: null,
  fetch_error: null,
  files: 412,
  symbols: 5321,
  languages: { TypeScript: 0.93 },
  ref: null,
  error: null,
  progress: null,
  last_run: { parsed: 3, reused: 409, failed: 0, seconds: 4, history: { commits: 6050, seconds: 2 } },
};

test('a repository in a line tells how many commits were read and how fast', () => {
  expect(describeRepository(READY)).toBe(
    'shop@28a9c12 main ready · 412 files, 5,321 symbols · TypeScript 93% · parsed 3, reused 409, read 6,050 commits at 3,025 commits/s in 4.0 s',
  );
});

test.each([
  [{ commits: 2, seconds: 0.05 }, 'parsed 3, reused 409, read 2 commits in 4.0 s'],
  [{ commits: 0, seconds: 0.2 }, 'parsed 3, reused 409 in 4.0 s'],
])('a speed is told only where it means something: %o', (history, expected) => {
  const run = { parsed: 3, reused: 409, failed: 0, seconds: 4, history };

  expect(describeRepository({ ...READY, last_run: run })).toContain(` · ${expected}`);
});
