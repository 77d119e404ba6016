import { expect, test } from 'vitest';
import type { Block, PageText } from '../page/page-text.ts';
import { contentOf, learnNoise, NO_NOISE, noiseTest } from './noise.ts';

const line = (text: string, place = text): Block => ({ text, level: 0, place });
const heading = (text: string, level: number): Block => ({ text, level, place: '' });

function pageOf(...blocks: Block[]): PageText {
  return { title: '', blocks, isEmptyShell: false, isFeed: false };
}

/** So many texts without numbers, which would be the same text. */
function namesOf(count: number): string[] {
  return Array.from({ length: count }, (_, at) => 'x'.repeat(at + 1));
}

/** What is learned of texts that only the first of two fetches has. */
function learnPassing(blocks: readonly Block[], noise = NO_NOISE): typeof NO_NOISE {
  return learnNoise(noise, [pageOf(...blocks), pageOf()]);
}

test('400 texts and 100 places of noise are remembered, the oldest go first', () => {
  const texts = namesOf(401).map((text) => line(text, ''));
  const places = namesOf(101).map((place) => line('', place));
  const isNoise = noiseTest(learnPassing(texts));
  const isNoisePlace = noiseTest(learnPassing(places));

  expect(texts.filter((block) => !isNoise({ ...block, level: 1 }))).toEqual(texts.slice(0, 1));
  // An empty text is noise since then, another one at the oldest place is not.
  expect(places.filter(({ place }) => !isNoisePlace(line('new', place)))).toEqual(places.slice(0, 1));
});

test('a text that is noise once more is remembered once, as the newest', () => {
  const once = learnPassing([line('one', ''), line('two', '')]);
  const [one, two] = once.texts;

  expect(learnPassing([line('one', '')], once).texts).toEqual([two, one]);
  expect(once.texts.map((hash) => hash.length)).toEqual([12, 12]);
});

/** Fetches that have one quote each, and so many lines that stay. */
const learnsPlace = (passing: number, steady: number): boolean => {
  const stays = namesOf(steady).map((text) => line(text, 'list'));
  const fetches = ['a', 'b'].map((letter) =>
    pageOf(...stays, ...namesOf(passing).map((text) => line(letter + text, 'list'))),
  );
  return noiseTest(learnNoise(NO_NOISE, fetches))(line('never seen', 'list'));
};

test('a place is noise where three quarters of it differed, or all that it ever had', () => {
  expect(learnsPlace(1, 0)).toBe(true);
  expect(learnsPlace(3, 1)).toBe(true);
  expect(learnsPlace(2, 1)).toBe(false);
});

/** The texts of a page on which `quote` is noise. */
function contentBeside(...blocks: Block[]): string[] {
  const quote = line('quote');
  return contentOf([pageOf(...blocks)], learnPassing([quote])).map(({ text }) => text);
}

test('a heading over nothing but noise is noise, with the headings below it', () => {
  const quote = line('quote');

  expect(contentBeside(heading('Praise', 1), quote, heading('Plans', 1), line('One'))).toEqual(['Plans', 'One']);
  expect(contentBeside(line('One'), heading('Praise', 2), heading('Europe', 3), quote)).toEqual(['One']);
  expect(contentBeside(heading('Praise', 2), quote, heading('Europe', 3), line('One'))).toEqual([
    'Praise',
    'Europe',
    'One',
  ]);
  // Neither one over nothing at all, nor one that a line of noise goes before.
  expect(contentBeside(quote, heading('Praise', 2), heading('Plans', 2), line('One'))).toEqual([
    'Praise',
    'Plans',
    'One',
  ]);
});

test('a line that says what a heading over noise says is no noise, and such a line takes no heading away', () => {
  const quote = line('quote');

  expect(contentBeside(line('Praise'), heading('Praise', 1), quote)).toEqual(['Praise']);
  expect(contentBeside(heading('Plans', 1), line('One'), line('Plans'), quote)).toEqual(['Plans', 'One', 'Plans']);
});
