import { expect, test } from 'vitest';
import { bestSentence, bestWindow, sentencesOf } from './excerpt.ts';

const weigh = (weights: Readonly<Record<string, number>>) => new Map(Object.entries(weights));

test('the head of a definition counts as much as a term and a half', () => {
  const body = ['send() {', '  open();', '  open();', '  mail();', '}'].join('\n');
  const begin = (weight: number): number => bestWindow(body, weigh({ mail: weight }), 2).from;

  expect([begin(1.4), begin(1.6)]).toEqual([0, 2]);
});

test('a sentence says less the longer it is, as the square root of its length by 300', () => {
  const short = 'We send each mail to them.';
  const long = `We ask for the order and ${'then all of the rest '.repeat(27)}.`.slice(0, 599).concat('.');
  const isLong = (weight: number): boolean =>
    bestSentence(`${short}\n\n${long}`, weigh({ mail: 1, order: weight })) === long;

  expect([isLong(1.61), isLong(1.7)]).toEqual([false, true]);
});

test('a sentence that leads elsewhere, or to what follows it, counts half', () => {
  const said = 'The mail goes out by itself here.';
  const best = (leading: string, weight: number) =>
    bestSentence(`${leading}\n\n${said}`, weigh({ mail: 1, order: weight }));

  for (const leading of ['See the order of them in another text', 'They have an order for all of them:']) {
    expect(best(leading, 1.9)).toBe(said);
    expect(best(leading, 2.2)).toBe(leading);
  }
});

const words = (plain: number, other: number): string =>
  [...Array.from({ length: plain }, () => 'word'), ...Array.from({ length: other }, () => 'a=1')].join(' ');

test('a sentence has twenty characters, three plain words, and more than half of its tokens are such words', () => {
  expect(sentencesOf('We send mails early')).toEqual([]);
  expect(sentencesOf('We send mails sooner')).toHaveLength(1);
  expect(sentencesOf('Transmission retransmits')).toEqual([]);
  expect(sentencesOf('Transmission retransmits again')).toHaveLength(1);
  expect([words(11, 9), words(10, 9), words(10, 10)].map((text) => sentencesOf(text).length)).toEqual([1, 0, 0]);
});

test('what a stretch has a second time counts three tenths of the first', () => {
  const body = ['head', 'wait', 'wait', 'order', 'wait', 'mail', 'mail'].join('\n');
  const begin = (weight: number): number => bestWindow(body, weigh({ mail: 2, order: weight }), 2).from;

  // Twice in two lines: 2.6.
  expect([begin(2.55), begin(2.65)]).toEqual([5, 2]);
});
