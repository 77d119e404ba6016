import { expect, test } from 'vitest';
import { hotspotReason } from './hotspot-reason.ts';

const row = { revisions: 65, authors: 2, fixes: 4, fix_share: 0.06, complexity: 185, lines: 1584, trend: -0.45 };

test('a hotspot says how often it is changed, by whom, and what makes that hard', () => {
  expect(hotspotReason(row)).toBe(
    'Changed 65 times by 2 people, 4 fixes among them; complexity 185 in 1,584 lines; less often lately.',
  );
  expect(hotspotReason({ ...row, authors: 1, fixes: 0, complexity: 0, trend: 0 })).toBe(
    'Changed 65 times by 1 person; 1,584 lines.',
  );
  expect(hotspotReason({ ...row, revisions: 1 })).toMatch(/^Changed 1 time by 2 people, /);
  expect(hotspotReason({ ...row, fixes: 1, trend: 0.3 })).toMatch(/, 1 fix among them; .*; more often lately\.$/);
});
