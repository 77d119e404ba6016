import { expect, test } from 'vitest';
import { citerOf, placeAt } from '../../testing/prose.ts';
import { listComments, quoteComments } from './comments.ts';

const commented = (name: string, comment: string) => placeAt(`src/${name}.ts`, name, `${name}() {\n  // ${comment}\n}`);

test('a comment that gives a reason counts twice', () => {
  const plain = commented('plain', 'Here the mail is put into the box.');
  const reason = commented('reason', 'Each order is kept because the box is full.');
  const first = (weight: number): string | undefined =>
    quoteComments(citerOf({ mail: weight, order: 1, rest: 0.5 }), [plain, reason])[0]?.text;

  expect(first(2.1)).toContain('A comment in `plain`');
  expect(first(1.9)).toContain('A comment in `reason`');
});

const of = (comment: string, weight = 100): number =>
  quoteComments(citerOf({ mail: weight, rest: 100 - weight }), [commented('send', comment)]).length;

test('a comment is quoted from a quarter of the weight of the question and 25 characters on, two at most', () => {
  const all = ['a', 'b', 'c'].map((name) => commented(name, 'Here the mail is put into the box.'));

  expect([of('Here the mail is put into the box.', 24), of('Here the mail is put into the box.', 26)]).toEqual([0, 1]);
  expect([of('The mail is counted here'), of('The mails are counted now')]).toEqual([0, 1]);
  expect(quoteComments(citerOf({ mail: 1 }), all)).toHaveLength(2);
});

const quoted = (length: number): string | undefined => {
  const comment = 'The mail is counted once more. '.repeat(9).slice(0, length);
  return quoteComments(citerOf({ mail: 1 }), [commented('send', comment)])[0]?.text;
};

test('of a long comment 220 characters are quoted', () => {
  expect(quoted(219)).not.toContain('…');
  expect(quoted(222)).toContain('…');
});

const steps = (texts: readonly string[]): number | undefined =>
  listComments(
    citerOf({}),
    placeAt('src/a.ts', 'f', ['f() {', ...texts.flatMap((text) => [`  // ${text}`, '  go();']), '}'].join('\n')),
  )[0]?.sentences[0]?.sources.length;

test('steps have 140 characters at most, and ten of them are told', () => {
  expect(steps(['Open it.', 'x'.repeat(140), 'Close it.'])).toBe(3);
  expect(steps(['Open it.', 'x'.repeat(141), 'Close it.'])).toBeUndefined();
  expect(steps(Array.from({ length: 12 }, (_, at) => `Step ${at}.`))).toBe(10);
});

test('a step that is said twice is told once', () => {
  expect(steps(['Open it.', 'Read it.', 'Open it.', 'Close it.'])).toBe(3);
  expect(steps(['Open it.', 'Read it.', 'Open it.'])).toBeUndefined();
});

test.each([
  ['code that was taken out', 'const names = new Set(["h1"]);'],
  ['an assignment that was taken out', 'total += count'],
  ['a call that was taken out', 'log.debug(total)'],
  ['a word for a linter', 'eslint-disable-next-line no-console'],
  ['a thing to be done', 'TODO: count them'],
  ['a licence', 'Copyright 2020 The Authors'],
  ['a ruler', '---- parts ----'],
])('%s names no step', (_what, comment) => {
  expect(steps(['Open it.', comment, 'Close it.'])).toBeUndefined();
  expect(steps(['Open it.', comment, 'Read it.', 'Close it.'])).toBe(3);
});

test('what is said after the function names no step of it', () => {
  const body = 'f() {\n  // Open it.\n  go();\n}\n// Another.\n// One.\ng() {}\n// Last.\nh() {}\n// End.';

  expect(listComments(citerOf({}), placeAt('src/a.ts', 'f', body))).toEqual([]);
});

test('a comment that names a call or compares is no code', () => {
  expect(steps(['set() override first', 'when a == b is known (see f)', 'read it again;'])).toBe(3);
});

const quotedOf = (text: string): number => quoteComments(citerOf({ mail: 1 }), [placeAt('src/a.ts', 'f', text)]).length;

test('a line of a text that begins with a star is no comment, one of an open comment is', () => {
  expect(quotedOf('f() {\n  help(`\n  * A mail is put into the box.\n  `);\n}')).toBe(0);
  expect(quotedOf('f() {\n  /*\n  * A mail is put into the box.\n  */\n}')).toBe(1);
  expect(quotedOf('f() {\n  /* Open. */\n  help(`\n  * A mail is put into the box.\n  `);\n}')).toBe(0);
});
