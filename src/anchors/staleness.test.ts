import { expect, test } from 'vitest';
import { stalenessOf } from './staleness.ts';
import type { AnchorRow, AnchorStatus } from './store/store.ts';

function anchors(...statuses: (AnchorStatus | 'unresolved')[]): AnchorRow[] {
  return statuses.map((status, position) => {
    const common = { holder: 'plan' as const, id: 'p', written: `${position}.ts`, position, reason: null };
    if (status === 'unresolved') return { ...common, target: undefined, state: undefined };
    const target = {
      repositoryId: 'r',
      path: `${position}.ts`,
      symbol: null,
      line: null,
      syntax: '1',
      sketch: null,
      baselineCommit: 'a1b2c3d4e5',
    };
    return { ...common, target, state: { snapshot: 's', status, path: null, symbol: null, line: null, commits: [] } };
  });
}

test.each<[(AnchorStatus | 'unresolved')[], string | undefined]>([
  [[], undefined],
  [['unresolved'], 'unresolved 1/1'],
  [['fresh', 'fresh', 'unresolved'], 'unresolved 1/3'],
  [['fresh', 'moved', 'unresolved'], 'aging'],
  [['fresh', 'moved'], 'aging'],
  [['moved', 'moved'], 'aging'],
  [['fresh', 'fresh', 'fresh', 'changed'], 'aging'],
  [['fresh', 'fresh', 'changed', 'changed'], 'stale 2/4 since a1b2c3d'],
  [['fresh', 'fresh', 'fresh', 'gone'], 'stale 1/4 since a1b2c3d'],
  [['fresh', 'gone', 'gone', 'changed'], 'broken'],
])('a plan whose anchors are %j is %s', (statuses, label) => {
  expect(stalenessOf(anchors(...statuses))?.label).toBe(label);
});

test('what the text names and no index has is counted apart', () => {
  expect(stalenessOf(anchors('fresh', 'unresolved', 'unresolved'))).toMatchObject({ total: 1, unresolved: 2 });
});

test('a plan is stale since the commit that most of its anchors were written at, of two since the first by name', () => {
  expect(sinceOf('a', 'b', 'b')).toBe('b');
  expect(sinceOf('b', 'b', 'a')).toBe('b');
  expect(sinceOf('b', 'a')).toBe('a');
});

test('a plan is stale since the newest commit that changed what it names, whatever its anchor', () => {
  const dates = [['2026-03-01T10:00:00Z', '2026-01-01T10:00:00Z'], ['2026-03-01T12:00:00+01:00'], []];
  const rows = anchors('changed', 'gone', 'fresh').map((anchor, at) => ({
    ...anchor,
    state: anchor.state && {
      ...anchor.state,
      commits: (dates[at] ?? []).map((date) => ({ sha: 'c', subject: 's', date })),
    },
  }));
  expect(stalenessOf(rows)?.changedAt).toBe('2026-03-01T12:00:00+01:00');
  expect(stalenessOf(anchors('fresh'))?.changedAt).toBeUndefined();
});

/** Of anchors written at these commits. */
function sinceOf(...commits: string[]): string | undefined {
  const rows = anchors(...commits.map(() => 'gone' as const)).map((anchor, at) =>
    anchor.target === undefined
      ? anchor
      : { ...anchor, target: { ...anchor.target, baselineCommit: commits[at] ?? '' } },
  );
  return stalenessOf(rows)?.since;
}
