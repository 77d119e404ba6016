import { expect, test } from 'vitest';
import { changedFiles, compareRange } from './compare-rows.ts';

test('symbols stand under the file before them, a removed one of a renamed file too', () => {
  const files = changedFiles([
    { path: 'new.ts', old_path: 'old.ts', status: 'R', plus: 2, minus: 5 },
    { path: 'old.ts', change: 'removed', name: 'send', breaking: true },
    { path: 'new.ts', change: 'added', name: 'sendAll' },
    { path: 'b.ts', status: 'A' },
  ]);

  expect(
    files.map(({ path, oldPath, status, symbols }) => [path, oldPath, status, symbols.map(({ name }) => name)]),
  ).toEqual([
    ['new.ts', 'old.ts', 'R', ['send', 'sendAll']],
    ['b.ts', undefined, 'A', []],
  ]);
});

test('two refs are a range; without a second one it ends at the index', () => {
  expect(compareRange({ since: 'v1', until: '', isSinceParting: false })).toBe('v1..HEAD');
  expect(compareRange({ since: 'main', until: 'fix', isSinceParting: true })).toBe('main...fix');
});
