import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changeOf, readPlanFiles } from './plan-files.ts';

test.each([
  ['/shop/.kiro/specs/audit-log/tasks.md', '/shop/.kiro/specs/audit-log'],
  ['/shop/specs/001-login/plan.md', '/shop/specs/001-login'],
  ['/shop/openspec/changes/add-search/proposal.md', '/shop/openspec/changes/add-search'],
  ['/shop/openspec/changes/archive/2026-01-06-add-diff/tasks.md', '/shop/openspec/changes/archive/2026-01-06-add-diff'],
  ['C:\\shop\\specs\\Suche für alle/tasks.md', 'C:\\shop\\specs\\Suche für alle'],
  ['/shop/openspec/specs/search/spec.md', undefined],
  ['/shop/plans/login.md', undefined],
  ['/shop/specs/login.md', undefined],
])('%s belongs to the change %s', (path, folder) => {
  expect(changeOf(path)).toBe(folder);
});

test('proposal, design, specification and tasks of one change are one plan, however they are named', () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-change-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const change = 'openspec/changes/add-search';
  const files = {
    [`${change}/tasks.md`]: '## 1. Search\n\n- [ ] 1.1 Index words\n',
    [`${change}/proposal.md`]: '## Why\n\nNothing is found.\n',
    [`${change}/design.md`]: '# Design\n\nOne index.\n',
    [`${change}/specs/search/spec.md`]: '## ADDED Requirements\n',
    [`${change}/notes.txt`]: 'not read',
    'plans/mail.md': '# Mail\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const whole = {
    file: 'add-search',
    slug: 'add-search',
    text: '# Add search\n\n## Why\n\nNothing is found.\n\n## ADDED Requirements\n\n# Design\n\nOne index.\n\n## 1. Search\n\n- [ ] 1.1 Index words',
  };

  expect(readPlanFiles(root, [change])).toEqual([whole]);
  expect(readPlanFiles(root, [`${change}/tasks.md`, 'plans/mail.md', `${change}/proposal.md`])).toEqual([
    whole,
    { file: 'mail.md', text: '# Mail\n' },
  ]);
  expect(() => readPlanFiles(root, ['plans'])).toThrow('cannot be read');
  // Kiro calls all its files the same, Task Master all its lists.
  const kiro = join(root, '.kiro/specs/audit-log');
  const lists = ['shop/.taskmaster/tasks/tasks.json', 'depot/tasks/tasks.json', 'web/tasks.json'];
  for (const path of [kiro, ...lists.map((list) => join(root, dirname(list)))]) mkdirSync(path, { recursive: true });
  writeFileSync(join(kiro, 'requirements.md'), '# Requirements Document\n\n## Introduction\n');
  for (const list of lists) writeFileSync(join(root, list), '{"tasks": []}');

  expect(readPlanFiles(root, [kiro])[0]?.text).toMatch(/^# Audit log\n\n# Requirements Document\n/);
  expect(readPlanFiles(root, lists).map(({ slug }) => slug)).toEqual(['shop-tasks', 'depot-tasks', 'web-tasks']);
});
