import { expect, test } from 'vitest';
import { type TermWeights, weighTerms } from '../question/term-weights.ts';
import { parseQuestion } from '../question/question.ts';
import { wantedLinesOf } from '../question/wanted-lines.ts';
import type { CodePlace } from './code.ts';
import { endOf, findTellingLines, isComment } from './lines.ts';

function place(symbol: string, lines: readonly string[], more: Partial<CodePlace> = {}): CodePlace {
  const body = lines.join('\n');
  const about = { kind: 'function', signature: '', doc: '', score: 0.5, isNamed: false };
  return { repo: 'shop', path: `src/${symbol}.ts`, start: 1, end: lines.length, symbol, body, ...about, ...more };
}

/** The first lines of what is told for a question, the best first. */
function told(question: string, places: readonly CodePlace[], weights?: TermWeights): string[] {
  const { terms, words } = parseQuestion(question);
  const wish = { weights: weights ?? weighTerms(terms, 1, {}), wanted: wantedLinesOf(words) };
  return findTellingLines(places, wish).map(({ place: { body }, from }) => body.split('\n')[from]?.trim() ?? '');
}

test('lines that have the words of a question are told, not how something is called', () => {
  const send = place('send', [
    'function send(mail, retry) {',
    '  // The retry of a mail waits.',
    '  """',
    '  The retry of a mail.',
    '  """',
    '  open();',
    '',
    '  queue(mail, retry);',
    '',
    '  import { mail } from "./retry";',
    '  close();',
    '}',
  ]);

  expect(told('How is the retry of a mail queued?', [send])).toEqual(['queue(mail, retry);']);
});

test('who asks for a value is told lines that give one, also in the head of a function', () => {
  const send = place('send', ['function send(mail, timeout = 30) {', '  wait(timeout);', '}']);
  const values = place('VALUES', ['const VALUES = {', '  timeout: 25,', '};'], { kind: 'constant' });

  expect(told('What is the default timeout?', [send, values])).toEqual([
    'function send(mail, timeout = 30) {',
    'timeout: 25,',
  ]);
});

test('a line of the kind that is asked for comes before one that has as many of the words', () => {
  const send = place('send', [
    'function work() {',
    '  log(queue, full);',
    '',
    '  if (queue.full) {',
    '    drop();',
    '  }',
    '}',
  ]);

  expect(told('What happens when the queue is full?', [send])[0]).toBe('if (queue.full) {');
  expect(told('How is the full queue told?', [send])[0]).toBe('log(queue, full);');
});

test('the name of what is around a line counts, less than its own words', () => {
  const lines = ['function one() {', '  wait(mail);', '}'];
  const other = ['function other() {', '  stop(mail);', '}'];
  const named = place('retryOnce', other);

  expect(told('How is the retry of a mail done once?', [place('any', lines), named])[0]).toBe('stop(mail);');
  const own = place('any', ['function any() {', '  retry(mail);', '}']);
  expect(told('How is the retry of a mail done?', [place('retry', lines), own])[0]).toBe('retry(mail);');
});

test('of equal lines that of the better place comes first, and one found by its words alone behind', () => {
  const [first, second] = ['one', 'two'].map((name) => place(name, ['function () {', `  ${name}(mail, retry);`, '}']));
  const alone = place('', ['zero(mail, retry);'], { path: 'src/zero.ts', kind: 'file' });
  if (first === undefined || second === undefined) throw new Error('two were made');

  expect(told('How is the retry of a mail done?', [alone, second, first])).toEqual([
    'two(mail, retry);',
    'one(mail, retry);',
    'zero(mail, retry);',
  ]);
});

test('in the first place a line needs less of the words than elsewhere, and in none too few', () => {
  const weights: TermWeights = new Map([
    ['mail', 0.2],
    ['queue', 0.12],
    ['other', 0.68],
  ]);
  const [mail, queue] = ['mail', 'queue'].map((word) =>
    place('x', ['function () {', `  ${word}();`, '}'], { path: `src/${word}0.ts` }),
  );
  const away = place('away', ['function () {', '  nothing();', '}']);
  if (mail === undefined || queue === undefined) throw new Error('two were made');

  expect(told('How?', [mail, away], weights)).toEqual(['mail();']);
  expect(told('How?', [away, mail], weights)).toEqual([]);
  expect(told('How?', [queue, away], weights)).toEqual([]);
});

test('a line stands in one piece, and tests, texts and examples are not told', () => {
  const inside = place('Mailer/send', ['  send() {', '    retry(mail);', '    log(mail, retry);', '  }'], {
    start: 2,
    path: 'src/mailer.ts',
  });
  const around = place(
    'Mailer',
    ['class Mailer {', '  send() {', '    retry(mail);', '    log(mail, retry);', '  }', '}'],
    {
      kind: 'class',
      path: 'src/mailer.ts',
    },
  );
  const aside = ['docs/mail.md', 'examples/mail.ts', 'test/mail.test.ts'].map((path) =>
    place('other', ['function other() {', '  retry(mail, now);', '}'], { path }),
  );
  const tests = place('tests/other', ['function other() {', '  retry(mail, now);', '}']);

  expect(told('How is the retry of a mail done?', [...aside, tests, around, inside])).toEqual(['retry(mail);']);
});

test('a piece ends with what its line opens, and without a value with what follows beside it', () => {
  const lines = ['function () {', '  if (full) {', '    drop();', '  }', '  log();', '', '  stop();', '}'];
  const body = place('one', lines);
  const long = place('two', ['{', ...Array.from({ length: 9 }, (_, at) => `  step${at}();`)]);

  expect(endOf(body, 1, false)).toBe(4);
  expect(endOf(body, 1, true)).toBe(2);
  expect(endOf(long, 1, false)).toBe(5);
});

test.each([
  ['# The retry of a mail.', true],
  ['#', true],
  [' * The retry of a mail.', true],
  ['/** The retry.', true],
  ['#retry(mail: Mail): void {', false],
  ['#[retry(once)]', false],
  ['#include "mail.h"', false],
  ['*retry = count;', false],
])('that "%s" is a comment: %s', (line, expected) => {
  expect(isComment(line)).toBe(expected);
});

const away = (at: number): CodePlace => place('away', ['function () {', '  nothing();', '}'], { path: `away${at}.ts` });
const calling = (word: string, symbol = 'x'): CodePlace => place(symbol, ['function () {', `  ${word}();`, '}']);
const long = (length: number): CodePlace => place('x', ['function () {', '  mail();'.padEnd(length, '-'), '}']);

/** What the lines of a place are worth where each word has a share of the weight; `at` places fit better. */
function worths(own: CodePlace, weights: Readonly<Record<string, number>>, more: { at?: number; how?: string } = {}) {
  const before = Array.from({ length: more.at ?? 0 }, (_, at) => away(at));
  const wish = { weights: new Map(Object.entries(weights)), wanted: wantedLinesOf(more.how ?? 'How?') };
  return findTellingLines([...before, own], wish).map(({ worth }) => worth);
}

const share = (mail: number): number[] => worths(calling('mail'), { mail, rest: 1 - mail });
const behind = (mail: number): number[] => worths(calling('mail'), { mail, rest: 1 - mail }, { at: 1 });
const named = (mail: number): number[] => worths(calling('mail', 'order'), { mail, order: 1 - mail });

test('how much of the words a line needs: less in the first place, and enough of its own', () => {
  expect([share(0.17), share(0.19)]).toEqual([[], [0.19]]);
  expect([behind(0.29), behind(0.31)]).toEqual([[], [expect.closeTo(0.31 * 0.96)]]);
  expect([named(0.13), named(0.15)]).toEqual([[], [expect.closeTo(0.15 + 0.4 * 0.85)]]);
});

test('what a line is worth: by its words, the name around it, the rank of its place and its kind', () => {
  const half = { mail: 0.5, rest: 0.5 };

  expect(worths(calling('mail', 'rest'), half)).toEqual([expect.closeTo(0.5 + 0.4 * 0.5)]);
  expect(worths(calling('mail'), half, { at: 2 })).toEqual([expect.closeTo(0.5 * 0.96 ** 2)]);
  // Ten places stand before a line that its words alone found, whatever its own rank is.
  const found = place('', ['mail();'], { path: 'src/mail.ts', kind: 'file' });
  expect(worths(found, half)).toEqual([expect.closeTo(0.5 * 0.96 ** 10)]);
  expect(worths(calling('mail'), half, { how: 'What happens when it fails?' })).toEqual([expect.closeTo(0.5 * 0.6)]);
});

test('a line that a program wrote is not told: of more than 240 characters', () => {
  expect(worths(long(240), { mail: 1 })).toHaveLength(1);
  expect(worths(long(241), { mail: 1 })).toEqual([]);
});

const text = (line: string): CodePlace => place('', [line], { path: 'docs/mail.md', kind: 'file' });

test('of documentation only what speaks of a default or a limit gives a value, not an example', () => {
  expect(
    told('How long is a mail kept by default?', [text('keep(mail, seconds=60)'), text('mail kept: default = 30')]),
  ).toEqual(['mail kept: default = 30']);
});
