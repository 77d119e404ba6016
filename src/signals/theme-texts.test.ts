import { expect, test } from 'vitest';
import { childProcesses } from '../testing/processes.ts';
import { batchesOf, ThemeTexts } from './theme-texts.ts';

const WORDS = 'export login invoice page slow crash search filter upload button report email mobile token'.split(' ');

/** Texts that are alike without being the same. */
function texts(count: number): { id: string; text: string }[] {
  return Array.from({ length: count }, (_, at) => {
    const words = Array.from(
      { length: 30 },
      (...[, place]) =>
        `${WORDS[(at * 7 + place * place) % WORDS.length]}${String.fromCharCode(97 + ((at * place) % 26))}`,
    );
    return { id: `s${at}`, text: words.join(' ') };
  });
}

test('texts are compared beside the process that answers questions', async () => {
  const given = texts(1_000);
  const ids = given.map(({ id }) => id);

  await using themes = await ThemeTexts.open(given, new AbortController().signal);
  const folded = await themes.fold();
  const { groups } = await themes.group(ids, new Set());
  const labels = await themes.label(new Map([['all', ids]]));

  expect(groups.flatMap(({ members }) => members).length).toBeGreaterThan(500);
  expect(labels.size).toBe(1);
  expect(folded.size).toBeLessThan(1_000);
  expect(childProcesses('theme-process')).toHaveLength(1);
});

test('gathering ends when it is cancelled', async () => {
  const stop = new AbortController();
  await using themes = await ThemeTexts.open(texts(100), stop.signal);
  stop.abort(new Error('stopped'));

  await expect(themes.fold()).rejects.toThrow('stopped');
});

test('texts are sent in pieces, all of them and in order', () => {
  const long = 'x'.repeat(200_000);
  const given = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, text: long }));

  expect([...batchesOf(given)].map((batch) => batch.map(({ id }) => id).join(''))).toEqual(['abc', 'de']);
  expect([...batchesOf([])]).toEqual([]);
});
