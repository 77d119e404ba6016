import { expect, test } from 'vitest';
import { contrastOf, idfOf, lengthNorm, rarityOf, relativeRarity, termWeight } from './term-weights.ts';

test('a term that fewer documents have is rarer', () => {
  expect(rarityOf(100, 1)).toBeCloseTo(Math.log(101));
  expect(idfOf(100, 1)).toBeCloseTo(Math.log(1 + 99.5 / 1.5));
  for (const rarity of [rarityOf, idfOf, relativeRarity]) {
    expect(rarity(100, 1)).toBeGreaterThan(rarity(100, 2));
    expect(rarity(100, 99)).toBeGreaterThan(0);
  }
});

test('the rarity of a term that no document has is 1 as a share, and 0 where there are no documents', () => {
  expect([relativeRarity(7, 0), relativeRarity(7, 7), relativeRarity(0, 0)]).toEqual([1, 0, 0]);
});

test('further occurrences of a term say less and less, and less in a long document', () => {
  const norms = [1, 2, 4].map((length) => lengthNorm({ k1: 1.5, b: 0.5 }, length, 2));
  const [short = 0, mean = 0, long = 0] = norms;
  const weights = [1, 2, 3].map((frequency) => termWeight(2, frequency, 1.5));
  const [once = 0, twice = 0, thrice = 0] = weights;

  expect(norms).toEqual([1.125, 1.5, 2.25]);
  expect(once).toBe(2);
  expect(twice - once).toBeGreaterThan(thrice - twice);
  expect(thrice).toBeLessThan(2 * 2.5);
  expect(termWeight(2, 1, 1.5, short)).toBeGreaterThan(termWeight(2, 1, 1.5, mean));
  expect(termWeight(2, 1, 1.5, mean)).toBeGreaterThan(termWeight(2, 1, 1.5, long));
});

test('a group prefers a term that its texts have more often than others', () => {
  const texts = { group: 10, all: 110 };

  expect(contrastOf({ group: 5, all: 5 }, texts)).toBeCloseTo(0.5 * Math.log(0.51 / 0.01));
  expect(contrastOf({ group: 5, all: 55 }, texts)).toBe(0);
  expect(contrastOf({ group: 1, all: 101 }, texts)).toBeLessThan(0);
});
