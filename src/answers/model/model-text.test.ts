import { array, assert, constantFrom, property } from 'fast-check';
import type { Nodes } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { modelText } from './model-text.ts';

const SOURCE = 'See https://docs.example.com/mail#send, or ask help@example.com. <Button> draws it.';

test.each([
  ['Mails wait ![](https://evil.example/?q=key).', 'Mails wait.'],
  ['Mails wait ![a chart](https://evil.example/p.png "x") here.', 'Mails wait a chart here.'],
  ['Read [the manual](https://evil.example/a_(b)) first.', 'Read the manual first.'],
  ['Read [`send`](https://evil.example/) first.', 'Read `send` first.'],
  ['Read [the [inner](//evil.example/x) manual](<https://evil.example/ a>) first.', 'Read the inner manual first.'],
  ['Open <https://evil.example/x> now.', 'Open (address removed) now.'],
  ['Open https://evil.example/x?q=`key`.', 'Open (address removed)`key`.'],
  ['Open www.evil.example, please.', 'Open (address removed), please.'],
  ['Open evil.example/x or evil.example?q=1.', 'Open (address removed) or (address removed).'],
  [
    'Open https&colon;//evil.example and https&#58;&#x2f;/evil.example.',
    'Open (address removed) and (address removed).',
  ],
  [String.raw`Open https\://evil.example/x.`, 'Open (address removed).'],
  ['Write to boss@evil.example.', 'Write to (address removed).'],
  ['Run javascript:alert(1) now.', 'Run (address removed)) now.'],
  ['It is <img src=x onerror=alert(1)> sent.', 'It is sent.'],
  ['It is <scr<b>ipt>alert(1)</script> sent.', 'It is alert(1) sent.'],
  ['It is <script>alert(1)</script> sent.', 'It is sent.'],
  ['It is <img src=x onerror=alert(1)', 'It is < img src=x onerror=alert(1)'],
  ['It is &lt;img src=x&gt; sent.', 'It is sent.'],
  [String.raw`It is \`<img src=x>\` sent.`, 'It is `<img src=x>` sent.'],
  ['A lone ` and then `code` with <b>x</b>.', 'A lone ` and then `code with x.'],
  ['# Mails\n\n> are [x]: https://evil.example sent', 'Mails > are [x]: (address removed) sent'],
  ['[x]: /evil', 'x'],
  ['![x][y] and [x][y]', '! [x] [y] and [x] [y]'],
  ['In code `curl https://evil.example/x` stands.', 'In code `curl (address removed)` stands.'],
  ['https://evil.example', ''],
  [
    '`<Button>` and `handlers[name](event)` and `List<T>` stay.',
    '`<Button>` and `handlers[name](event)` and `List<T>` stay.',
  ],
  [
    'A List<String> and handlers[name](event), src/mail/send.ts:3 and a < b.',
    'A List‹String› and handlers[name] (event), src/mail/send.ts:3 and a < b.',
  ],
  ['It has 3 parts, and/or `a//b`; see Node.js at 10:30.', 'It has 3 parts, and/or `a//b`; see Node.js at 10:30.'],
])('%j is told as %j', (given, expected) => {
  expect(modelText(given, [])).toBe(expected);
});

function tellWithSource(text: string): string {
  return modelText(text, [SOURCE]);
}

test('an address that a cited source has stays, as text; one that only begins like it does not', () => {
  expect(tellWithSource('See https://docs.example.com/mail#send.')).toBe('See https://docs.example.com/mail#send.');
  expect(tellWithSource('See [the docs](https://docs.example.com/mail#send).')).toBe(
    'See the docs (https://docs.example.com/mail#send).',
  );
  expect(tellWithSource('Ask help@example.com.')).toBe('Ask help@example.com.');
  expect(tellWithSource('![x](https://docs.example.com/mail#send)')).toBe('x (https://docs.example.com/mail#send)');
  for (const other of ['https://docs.example.com', 'https://docs.example.com/mail#send?q=key', 'p@example.com'])
    expect(tellWithSource(`See ${other}.`)).toBe('See (address removed).');
});

/** Kinds of what a client that renders Markdown makes of a text. */
function kindsIn(text: string): Set<string> {
  const kinds = new Set<string>();
  const visit = (node: Nodes): void => {
    kinds.add(node.type);
    if ('children' in node) node.children.forEach(visit);
  };
  visit(unified().use(remarkParse).use(remarkGfm).parse(text));
  return kinds;
}

test('whatever a model writes, no client makes more of it than text and code', () => {
  const piece = constantFrom(
    '![',
    '[',
    ']',
    '(',
    ')',
    '](',
    '<',
    '>',
    '</',
    '<img src=',
    '`',
    '``',
    '\\',
    '!',
    ':',
    '//',
    ' ',
    '\n',
    'a',
    'https://e.io/',
    'www.e.io',
    '&lt;',
    '&#60;',
    '&#x5b;',
    '&colon;',
    '<b',
    'script',
    '<!--',
    '-->',
    '"',
    '0',
    '\uE000',
    '\uE001',
    'a@e.io',
    '[a]: /b',
    '[1]',
    '# ',
    '> ',
    '&bsol;',
    '&amp;',
  );
  const sentence = array(piece, { maxLength: 16 }).map((pieces) => modelText(pieces.join(''), []));

  assert(
    property(sentence, sentence, (first, second) => {
      const kinds = kindsIn(`It is ${first} ${second}`);
      expect([...kinds].filter((kind) => !['root', 'paragraph', 'text', 'inlineCode'].includes(kind))).toEqual([]);
      expect(`${first}${second}`).not.toMatch(/\n|https:\/\/e/);
    }),
    { numRuns: 4000 },
  );
});
