import { expect, test } from 'vitest';
import { ServiceError } from '../../kernel/errors.ts';
import type { CallContext } from '../../platform/operation/operation.ts';
import type { Suspect } from './analysis.ts';
import { changedSince, suspectCommits } from './suspect-commits.ts';

/** A history: who wrote the lines of a file, most lines first, and which commits touched it after the last good state. */
interface History {
  origins: Readonly<Record<string, readonly { sha: string; lines: number }[]>>;
  since?: Readonly<Record<string, readonly string[]>>;
}

const rowOf = (sha: string) => ({
  sha,
  id: `c:${sha}`,
  subject: sha,
  author: 'Ada',
  email: 'ada@example.org',
  date: '2026-01-02T10:00:00Z',
  type: 'fix',
  breaking: false,
  confidence: 1,
  label_source: 'author',
  parents: [],
  files_total: 1,
});
const pageOf = (action: string, rows: readonly object[]) => ({
  op: 'commit-tool',
  action,
  repo: 'shop',
  total: rows.length,
  shown: rows.length,
  rows,
  period: '12 months',
  left_out: { bots: 0, merges: 0 },
  commits: 1,
});
const caller: CallContext['caller'] = { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read'] };
const context = { caller, signal: new AbortController().signal };

/** The suspect commits of some files, the likeliest first. */
async function commitsOf(history: History, files: Readonly<Record<string, number>>, since?: string) {
  const suspects = Object.entries(files).map(([path, score]): Suspect => ({
    path,
    symbol: '',
    lines: [1, 9],
    score,
    likelihood: score,
    evidence: [],
  }));

  const repository = {
    repo: 'shop',
    context,
    ask: async (_: string, args: Record<string, unknown>) => {
      const { action, path, query, limit } = args;
      if (action === 'show') return pageOf('show', String(query) === 'unknown' ? [] : [rowOf(String(query))]);
      return pageOf('search', (history.since?.[String(path)] ?? []).slice(0, Number(limit)).map(rowOf));
    },
  };
  const facts = {
    lineOrigins: async ({ path }: { path: string }) => {
      const origins = history.origins[path];
      if (origins === undefined) throw new ServiceError('not_indexed', 'There is no work tree.', { fix: '' });
      return origins.map((origin) => ({ ...origin, author: '', time: 0 }));
    },
  };
  const { commits, gaps } = await suspectCommits(repository, facts, { suspects, since });
  return {
    commits: commits.map(({ sha, why }) => `${sha}: ${why}`),
    gaps,
    touches: commits.map(({ touches }) => touches),
  };
}

test('a commit is worth its share of the lines times how likely the file is', async () => {
  const origins = {
    'a.ts': [
      { sha: 'much', lines: 7 },
      { sha: 'little', lines: 2 },
    ],
    'b.ts': [{ sha: 'all', lines: 3 }],
  };

  // Seven ninths of .45 are .35, two ninths .1.
  expect((await commitsOf({ origins }, { 'a.ts': 0.45, 'b.ts': 0.3 })).commits).toEqual([
    'much: wrote 7 of the 9 lines of a.ts',
    'all: wrote 3 of the 3 lines of b.ts',
    'little: wrote 2 of the 9 lines of a.ts',
  ]);
  expect((await commitsOf({ origins }, { 'a.ts': 0.45, 'b.ts': 0.4 })).commits[0]).toContain('all');
});

test('what one commit wrote in several files adds up', async () => {
  const [mine, yours] = [
    { sha: 'mine', lines: 1 },
    { sha: 'yours', lines: 1 },
  ];
  const origins = { 'a.ts': [yours], 'b.ts': [mine], 'c.ts': [mine] };
  const { commits, touches } = await commitsOf({ origins }, { 'a.ts': 0.3, 'b.ts': 0.2, 'c.ts': 0.2 });

  expect(commits[0]).toContain('mine');
  expect(touches[0]).toEqual(['b.ts:1-9', 'c.ts:1-9']);
});

test('what touched a file after the last good state comes before all that wrote its lines', async () => {
  const history = { origins: { 'a.ts': [{ sha: 'old', lines: 9 }], 'b.ts': [] }, since: { 'b.ts': ['new'] } };

  expect((await commitsOf(history, { 'a.ts': 0.9, 'b.ts': 0.05 }, 'v1')).commits).toEqual([
    'new: touched b.ts after v1',
    'old: wrote 9 of the 9 lines of a.ts',
  ]);
});

const writers = (name: string, lines: number[]) => lines.map((count, at) => ({ sha: `${name}${at}`, lines: count }));

test('five suspects are followed, three commits of each, and six commits are told', async () => {
  const six = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, writers(name, [1])]));
  const likely = { a: 0.3, b: 0.2, c: 0.15, d: 0.1, e: 0.09, f: 0.08 };
  const two = { a: writers('a', [4, 3, 2, 1]), b: writers('b', [4, 3, 2, 1]) };

  expect((await commitsOf({ origins: six }, likely)).commits.map((commit) => commit[0])).toEqual([
    'a',
    'b',
    'c',
    'd',
    'e',
  ]);
  expect((await commitsOf({ origins: { a: two.a } }, { a: 0.5 })).commits).toHaveLength(3);
  const seven = { ...two, c: writers('c', [1]) };
  expect((await commitsOf({ origins: seven }, { a: 0.5, b: 0.3, c: 0.2 })).commits).toHaveLength(6);
});

test('a file whose lines git cannot tell is a gap, and a commit that is not indexed is left out', async () => {
  const origins = { 'b.ts': [{ sha: 'unknown', lines: 2 }] };

  expect(await commitsOf({ origins }, { 'a.ts': 0.5, 'b.ts': 0.3 })).toMatchObject({
    commits: [],
    gaps: ['git cannot say who wrote a.ts'],
  });
});

test('of all that changed since the last good state a hundred files are taken', async () => {
  const counts = {
    score: 1,
    revisions: 1,
    churn: 1,
    authors: 1,
    complexity: 1,
    trend: 0,
    fix_share: 0,
    fixes: 0,
    lines: 1,
  };
  const rows = Array.from({ length: 130 }, (_, at) => ({ path: `src/${at}.ts`, ...counts, last: '2026-01-02' }));
  const ask = async (_: string, { limit }: Record<string, unknown>) => pageOf('hotspots', rows.slice(0, Number(limit)));

  expect(await changedSince({ ask, context, repo: 'shop' }, 'v1')).toHaveLength(100);
});
