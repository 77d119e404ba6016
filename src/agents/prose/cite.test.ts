import { expect, test } from 'vitest';
import { citerOf, placeAt } from '../../testing/prose.ts';

test('of the main place 24 lines are quoted, of others eight', () => {
  const place = placeAt('src/a.ts', 'send', Array.from({ length: 40 }, () => 'go();').join('\n'));

  expect(citerOf({}).place(place, 'main').lines).toEqual({ start: 1, end: 24 });
  expect(citerOf({}).place(place).lines).toEqual({ start: 1, end: 8 });
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
