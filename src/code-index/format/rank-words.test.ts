import { expect, test } from 'vitest';
import { termsOfWord } from '../../text/terms.ts';
import { Vocabulary } from './rank-words.ts';
import { lineStarts } from './line-starts.ts';
import { wordMatches } from '../../text/words.ts';

const SOURCES = [
  'const fooBar = 12 + 3a + 45b_c; // größe 世界\n\n  return $x1\u00a0+ "7"\n',
  '\n\n\nlast',
  '0 00 000_ _0 a0 é9 ½½ 9é 99é 2FA 1_000 3$x 0x1F',
  '',
];

test('the words of a file are those that the pattern finds, with their offsets and lines', () => {
  for (const text of SOURCES) {
    const vocabulary = new Vocabulary([]);
    const lines = lineStarts(text);

    const { terms, starts, firstOfLine } = vocabulary.read(text, lines);

    const byId = [...vocabulary.termIds.keys()];
    const actual = terms.map((ids, word) => [starts[word], [...ids].map((id) => byId[id])]);
    const matches = [...wordMatches(text, 'term')].map((match) => [match.index, termsOfWord(match[0])] as const);
    const expected = matches.filter(([, words]) => words.length > 0);
    expect(actual).toEqual(expected.map(([index, words]) => [index, words]));
    const offsets = expected.map(([index]) => index);
    expect([...firstOfLine]).toEqual(
      [...lines, text.length].map((_, line) =>
        line === lines.length ? offsets.length : offsets.filter((offset) => offset < (lines[line] ?? 0)).length,
      ),
    );
  }
});
