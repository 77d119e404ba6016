import { expect, test } from 'vitest';
import { readPatch } from './patch.ts';

const PATCH = [
  '@@ -1,4 +1,5 @@ export class Mailer',
  ' first',
  '-  return to.includes("@");',
  '-gone',
  '+  return from.includes("@");',
  ' last',
  '@@ -9,0 +11,2 @@',
  '+one',
  '+two',
  '\\ No newline at end of file',
].join('\n');

test('a patch becomes rows with the numbers of both sides, and words that changed are marked', () => {
  expect(readPatch(PATCH)).toEqual([
    { kind: 'hunk', text: '@@ -1,4 +1,5 @@ export class Mailer' },
    { kind: 'same', before: 1, after: 1, text: 'first' },
    {
      kind: 'change',
      before: {
        line: 2,
        stretches: [
          { text: '  return ', isOwn: false },
          { text: 'to', isOwn: true },
          { text: '.includes("@");', isOwn: false },
        ],
      },
      after: {
        line: 2,
        stretches: [
          { text: '  return ', isOwn: false },
          { text: 'from', isOwn: true },
          { text: '.includes("@");', isOwn: false },
        ],
      },
    },
    { kind: 'change', before: { line: 3, stretches: [{ text: 'gone', isOwn: false }] }, after: undefined },
    { kind: 'same', before: 4, after: 3, text: 'last' },
    { kind: 'hunk', text: '@@ -9,0 +11,2 @@' },
    { kind: 'change', before: undefined, after: { line: 11, stretches: [{ text: 'one', isOwn: false }] } },
    { kind: 'change', before: undefined, after: { line: 12, stretches: [{ text: 'two', isOwn: false }] } },
  ]);
});

test('lines that have little in common are not marked word by word', () => {
  const [, change] = readPatch('@@ -1 +1 @@\n-import { a } from "b";\n+const total = 1 + 2;');

  expect(change).toEqual({
    kind: 'change',
    before: { line: 1, stretches: [{ text: 'import { a } from "b";', isOwn: false }] },
    after: { line: 1, stretches: [{ text: 'const total = 1 + 2;', isOwn: false }] },
  });
});
