import { expect, test } from 'vitest';
import { newsSince } from './news.ts';

const SINCE = '2026-03-10T12:00:00.000Z';
const BEFORE = '2026-03-10T12:59:59+01:00';
const AFTER = '2026-03-10T13:00:01+01:00';

const plan = (at: string, status: string, state: string, changedAt: string | null) => ({
  updated_at: at,
  status,
  stale: { state, changed_at: changedAt },
});
const theme = (direction: string, newest: string) => ({ trend: { direction }, newest });

/** Of each thing the fields that decide, and no more. */
const sourcesWith = (fields: object) =>
  ({ commits: 0, plans: [], decisions: [], themes: [], changes: [], ...fields }) as unknown as Parameters<
    typeof newsSince
  >[1];

test('what came after the last visit is counted, in one order, and what came before is not', () => {
  const news = newsSince(
    SINCE,
    sourcesWith({
      changes: [{ when: AFTER }, { when: BEFORE }],
      themes: ['new', 'rising', 'steady', 'falling'].flatMap((kind) => [theme(kind, AFTER), theme(kind, BEFORE)]),
      decisions: [{ updated_at: AFTER }, { updated_at: AFTER }, { updated_at: SINCE }],
      plans: [
        plan(AFTER, 'active', 'fresh', null),
        plan(BEFORE, 'active', 'stale', AFTER),
        plan(BEFORE, 'active', 'broken', AFTER),
        plan(BEFORE, 'done', 'stale', AFTER),
        plan(BEFORE, 'active', 'stale', BEFORE),
        plan(BEFORE, 'active', 'broken', null),
        { ...plan(BEFORE, 'active', 'fresh', null), stale: null },
      ],
      commits: 7,
    }),
  );

  expect(news).toEqual([
    { kind: 'new commits', count: 7 },
    { kind: 'changed plans', count: 1 },
    { kind: 'stale plans', count: 2 },
    { kind: 'changed decisions', count: 2 },
    { kind: 'new subjects', count: 1 },
    { kind: 'rising themes', count: 1 },
    { kind: 'competitor changes', count: 1 },
  ]);
});

test('there is nothing new when all is older than the visit', () => {
  const news = newsSince(
    SINCE,
    sourcesWith({
      plans: [plan(BEFORE, 'active', 'stale', BEFORE)],
      decisions: [{ updated_at: SINCE }],
      themes: [theme('rising', BEFORE)],
      changes: [{ when: BEFORE }],
    }),
  );

  expect(news).toEqual([]);
});
