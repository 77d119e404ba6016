import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeLock } from './lock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a lock is held by one and free again after its release', () => {
  const path = join(folder, 'lock.db');
  const lock = takeLock(path, 'The folder');

  expect(() => takeLock(path, 'The folder')).toThrow('The folder is in use by another process.');
  lock.release();
  lock.release();

  takeLock(path, 'The folder').release();
});

test('a lock that cannot be written is not said to be in use', () => {
  expect(() => takeLock(join(folder, 'missing/lock.db'), 'The folder')).toThrow(/unable to open/);
});
