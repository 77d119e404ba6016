import { expect, test } from 'vitest';
import { readReport } from './read-report.ts';
import { countWords, weighByRarity } from './report-words.ts';

test('words of the title count twice, and repeats less and less', () => {
  const words = countWords(readReport(`Parcel lost\n\nThe quartz queue is empty. ${'quartz '.repeat(40)}`));

  expect(words.get('parcel')).toBeCloseTo((2 * 9) / 10);
  expect(words.get('empti')).toBeCloseTo(1);
  expect(words.get('quartz')).toBeGreaterThan(7);
  expect(words.get('quartz')).toBeLessThan(9);
});

test('a word that most messages of commits have counts less, and one that none has counts whole', () => {
  const words = new Map([
    ['parcel', 2],
    ['fix', 1],
    ['quartz', 1],
  ]);
  const rarity = new Map([
    ['parcel', 0.5],
    ['fix', 0],
  ]);

  expect(weighByRarity(words, rarity)).toEqual([
    ['parcel', 1],
    ['fix', 0],
    ['quartz', 1],
  ]);
});
