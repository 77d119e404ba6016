import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { literalsOf, readWish, searchWords, shareOf } from './wish.ts';

test('the words of a part are its own, with those of the other parts beside them; what is done weighs less', async () => {
  const { tools } = scriptedTools(() => []);
  const others = ['How do night mails work?'];
  const wish = await readWish(tools, { about: 'why were limits of mails chosen?', others, before: others });

  expect([...wish.own.keys()]).toEqual(['limit', 'mail', 'choos']);
  expect([...wish.beside.keys()]).toEqual(['night']);
  expect((wish.own.get('choos') ?? 0) / (wish.own.get('mail') ?? 1)).toBeCloseTo(0.4);
});

test('a part of one word is searched for with the words of the others', async () => {
  const { tools } = scriptedTools(() => []);
  const others = ['How do night mails work?'];
  const wordsOf = async (about: string): Promise<string> =>
    searchWords(await readWish(tools, { about, others, before: others }), others);

  expect(await wordsOf('what limits are documented?')).toBe('limits night mails');
  expect(await wordsOf('what is documented about locked desks?')).toBe('locked desks');
});

test('the share of the words counts each text by its weight, and each word by the text where it counts most', () => {
  const weights = new Map([
    ['night', 3],
    ['mail', 1],
  ]);

  expect(shareOf(weights, [['a night', 1]])).toBe(0.75);
  expect(
    shareOf(weights, [
      ['the mail of the night', 0.5],
      ['a mail', 1],
    ]),
  ).toBe(0.625);
  expect(shareOf(new Map(), [['a', 1]])).toBe(0);
});

test.each([
  ['When was HTTP/2 support introduced?', ['http/2']],
  ['What does --dry-run do to .env files?', ['--dry-run', '.env']],
  ['How is C++ parsed and/or read?', ['c++']],
  ['How do mails of the well-known shop work?', []],
])('what is written with signs in "%s"', (words, literals) => {
  expect(literalsOf(words)).toEqual(literals);
});

test('what a part takes over from the one before counts half as much as what it asks itself', async () => {
  const { tools } = scriptedTools(() => []);
  const about = 'which limits do night mails have?';
  const weightOf = async (asked: string): Promise<number> => {
    const { own } = await readWish(tools, { about, asked, before: [], others: [] });
    return (own.get('night') ?? 0) / (own.get('limit') ?? 1);
  };

  expect(await weightOf('which limits do they have?')).toBeCloseTo(0.5);
  expect(await weightOf(about)).toBeCloseTo(1);
  // What asks nothing of its own takes over all.
  expect(await weightOf('and why?')).toBeCloseTo(1);
});
