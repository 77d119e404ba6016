import { expect, test } from 'vitest';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { partnersOf } from './store-report-history.ts';

// Only asked whether the query was cancelled.
const DB = { cancelled: () => false } as ShardDatabase;
const partners = (commits: readonly (readonly number[])[]) => Object.fromEntries(partnersOf(DB, commits));

test('files that share two commits are partners, by the share of the commits of both', () => {
  expect(partners([[1, 2], [2, 1], [1], [1], [1, 3]])).toEqual({
    1: [{ file: 2, degree: 2 / Math.sqrt(5 * 2) }],
    2: [{ file: 1, degree: 2 / Math.sqrt(5 * 2) }],
  });
});

test('a commit of more than ten files says nothing about two of them', () => {
  const many = Array.from({ length: 11 }, (_, at) => at);

  expect(partners([many, many])).toEqual({});
  expect(Object.keys(partners([many.slice(1), many.slice(1)]))).toHaveLength(10);
});

test('the eight closest partners are listed, closest first', () => {
  const commits = Array.from({ length: 12 }, (_, at) => Array.from({ length: at + 2 }, () => [0, at + 1])).flat();
  const listed = partners(commits)[0] ?? [];

  expect(listed.map(({ file }) => file)).toEqual([12, 11, 10, 9, 8, 7, 6, 5]);
});
