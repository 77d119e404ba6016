import { expect, test } from 'vitest';
import { compareAnchors } from './compare-anchors.ts';
import type { CodeLookup } from './lookups/code-lookup.ts';

const TARGET = {
  repositoryId: 'r',
  path: 'a.ts',
  symbol: 'send',
  line: 3,
  syntax: 's1',
  sketch: [1],
  baselineCommit: 'c0',
};
const GONE = {
  holder: 'plan' as const,
  id: 'p',
  written: 'send',
  position: 0,
  reason: null,
  state: undefined,
  target: TARGET,
};
/** Code in which nothing is found. */
const NOTHING = {
  files: async () => [],
  symbols: async () => [],
  withSyntax: async () => [],
  snapshot: 'now',
} as unknown as CodeLookup;

test('at most two hundred commits of its files are looked into, and five are named', async () => {
  const requestCounts: number[] = [];
  const commits = Array.from({ length: 300 }, (_, at) => ({ sha: `c${at}`, subject: '', date: '2026-01-01' }));
  const history = {
    laterPaths: async () => new Map(),
    commitsTouching: async (_since: string | undefined, _paths: readonly string[], limit: number) => {
      requestCounts.push(limit);
      return commits.slice(0, limit);
    },
    findCommit: async () => undefined,
  };
  const [compared] = await compareAnchors([GONE], NOTHING, history);

  expect(requestCounts).toEqual([200]);
  expect(compared?.state?.commits.map(({ sha }) => sha)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
});

test('what commits did is read for the first two hundred anchors that are not as they were', async () => {
  let read = 0;
  const history = {
    laterPaths: async () => new Map(),
    commitsTouching: async () => [{ sha: 'c1', subject: '', date: '2026-01-01' }],
    findCommit: async () => undefined,
    fileVersions: async (versions: readonly unknown[]) => {
      read += 1;
      return versions.map(() => undefined);
    },
  };
  await compareAnchors(
    Array.from({ length: 300 }, () => GONE),
    NOTHING,
    history,
  );

  expect(read).toBe(200);
});
