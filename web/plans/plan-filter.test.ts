import { expect, test } from 'vitest';
import type { Plan } from '../knowledge/queries.ts';
import { findPlans, type PlanFilter } from './plan-filter.ts';

const plan: Plan = {
  id: 'plan:mail',
  slug: 'mail',
  title: 'Retry failed mail',
  status: 'active',
  owner: 'Ann',
  path: null,
  version: 1,
  updated_at: '2026-11-20T00:00:00.000Z',
  updated_by: 'system',
  accepted_at: null,
  stale: null,
  items: { total: 4, done: 1 },
};
const PLANS: readonly Plan[] = [
  plan,
  {
    ...plan,
    slug: 'queue',
    title: 'A queue',
    status: 'done',
    owner: '',
    path: 'plans/queue.md',
    updated_at: '2026-11-22T00:00:00.000Z',
    items: { total: 0, done: 0 },
    stale: {
      state: 'stale',
      label: 'stale',
      total: 2,
      fresh: 0,
      moved: 0,
      changed: 2,
      gone: 0,
      unresolved: 0,
      since: null,
      changed_at: null,
    },
  },
];

const slugs = (filter: PlanFilter) => findPlans(PLANS, filter).map(({ slug }) => slug);

test('plans are found by words and states, and ordered by name, age or open work', () => {
  expect(slugs({})).toEqual(['queue', 'mail']);
  expect(slugs({ sort: 'newest' })).toEqual(['queue', 'mail']);
  expect(slugs({ sort: 'open' })).toEqual(['mail', 'queue']);
  expect(slugs({ query: 'ANN retry' })).toEqual(['mail']);
  expect(slugs({ query: 'plans/queue' })).toEqual(['queue']);
  expect(slugs({ code: 'stale' })).toEqual(['queue']);
  expect(slugs({ code: 'stale', status: 'active' })).toEqual([]);
});
