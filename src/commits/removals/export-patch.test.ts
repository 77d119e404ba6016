import { expect, test } from 'vitest';
import { declaredNames, readPatches } from './find-removed-exports.ts';

test.each([
  ['a.ts', 'export function send() {', ['send']],
  ['a.ts', 'export { send as post, retry } from "./a.ts";', ['send', 'post', 'retry']],
  ['a.js', '  send,', ['send']],
  ['a.py', 'class Mail(Base):', ['Mail']],
  ['a.py', 'from .mail import send', ['send']],
  ['a.go', '\tLimit = 3', ['Limit']],
  ['a.go', 'func Send(to string) error {', ['Send']],
  ['a.rs', 'pub use mail::{send, Retry};', ['send', 'Retry']],
  ['a.rs', 'pub static mut LIMIT: u32 = 3;', ['LIMIT']],
  ['A.java', 'public final class Mail {', ['Mail']],
])('the line of %s "%s" may declare %j', (path, line, names) => {
  expect([...declaredNames(path, [line]).keys()]).toEqual(expect.arrayContaining(names));
});

test.each([
  ['a.ts', ['      return send(to);', '  // a type of mail', '    if (done) {', "import { send } from './a.ts';"]],
  ['A.java', ['import java.util.Map;', '    long limit = 3;', '  private static final long MOST;', ' * The class of']],
])('ordinary lines of %s declare nothing', (path, lines) => {
  expect([...declaredNames(path, lines)]).toEqual([]);
});

test('a name is told with the words that say who may see it', () => {
  const lines = ['public final class Mail {', 'class Post {', '  public static final String NAME = "";'];

  expect(declaredNames('Mail.java', lines)).toEqual(
    new Map([
      ['Mail', 'public'],
      ['Post', ''],
    ]),
  );
});

test('where only the start of a line declares names for others, the inside of a body has none', () => {
  const lines = ['  val limit = 3', '  def send(to: String)', '    class Inner'];

  expect([...declaredNames('Mail.scala', lines)]).toEqual([]);
  // A namespace, an extension and a block of globals may hold names for others.
  expect([...declaredNames('mail.cs', ['  public class Mail']).keys()]).toEqual(['Mail']);
  expect([...declaredNames('Mail.swift', ['  public static let limit = 3']).keys()]).toEqual(['limit']);
  expect([...declaredNames('mail.d.ts', ['  const limit: number;']).keys()]).toEqual(['limit']);
});

test('a long line without blanks takes no longer than others of its length', () => {
  const word = 'a'.repeat(500_000);

  // Were it looked at from each of its characters on, this would take minutes.
  expect([...declaredNames('a.ts', [`${word}!`, `name as ${word}!`])]).toEqual([]);
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
