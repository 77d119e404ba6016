import { expect, test } from 'vitest';
import { withIndexed } from '../../testing/indexed-code.ts';
import { fileIds } from './path-features.ts';
import { bestWindow } from '../../text/best-lines.ts';
import { findBestLines } from './function-features.ts';

const WEIGHTS = new Map([
  ['mail', 2],
  ['flush', 1],
  ['retri', 3],
]);
const gap = (lines: number): string[][] => Array.from({ length: lines }, () => []);

test('the best lines are the twelve in a row with most of the distinct words', () => {
  const lines = [['mail'], ...gap(10), ['flush'], ['retri'], ...gap(20), ['mail'], ['mail']];

  // Lines 1 to 12 have mail and flush, lines 2 to 13 flush and retry.
  expect(bestWindow(lines, WEIGHTS, 12)).toEqual({ score: 4, from: 11, to: 13 });
  expect(bestWindow(lines.slice(0, 12), WEIGHTS, 12)).toEqual({ score: 3, from: 0, to: 12 });
  expect(bestWindow([['mail'], ['mail']], WEIGHTS, 12).score).toBe(2);
  expect(bestWindow([], WEIGHTS, 12).score).toBe(0);
});

test('a window begins at its first line with a word, and lists words as the code has them', () =>
  withIndexed(
    {
      'src/queue.ts': [
        'export function deliver(mails: string[]) {',
        ...Array.from({ length: 20 }, (_, at) => `  const unused${at} = ${at};`),
        '  const retryAfter = mails.length;',
        '  flush(retryAfter, retryAfter);',
        '}',
      ].join('\n'),
    },
    (db) => {
      const file = fileIds(db).get('src/queue.ts') ?? -1;
      const [best] = findBestLines(db, [{ file, line: 1, end: 24 }], WEIGHTS);

      expect(best).toEqual({ score: 6, line: 22, words: ['retryAfter', 'mails', 'flush'] });
    },
  ));
