import { expect, test } from 'vitest';
import { findEmerging, type VoicedText } from './find-emerging.ts';
import { measureTexts, weighText } from './weigh-texts.ts';

const SHARE = 14 / 351;
const PLACES = 'office train garden kitchen market harbour forest station school museum bridge castle'.split(' ');

interface Message {
  text: string;
  voice?: string;
  copyOf?: string;
}

/** Recent and earlier messages as they are compared, each by a voice of its own. */
function compare(recent: readonly Message[], before: readonly Message[]): [VoicedText[], VoicedText[]] {
  const all = [...recent, ...before].map(({ text }) => ({ text, language: 'en', vector: undefined }));
  const measures = measureTexts(all);
  const voiced = [...recent, ...before].map(({ text, voice, copyOf }, at) => ({
    ...weighText({ text, language: 'en', vector: undefined }, measures),
    voice: voice ?? `message ${at}`,
    copyOf: copyOf ?? `message ${at}`,
  }));
  return [voiced.slice(0, recent.length), voiced.slice(recent.length)];
}

/** Messages that have little in common. */
const others = (count: number, from = 0): Message[] =>
  Array.from({ length: count }, (_, at) => ({
    text: `${PLACES[(at + from) % 12]} visit ${PLACES[(at * 5 + 3) % 12]} ${at % 7}x`,
  }));
const drains = (count: number): Message[] =>
  PLACES.slice(0, count).map((place) => ({ text: `battery drains in the ${place}` }));

function emergingIn(
  recent: readonly Message[],
  before: readonly Message[],
): [kind: string, voices: number, before: number][] {
  const emerging = findEmerging(...compare(recent, before), SHARE);
  return emerging.map(({ kind, voices, before: earlier }) => [kind, voices, earlier]);
}

test('a subject that many speak of lately and nobody before is new, whatever the number of messages before', () => {
  for (const size of [200, 1_000]) {
    const emerging = findEmerging(...compare([...drains(12), ...others(8)], others(size)), SHARE);

    expect(emerging.map(({ kind, members, voices }) => [kind, members.toSorted((a, b) => a - b), voices])).toEqual([
      ['new', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 12],
    ]);
    expect(emerging[0]?.chance).toBeLessThan(1e-6);
  }
});

test('what was as frequent before is not new, and few messages are no subject', () => {
  const past = Array.from({ length: 25 }, () => drains(12)).flat();

  expect(emergingIn([...drains(12), ...others(8)], [...past, ...others(200)])).toEqual([]);
  expect(emergingIn([...drains(3), ...others(8)], others(200))).toEqual([]);
  expect(emergingIn(others(12), others(300))).toEqual([]);
});

test('copies and what one customer repeats count once', () => {
  const copies = Array.from({ length: 8 }, () => ({
    text: 'battery drains in the office',
    copyOf: 'the first',
  }));
  const repeated = drains(8).map((message) => ({ ...message, voice: 'one customer' }));

  expect(emergingIn([...copies, ...others(8)], others(200))).toEqual([]);
  expect(emergingIn([...repeated, ...others(8)], others(200))).toEqual([]);
  const [texts, past] = compare([...drains(8), ...others(8)], others(200));
  const [{ terms } = { terms: new Map<string, number>() }] = texts;
  const similar = texts.map((text, at) => (at < 8 ? { ...text, terms, vector: Float32Array.of(1, 0) } : text));
  expect(findEmerging(texts, past, SHARE)).toHaveLength(1);
  expect(findEmerging(similar, past, SHARE)).toEqual([]);
});

test('two subjects are told apart, and a known one that is spoken of more than usual rises', () => {
  const streaks = PLACES.map((place) => ({ text: `my streak was lost at the ${place}` }));
  const past = [...drains(12), ...drains(12), ...others(300)];

  expect(emergingIn([...drains(12), ...streaks, ...others(8)], past).map(([kind]) => kind)).toEqual(['new', 'rising']);
});

test('fewer than four recent messages are not looked at', () => {
  expect(findEmerging(...compare(drains(3), others(5)), SHARE)).toEqual([]);
});

/** So many texts by voices of their own, each as similar to each other as this, by words alone or by meaning too. */
function similarTexts(count: number, similarity: number, { from = 0, isMeant = false } = {}): VoicedText[] {
  const [shared, own] = [Math.sqrt(similarity), Math.sqrt(1 - similarity)];
  return Array.from({ length: count }, (_, at) => {
    const vector = new Float32Array(80);
    vector.set([shared]);
    vector.set([own], 1 + from + at);
    const name = `text ${from + at}`;
    const terms = new Map([
      ['shared', shared],
      [name, own],
    ]);
    return { terms, vector: isMeant ? vector : undefined, voice: name, copyOf: name };
  });
}

const kindsOf = (recent: VoicedText[], before: VoicedText[] = [], share = SHARE): string[] =>
  findEmerging(recent, before, share).map(({ kind }) => kind);

test('four voices that nobody had before rise, seven are new', () => {
  expect([3, 4, 6, 7].map((voices) => kindsOf(similarTexts(voices, 0.5)))).toEqual([
    [],
    ['rising'],
    ['rising'],
    ['new'],
  ]);
});

test('what half as many said in all the time before is new when that is no accident, and rises when more did', () => {
  const before = (count: number): VoicedText[] => similarTexts(count, 0.5, { from: 20 });

  expect([3, 4].map((count) => kindsOf(similarTexts(7, 0.5), before(count), 0.15))).toEqual([['new'], ['rising']]);
  expect(kindsOf(similarTexts(7, 0.5), before(20), 0.15)).toEqual([]);
});

test('a new subject needs less in common than one that rises, and more where the meaning is known', () => {
  expect([0.1, 0.07].map((similarity) => kindsOf(similarTexts(12, similarity)))).toEqual([['new'], []]);
  expect([0.13, 0.11].map((similarity) => kindsOf(similarTexts(12, similarity, { isMeant: true })))).toEqual([
    ['new'],
    [],
  ]);
  for (const isMeant of [true, false])
    expect([0.25, 0.15].map((similarity) => kindsOf(similarTexts(5, similarity, { isMeant })))).toEqual([
      ['rising'],
      [],
    ]);
});

test('texts with nearly the same meaning are copies from a similarity of 0.95 on', () => {
  const similarities = [0.94, 0.96];

  expect(similarities.map((similarity) => kindsOf(similarTexts(4, similarity, { isMeant: true })))).toEqual([
    ['rising'],
    [],
  ]);
  expect(similarities.map((similarity) => kindsOf(similarTexts(4, similarity)))).toEqual([['rising'], ['rising']]);
});

test('a subject has sixty texts at most', () => {
  const sizes = [60, 61].map((count) =>
    findEmerging(similarTexts(count, 0.5), [], SHARE).map(({ members }) => members.length),
  );

  expect(sizes).toEqual([[60], [60]]);
});
