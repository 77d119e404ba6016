import { expect, test } from 'vitest';
import { fileStem, folderPrefix, joinSpecifier } from './paths.ts';

test.each([
  ['src/mail/', './send.ts', 'src/mail/send.ts'],
  ['src/mail/', '../client', 'src/client'],
  ['src/mail/', '../../../client', 'client'],
  ['', 'a//b', 'a/b'],
])('in the folder "%s", %s means %s', (folder, specifier, path) => {
  expect(joinSpecifier(folder, specifier)).toBe(path);
});

test('the folder and the stem of a file are parts of its path', () => {
  expect(['a/b/c.ts', 'c.ts'].map(folderPrefix)).toEqual(['a/b/', '']);
  expect(['a/b.spec.ts', 'a.b/Makefile'].map(fileStem)).toEqual(['b.spec', 'Makefile']);
});
