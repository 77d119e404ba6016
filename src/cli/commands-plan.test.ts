import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { nameOfFolder, slugOfLayout } from './commands-plan.ts';

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

test('a folder is named by its place in its repository, and by its whole path outside of one', () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-folder-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'docs', 'adr'), { recursive: true });

  expect(nameOfFolder(join(root, 'docs', 'adr'))).toBe(`${root.slice(1)}/docs/adr`);
  mkdirSync(join(root, '.git'));
  expect(nameOfFolder(join(root, 'docs', 'adr'))).toBe(`${basename(root)}/docs/adr`);
  expect(nameOfFolder(root)).toBe(basename(root));
});
