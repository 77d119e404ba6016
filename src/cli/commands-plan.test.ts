import { expect, test } from 'vitest';
import { slugOfLayout } from './commands-plan.ts';

test.each([
  ['/shop/.kiro/specs/audit-log/tasks.md', 'audit-log'],
  ['/shop/specs/001-login/plan.md', '001-login-plan'],
  ['/shop/openspec/changes/add-search/proposal.md', 'add-search-proposal'],
  ['/shop/openspec/changes/archive/2026-01-06-add-diff/tasks.md', '2026-01-06-add-diff'],
  ['C:\\shop\\specs\\Suche für alle\\tasks.md', 'suche-fur-alle'],
  ['/shop/plans/login.md', undefined],
  ['/shop/specs/login.md', undefined],
])('the plan %s is named %s by its folder', (path, slug) => {
  expect(slugOfLayout(path)).toBe(slug);
});
