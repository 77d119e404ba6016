import { expect, test } from 'vitest';
import type { Decision } from '../knowledge/queries.ts';
import { type DecisionFilter, findDecisions } from './decision-filter.ts';

const decision: Decision = {
  id: 'dec:1',
  number: 1,
  slug: 'queue',
  title: 'Send mail over a queue',
  status: 'superseded',
  tags: ['mail'],
  decided_on: null,
  review_on: null,
  superseded_by: 'dec:2',
  path: null,
  recorded_at: '2026-11-20T00:00:00.000Z',
  recorded_by: 'system',
  updated_at: '2026-11-20T00:00:00.000Z',
  stale: null,
};
const DECISIONS: readonly Decision[] = [
  { ...decision, id: 'dec:2', title: 'Keep the queue in the database', status: 'accepted', tags: ['mail', 'data'] },
  decision,
];

const ids = (filter: DecisionFilter) => findDecisions(DECISIONS, filter).map(({ id }) => id);

test('decisions are found by words, tag and status, in the order in which they stand', () => {
  expect(ids({ query: 'QUEUE' })).toEqual(['dec:2', 'dec:1']);
  expect(ids({ query: 'queue data' })).toEqual(['dec:2']);
  expect(ids({ tag: 'mail', status: 'superseded' })).toEqual(['dec:1']);
  expect(ids({ query: 'dec:1' })).toEqual(['dec:1']);
  expect(ids({ code: 'fresh' })).toEqual([]);
});
