import { expect, test } from 'vitest';
import { declaredNames, readPatches } from './find-removed-exports.ts';

test.each([
  ['export function send() {', ['send']],
  ['export { send as post, retry } from "./a.ts";', ['send', 'post', 'retry']],
  ['  send,', ['send']],
  ['class Mail(Base):', ['Mail']],
  ['\tLimit = 3', ['Limit']],
  ['func Send(to string) error {', ['Send']],
])('the line "%s" may declare %j', (line, names) => {
  expect([...declaredNames([line])]).toEqual(expect.arrayContaining(names));
});

test('ordinary lines declare nothing', () => {
  expect([...declaredNames(['      return send(to);', '  // a comment', '    if (done) {'])]).toEqual([]);
});

test('a long line without blanks takes no longer than others of its length', () => {
  const word = 'a'.repeat(500_000);

  // Were it looked at from each of its characters on, this would take minutes.
  expect([...declaredNames([`${word}!`, `name as ${word}!`])]).toEqual([]);
});

test('patches are read by commit and file, with what was added and removed', () => {
  const [missing, blob] = ['0'.repeat(40), '1'.repeat(40)];
  const output = [
    '\u0001aaa',
    '',
    'diff --git a/a b.ts b/a b.ts',
    `index ${blob}..${missing} 100644`,
    '--- a/a b.ts\t',
    '+++ b/a b.ts\t',
    '@@ -1,2 +1 @@',
    '--- not a head',
    '-two',
    '+three \u0001ccc',
    'diff --git a/new.ts b/new.ts',
    'new file mode 100644',
    `index ${missing}..${blob}`,
    '--- /dev/null',
    '+++ b/new.ts',
    '@@ -0,0 +1 @@',
    '+one',
    '\u0001bbb',
    '',
  ].join('\n');

  expect([...readPatches(output)]).toEqual([
    [
      'aaa',
      [
        {
          oldPath: 'a b.ts',
          newPath: 'a b.ts',
          oldBlob: blob,
          newBlob: '',
          removed: ['-- not a head', 'two'],
          added: ['three \u0001ccc'],
        },
        { oldPath: '', newPath: 'new.ts', oldBlob: '', newBlob: blob, removed: [], added: ['one'] },
      ],
    ],
    ['bbb', []],
  ]);
});
