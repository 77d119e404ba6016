import { expect, test } from 'vitest';
import { formLines, ownTextOf } from './clean-text.ts';

const NONE = new Set<string>();
const report = (title: string, what: string): string =>
  `${title}\n### What happens?\n${what}\nBrowser: Firefox\nExpected behaviour: the page of ${what} opens`;
const ownText = (text: string): string => ownTextOf(text, NONE);

test.each([
  ['a block of code', 'It hangs\n\n```js\nfoo.bar()\n```\nafter login', 'It hangs\nafter login'],
  ['a block that does not end', 'It hangs\n~~~\nfoo', 'It hangs'],
  ['a comment of a form', 'It hangs <!-- Thanks for\nreporting --> often', 'It hangs\noften'],
  ['a quoted mail', 'Still broken\n\nOn Mon, 2 Mar 2026 at 10:00, Support wrote:\n> Try again', 'Still broken'],
  ['a quoted mail in German', 'Geht nicht\nAm 02.03.2026 um 10:00 schrieb Support:\n> Bitte', 'Geht nicht'],
  ['who is addressed', '.@acme, @acme_help  the parcel of @Rita is late', 'the parcel of @Rita is late'],
  ['a signature', 'Please help\n-- \nA. Person\nCompany One', 'Please help'],
  [
    'a stack trace',
    'It fails\nTypeError: x is null\n    at open (/app/main.js:10:5)',
    'It fails\nTypeError: x is null',
  ],
  ['a log', 'It fails\n2026-03-01 10:00:00 ERROR no connection\n[10:00:01] retry', 'It fails'],
  ['a table', 'Prices\n| a | b |\n|---|---|\nare wrong', 'Prices\nare wrong'],
  ['markup', '## **Export** of [charts](https://example.com/x) `fails`', 'Export of charts fails'],
  ['addresses, versions and ids', 'v1.2.3 fails for a@b.example at https://x.example: ab12cd34ef', 'fails for at'],
])('%s is not what a person says', (_, text, left) => {
  expect(ownText(text)).toBe(left);
});

test('a package is no addressee, and a message of addressees alone stays', () => {
  expect(ownText('@types/node has no such type')).toBe('@types/node has no such type');
  expect(ownText('@acme @rita')).toBe('@acme @rita');
});

test('a message that says nothing but code is empty, one that begins like a quote is kept', () => {
  expect(ownText('```\nx\n```')).toBe('');
  expect(ownText('On Monday the page was slow')).toBe('On Monday the page was slow');
});

test('lines that many reports share belong to a form, what is written into it does not', () => {
  const texts = [report('Login', 'a blank page'), report('Export', 'an empty file'), report('Search', 'a long wait')];
  const forms = formLines(texts);

  expect(texts.map((text) => ownTextOf(text, forms))).toEqual([
    'Login\na blank page\nthe page of a blank page opens',
    'Export\nan empty file\nthe page of an empty file opens',
    'Search\na long wait\nthe page of a long wait opens',
  ]);
});

test('what many people say in one line is no form', () => {
  const texts = Array.from({ length: 9 }, () => 'The app crashes');

  expect(formLines(texts).size).toBe(0);
});
