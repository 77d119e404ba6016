import { expect, test } from 'vitest';
import {
  assessIndex,
  describeIndex,
  explainUnknown,
  type IndexFacts,
  type IndexJson,
  indexJson,
  indexOfJson,
  type IndexState,
  unindexedNotes,
  withoutCheckout,
} from './freshness.ts';
import { ServiceError } from './errors.ts';
import type { Gap } from './gap.ts';

const HOUR_MS = 3_600_000;
const gap = (kind: Gap['kind'], count: number): Gap => ({ kind, count, text: `${kind} ${count}` });

/** One value of each dimension: the facts, the words that they add, and the state that they lead to. */
type Case = [facts: IndexFacts, words: string, state?: IndexState['state']];

const COMPARISONS: Case[] = [
  [{ behind: 0 }, ''],
  [{ behind: 3 }, 'behind 3', 'behind'],
  [{ percent: 42 }, 'indexing 42%', 'indexing'],
  [{}, 'unknown', 'unknown'],
];
const FETCHES: Case[] = [
  [{}, ''],
  [{ fetchedAt: new Date(0) }, ''],
  [{ fetchedAt: new Date(0), fetchAgeMs: 3 * HOUR_MS }, 'fetched 3 h ago', 'fetched'],
];
const PARTS: Case[] = [
  [{}, ''],
  [{ gaps: [gap('note', 1)] }, ''],
  [{ unparsed: 12 }, 'partial (12 files unparsed)', 'partial'],
  [{ unparsed: 1, gaps: [gap('syntax', 1)] }, 'partial (1 file with syntax errors)', 'partial'],
];
const EXACT: Case[] = [
  [{}, ''],
  [{ exact: 'done' }, ''],
  [{ exact: 'failed' }, ''],
  [{ exact: 'pending' }, 'exact pending', 'exact_pending'],
];
const CHECKOUTS: Case[] = [
  [{}, ''],
  [{ uncommitted: 3, hasUncommitted: true }, '+3 uncommitted'],
];

const COMBINATIONS = COMPARISONS.flatMap((comparison) =>
  FETCHES.flatMap((fetch) =>
    PARTS.flatMap((part) =>
      EXACT.flatMap((exact) => CHECKOUTS.map((checkout) => ({ ranked: [comparison, fetch, part, exact], checkout }))),
    ),
  ),
);

test('each combination of states has all of its words, and is fresh only when nothing is missing', () => {
  expect(COMBINATIONS).toHaveLength(384);
  for (const { ranked, checkout } of COMBINATIONS) {
    const index = assessIndex(Object.assign({}, ...ranked.map(([facts]) => facts), checkout[0]) as IndexFacts);
    const missing = ranked.map(([, words]) => words).filter((words) => words !== '');

    const words = describeIndex(index);

    const expected = [...(missing.length === 0 ? ['fresh'] : missing), checkout[1]].filter((part) => part !== '');
    expect(words).toBe(expected.join(', '));
    expect(index.state).toBe(ranked.find(([, , state]) => state !== undefined)?.[2] ?? 'fresh');
    // The JSON of an answer from which another answer is made, as the agents do.
    expect(describeIndex(indexOfJson(indexJson(index) as unknown as IndexJson))).toBe(words);
  }
});

test.each<[IndexFacts, string]>([
  [
    {
      unparsed: 1,
      gaps: [gap('shallow', 5), gap('submodules', 1), gap('pointers', 3), gap('missing', 2)],
      uncommitted: 3,
    },
    'partial (1 file unparsed, history cut at 5 commits, 1 submodule not indexed, 3 LFS pointers, content of 2 files missing, 3 uncommitted files not indexed)',
  ],
  [{ unparsed: 3, gaps: [gap('syntax', 2)] }, 'partial (1 file unparsed, 2 files with syntax errors)'],
  [{ uncommitted: 1 }, 'partial (1 uncommitted file not indexed)'],
  [{ fetchAgeMs: 40_000 }, 'fetched 40 s ago'],
  [{ fetchAgeMs: 59 * 60_000 }, 'fetched 59 min ago'],
  [{ fetchAgeMs: 47 * HOUR_MS }, 'fetched 1 d ago'],
  [{ fetchAgeMs: -5 }, 'fetched 0 s ago'],
])('%j reads as %s', (facts, words) => {
  expect(describeIndex(assessIndex({ behind: 0, ...facts }))).toBe(words);
});

test('the JSON form names what a program decides by, and leaves out what does not apply', () => {
  const at = new Date('2026-03-01T12:00:00Z');
  const facts = { behind: 3, indexedAt: at, fetchedAt: at, fetchAgeMs: 90_500, exact: 'pending', unparsed: 2 } as const;

  expect(indexJson(assessIndex(facts))).toEqual({
    state: 'behind',
    behind: 3,
    indexed_at: at.toISOString(),
    fetched_at: at.toISOString(),
    fetch_age_s: 90,
    exact: 'pending',
    unparsed: 2,
    lacks: ['2 files unparsed'],
  });
  expect(indexJson(assessIndex({ behind: 0 }))).toEqual({ state: 'fresh', behind: 0 });
});

test.each<[IndexFacts, string | undefined]>([
  [{ behind: 0, exact: 'pending', unparsed: 4 }, undefined],
  [{ behind: 0, uncommitted: 4, hasUncommitted: true }, undefined],
  [
    { behind: 0, uncommitted: 4 },
    '4 uncommitted files are not indexed yet: repeat the call in a few seconds, or commit them',
  ],
  [{ behind: 1 }, '1 commit is not indexed yet: repeat the call in a few seconds, or index the repository again'],
  [
    { behind: 2, uncommitted: 1 },
    '1 uncommitted file and 2 commits are not indexed yet: repeat the call in a few seconds, or index the repository again',
  ],
  [{ percent: 42 }, 'the index run is at 42%: repeat the call when it is done'],
  [
    { behind: 0, fetchAgeMs: 3 * HOUR_MS },
    'the repository was last fetched 3 h ago: repeat the call after the next fetch',
  ],
])('an answer without results from %j adds %s', (facts, note) => {
  const index = assessIndex(facts);

  expect(unindexedNotes([{ repo: 'shop', index }])).toEqual(note === undefined ? [] : [note]);
  expect(
    unindexedNotes([
      { repo: 'shop', index: assessIndex({ behind: 0 }) },
      { repo: 'web', index },
    ]),
  ).toEqual(note === undefined ? [] : [`web: ${note}`]);
});

test('an unknown name or path is reported with what is not indexed yet, other errors stay as they are', () => {
  const sources = [{ repo: 'shop', index: assessIndex({ behind: 0, uncommitted: 4 }) }];
  const unknown = new ServiceError('unknown_symbol', 'No symbol is named "newFn"; nothing found in 9 files.', {
    fix: 'code-tool semantic_search query="newFn"',
  });
  const bad = new ServiceError('bad_argument', 'No.', { fix: 'Other.' });

  expect(explainUnknown(unknown, sources)).toMatchObject({
    code: 'unknown_symbol',
    message: 'No symbol is named "newFn"; nothing found in 9 files; 4 uncommitted files are not indexed yet.',
    fix: 'repeat the call in a few seconds, or commit them. Otherwise: code-tool semantic_search query="newFn"',
  });
  expect(explainUnknown(unknown, [{ repo: 'shop', index: assessIndex({ behind: 0 }) }])).toBe(unknown);
  expect(explainUnknown(bad, sources)).toBe(bad);
});

test('what is not committed does not count in answers about the history', () => {
  const index = assessIndex({ behind: 0, uncommitted: 4, exact: 'pending' });

  expect(describeIndex(withoutCheckout(index))).toBe('exact pending');
});
