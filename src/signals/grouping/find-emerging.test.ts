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
