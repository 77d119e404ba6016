import { expect, test } from 'vitest';
import { phrasesOf } from '../question/phrases.ts';
import { type Candidate, type Ranked, rankParts } from './rank-parts.ts';

const folder = (path: string, more: Partial<Candidate> = {}): Candidate => ({
  path,
  kind: 'folder',
  name: '',
  says: '',
  found: 0,
  ...more,
});

function rank(words: string, ...candidates: Candidate[]): Ranked[] {
  return phrasesOf(`in the ${words}`).flatMap((phrase) => rankParts(phrase, candidates, 'shop'));
}

const scoreOf = (words: string, ...candidates: Candidate[]): number | undefined => rank(words, ...candidates)[0]?.score;

test.each([
  ['weather', folder('weather'), 1.02],
  ['weather', folder('lib/weather'), 1],
  ['weather', folder('lib/weather/wind'), 0.43],
  ['weather', folder('lib/weatherwind'), 0.7],
  ['weather', folder('lib/weather-wind'), 0.875],
  ['weather queue', folder('lib/weather'), 0.667],
  ['weather', folder('test/weather'), 0.4],
  ['weather', folder('lib/weather', { found: 0.5 }), 1.15],
  ['weather', folder('lib/weather.ts', { kind: 'file' }), 0.96],
  ['weather layer', folder('lib/weather.ts', { kind: 'file' }), 0.66],
  ['weather file', folder('lib/weather.ts', { kind: 'file' }), 1.04],
  ['weather', folder('lib/weather', { kind: 'package', name: '@shop/weather' }), 1.02],
  ['automatic tagging', folder('lib/autotag'), 0.9],
  ['configuration', folder('lib/configu'), 0.8],
] as const)('"%s" fits %j by %f', (words, candidate, score) => {
  expect(scoreOf(words, candidate)).toBeCloseTo(score, 2);
});

test('what a manifest says tells less than a name', () => {
  const said = folder('packages/x', { kind: 'package', name: 'x', says: 'Tells the weather' });

  expect(scoreOf('weather', said)).toBeCloseTo(0.5 * 0.75 + 0.06 - 0.04, 2);
});

function isNamed(words: string, candidate: Candidate): boolean | undefined {
  return rank(words, candidate)[0]?.isNamed;
}

test('only what bears the very words is named, and a file only where a file is asked for', () => {
  const file = folder('spi/JobStore.java', { kind: 'file' });

  expect(isNamed('weather', folder('lib/weather'))).toBe(true);
  expect(isNamed('database', folder('lib/db'))).toBe(false);
  expect(isNamed('weather', folder('lib/weather-wind'))).toBe(false);
  expect(isNamed('job store', file)).toBe(false);
  expect(isNamed('job store file', file)).toBe(true);
});
