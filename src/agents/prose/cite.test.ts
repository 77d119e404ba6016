import { expect, test } from 'vitest';
import { citerOf, placeAt, writtenText } from '../../testing/prose.ts';

test('of the main place 24 lines are quoted, of others eight', () => {
  const place = placeAt('src/a.ts', 'send', Array.from({ length: 40 }, () => 'go();').join('\n'));

  expect(citerOf({}).place(place, 'main').lines).toEqual({ start: 1, end: 24 });
  expect(citerOf({}).place(place).lines).toEqual({ start: 1, end: 8 });
});

test('a sentence is quoted from a third of the weight of the question on', () => {
  const text = 'The mail is sent again after an hour.';
  const [little, enough] = [citerOf({ mail: 33, rest: 67 }), citerOf({ mail: 35, rest: 65 })];

  expect([little.sentenceOf(text), enough.sentenceOf(text)]).toEqual(['', text]);
  expect([little.isQuotable(writtenText(text)), enough.isQuotable(writtenText(text))]).toEqual([false, true]);
  // Its heading counts, and what customers, plans and decisions say is always of use.
  expect(citerOf({ mail: 33, rest: 67 }).isQuotable(writtenText(text, { heading: 'The rest' }))).toBe(true);
  expect(little.isQuotable(writtenText(text, { kind: 'plan' }))).toBe(true);
});

const told = (title: string, rest = 'We have the same with another mail of ours.'): string =>
  citerOf({ mail: 1, order: 1 }).written(writtenText(`${title}\n${rest}`, { kind: 'signal' })).text;

const title = (length: number): string =>
  'mail '
    .repeat(60)
    .slice(0, length - 1)
    .concat('l');

test('a text is quoted up to 400 characters, and what a customer begins with up to 200 where nothing says much more', () => {
  expect(citerOf({}).quoted(writtenText(''), 'x'.repeat(500)).text).toHaveLength(400);
  expect(told(title(200))).toBe(title(200));
  expect(told(title(201))).not.toBe(title(201));
  // It says what all of it is about, unless what follows has more than twice as much of the question.
  const [half, less] = [citerOf({ mail: 1, order: 1 }), citerOf({ mail: 1, order: 1.1 })];
  const signal = writtenText('Lost mail\nThe mail of this order never came.', { kind: 'signal' });
  expect(half.written(signal).text).toBe('Lost mail');
  expect(less.written(signal).text).toContain('this order never came');
});

const body = (lines: number, said = 'mail();'): string =>
  ['function send() {', ...Array.from({ length: lines - 1 }, () => 'go();'), said].join('\n');
const inside = (text: string, kind = 'function') =>
  citerOf({ mail: 2 }).inside(placeAt('src/a.ts', 'send', text, { kind }))?.lines;

test('two lines inside of a function are told from eight lines on, as far as a sentence can hold them', () => {
  expect(inside(body(8))).toEqual({ start: 8, end: 9 });
  expect(inside(body(7))).toBeUndefined();
  expect(inside(body(8), 'class')).toBeUndefined();
  expect(inside(body(8, 'nothing();'))).toBeUndefined();
  // With the line before it and the line feed it has 240 characters.
  // The end of something, or a parameter, says nothing by itself.
  expect(inside(`function send() {\n} mail();${'\ngo();'.repeat(8)}`)).toBeUndefined();
  expect(inside(`function send() {\nmail();${'\ngo();'.repeat(8)}`)).toBeDefined();
  expect(inside(body(8, 'mail: Mail,'))).toBeUndefined();
  expect(inside(body(8, `mail(${'x'.repeat(227)});`))).toBeDefined();
  expect(inside(body(8, `mail(${'x'.repeat(228)});`))).toBeUndefined();
});

test('a sentence of the documentation stands where its first five words do, on one line or two', () => {
  const lines = ['/** Sends it.', ' * A mail that is lost is', ' * sent again after an hour. */'];
  const at = (sentence: string) =>
    citerOf({}).docLine(placeAt('src/a.ts', 'send', 'send() {}', { docAt: { line: 7, lines } }), sentence)?.lines;

  expect(at('A mail that is lost goes.')).toEqual({ start: 8, end: 8 });
  expect(at('A mail that is gone.')).toBeUndefined();
  expect(at('Sent again after an hour.')).toBeUndefined();
  expect(at('sent again after an hour.')).toEqual({ start: 9, end: 9 });
  expect(at('is lost is sent again.')).toEqual({ start: 8, end: 9 });
});
