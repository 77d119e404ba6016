import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isUnifiedDiff, readUnifiedDiff } from './unified-diff.ts';

/** What git prints for these files before and after. */
function gitDiff(before: Record<string, string>, after: Record<string, string>, ...options: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-diff-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]): string => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  const write = (files: Record<string, string>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    git('add', '--all');
  };
  git('init', '-q');
  write(before);
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'before');
  for (const path of Object.keys(before)) rmSync(join(folder, path));
  write(after);
  return git('-c', 'core.pager=cat', 'diff', '--cached', ...options);
}

const lines = (...numbers: number[]): string => numbers.map((number) => `line ${number}\n`).join('');
const TEN = lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

test.each([
  [[]],
  [['--unified=0']],
  [['--unified=1', '--no-prefix']],
  [['--unified=40', '--src-prefix=i/', '--dst-prefix=w/']],
])('changed lines of both sides with %o', (options) => {
  const after = `${lines(1)}new\n${lines(2, 3, 5, 6)}other\n${lines(8, 9, 10)}`;
  const [file, ...others] = readUnifiedDiff(gitDiff({ 'src/a b.ts': TEN }, { 'src/a b.ts': after }, ...options));

  expect(others).toEqual([]);
  expect([file?.oldPath, file?.newPath]).toEqual(['src/a b.ts', 'src/a b.ts']);
  const changed = (side: 'old' | 'new'): unknown[] => file?.hunks.flatMap((hunk) => hunk[side].changed) ?? [];
  expect(changed('old')).toEqual([
    [1, 2],
    [4, 4],
    [7, 7],
  ]);
  expect(changed('new')).toEqual([
    [2, 2],
    [4, 5],
    [7, 7],
  ]);
  const first = file?.hunks[0];
  const source = after.split('\n');
  for (const { new: side } of file?.hunks ?? [])
    expect(side.texts).toEqual(source.slice(side.start - 1, side.start - 1 + side.texts.length));
  expect(first?.new.start).toBeLessThanOrEqual(2);
});

test('new, deleted, renamed and oddly named files, and lines that look like headers', () => {
  const text = gitDiff(
    { 'gone.sql': '-- a comment\n', 'old name.ts': TEN, 'a.sql': `select 1\n-- cut\n${TEN}` },
    { 'caf\u00e9 \t.ts': 'x\n', 'new name.ts': TEN, 'a.sql': `select 1\n${TEN}++ added\nno end` },
    '-M',
  );
  const files = readUnifiedDiff(text).map(({ oldPath, newPath, hunks }) => `${oldPath} > ${newPath}: ${hunks.length}`);

  expect(new Set(files)).toEqual(
    new Set([
      'a.sql > a.sql: 2',
      'undefined > caf\u00e9 \t.ts: 1',
      'gone.sql > undefined: 1',
      'old name.ts > new name.ts: 0',
    ]),
  );
});

const header = (path: string): string => `diff --git a/${path} b/${path}\nindex 1234567..89abcde\n`;

test('merges, submodules and binary patches beside other files', () => {
  const text = [
    `${header('moved.ts')}diff --cc both.ts\n--- a/both.ts\n+++ b/both.ts\n@@@ -1,1 -1,1 +1,2 @@@\n  a\n++b\n`,
    `${header('part')}--- a/part\n+++ b/part\n@@ -1 +1 @@\n-Subproject commit 12\n+Subproject commit 34\n`,
    `${header('a.png')}GIT binary patch\nliteral 3\nKcmZ?\n\nliteral 2\nJcmZ?\n\n`,
    `${header('end.ts')}--- a/end.ts\n+++ b/end.ts\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n`,
  ].join('');
  const files = readUnifiedDiff(text);

  expect(files.map(({ newPath, hunks }) => [newPath, ...hunks.map((hunk) => hunk.new.texts)])).toEqual([
    ['moved.ts'],
    ['both.ts'],
    ['part', ['Subproject commit 34']],
    ['a.png'],
    ['end.ts', ['b']],
  ]);
  expect(isUnifiedDiff('diff --cc both.ts\n')).toBe(true);
});

test('diff -u prints no line of git, and mails have text around the diff', () => {
  const text = `Subject: a change\r\n\r\n--- src/a.ts\t2026-01-01 00:00:00\r\n+++ src/a.ts\t2026-01-02 00:00:00\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n-- \r\n2.40\r\n`;

  expect(isUnifiedDiff(text)).toBe(true);
  expect(readUnifiedDiff(text)).toEqual([
    {
      oldPath: 'src/a.ts',
      newPath: 'src/a.ts',
      hunks: [
        { old: { start: 1, texts: ['a'], changed: [[1, 1]] }, new: { start: 1, texts: ['b'], changed: [[1, 1]] } },
      ],
    },
  ]);
  for (const query of ['main..', 'sendMail', '--- a line', 'src/a.ts:1-2']) expect(isUnifiedDiff(query)).toBe(false);
});
