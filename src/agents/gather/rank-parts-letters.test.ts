import { expect, test } from 'vitest';
import { phrasesOf } from '../question/phrases.ts';
import { rankParts } from './rank-parts.ts';

/** How well a word fits the name of a folder, which is all that its score says; undefined where it does not. */
function fitOf(word: string, name: string): number | undefined {
  const folder = { path: `lib/${name}`, kind: 'folder', name: '', says: '', found: 0 } as const;
  const [ranked] = phrasesOf(`in the ${word}`).flatMap((phrase) => rankParts(phrase, [folder], 'shop'));
  return ranked === undefined ? undefined : Math.round(ranked.score * 100) / 100;
}

test.each([
  ['the beginning of a word stands for it with four letters', 'authorization', ['auth', 'aut'], [0.8, undefined]],
  ['a word of two letters begins a longer name', 'qt', ['qtcore'], [0.7]],
  ['a word ends a longer name with four letters', 'wind', ['tailwind'], [0.7]],
  ['a word of three letters ends none', 'sun', ['midsun'], [undefined]],
  ['a word of one letter begins none', 'r', ['rcore'], [undefined]],
  ['a name has nine letters around a word at most', 'wind', ['windabcdefghi', 'windabcdefghij'], [0.7, undefined]],
  ['a word is shortened to a number with eight letters', 'elephant', ['e6t'], [1]],
  ['a word of seven letters is not', 'weather', ['w5r'], [undefined]],
  ['a name is joined of three letters of each word', 'automatic tagging', ['auttag', 'autag'], [0.9, undefined]],
])('%s', (_what, word, names, fits) => {
  expect(names.map((name) => fitOf(word, name))).toEqual(fits);
});
