import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { nameOfFolder } from './commands-plan.ts';

test('a folder is named by its place in its repository, and by its whole path outside of one', () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-folder-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'docs', 'adr'), { recursive: true });

  expect(nameOfFolder(join(root, 'docs', 'adr'))).toBe(`${root.slice(1)}/docs/adr`);
  mkdirSync(join(root, '.git'));
  expect(nameOfFolder(join(root, 'docs', 'adr'))).toBe(`${basename(root)}/docs/adr`);
  expect(nameOfFolder(root)).toBe(basename(root));
});
