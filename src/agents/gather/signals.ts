import { z } from 'zod';
import { termsOf } from '../../kernel/terms.ts';
import { nearOf, termsByWord, termsSaid, waysToSay } from './near-words.ts';
import { countHaving, type FoundSignals, searchSignals, type SignalRow } from './search-signals.ts';
import type { Tools } from './tools.ts';

const Sounding = z
  .object({ signals: z.number(), sample_ids: z.array(z.string()) })
  .default({ signals: 0, sample_ids: [] });
const Theme = z.looseObject({
  theme: z.string(),
  signals: z.number(),
  customers: z.number(),
  trend: z.looseObject({ direction: z.string(), last: z.number(), usual: z.number() }),
  sample_ids: z.array(z.string()).default([]),
  value: z.number().optional(),
  negative: Sounding,
  positive: Sounding,
});

export type { SignalRow } from './search-signals.ts';
export type ThemeRow = z.output<typeof Theme>;

const MOST_THEMES = 3;
/** A signal that fits this much less than the best one is about something else. */
const LEAST_SHARE = 0.5;
/** A signal that has no larger share of the words of a question speaks of something else: of two it has both, of more the rarest. */
const MOST_FOREIGN = 0.5;
/** Where fewer signals have the words, those with words near to them are looked for, too. */
const LEAST_HEARD = 5;
/** Where so many times as many have words near to them, these are what customers say for it. */
const TIMES_AS_USUAL = 3;
/** Where a sentence ends. */
const SENTENCE_END = /[.!?]+(?=\s|$)/;
/** Words of a thing that are counted by themselves, and other words than those of the question that are told. */
const MOST_WORDS = 6;
const MOST_OTHERS = 5;

/** How signals speak of a thing: in its words, in words near to them, or only by the rarest of them. */
type Way = 'words' | 'near' | 'rarest' | 'none';

/** A thing that signals were searched for, and what was counted. */
export interface HeardThing {
  /** As the question says it. */
  thing: string;
  way: Way;
  /** For each of its words those that signals have; of the rarest alone one. */
  words: readonly (readonly string[])[];
  /** How many signals have the rarest of several words or words near to it, where hardly any has all. */
  alone?: { words: readonly string[]; signals: number } | undefined;
}

/** What customers say about a question, and how many of them. */
export interface Voices {
  /** Those that have the words of the question close together; when there are none, those that are near to it in meaning. The best first. */
  signals: SignalRow[];
  /** Whether they have the words, or one of them. */
  isNamed: boolean;
  things: readonly HeardThing[];
  /** What the question joins to these and no signal has the words of. */
  silent: readonly string[];
  /** Whether there may be more. */
  isCut: boolean;
  /** ISO dates of the oldest and the newest. */
  since: string;
  latest: string;
  themes: ThemeRow[];
  /** How many signals were searched; 0 where that is not known. */
  searched: number;
}

/** What is asked of signals. */
interface Asked {
  query: string;
  /** Things of which a signal speaks of one at least, each of which is searched by itself. */
  alternatives?: readonly string[];
  /** A customer, segment or source whose signals alone are searched. */
  customer?: string | undefined;
  mostThemes?: number;
}

/** Signals and themes that fit a question. Two calls at once and more, up to 20 pages for each way to say a thing. */
export async function hearSignals(
  tools: Tools,
  { query, alternatives = [query], customer, mostThemes = MOST_THEMES }: Asked,
): Promise<Voices> {
  const of = customer === undefined ? {} : { customer };
  const [heard, themes] = await Promise.all([
    Promise.all(alternatives.map((thing) => hearThing(tools, thing, of))),
    tools.ask('document-search-tool', { action: 'themes', query, limit: mostThemes, ...of }, Theme),
  ]);
  // What nobody says is no reason to count less than what is asked for of the other thing.
  const full = heard.filter(({ way }) => way === 'words' || way === 'near');
  const named = full.length > 0 ? full : heard.filter(({ way }) => way === 'rarest');
  const rows = onceEach(heard.map((one) => one.rows));
  const best = rows[0]?.score ?? 0;
  const signals =
    named.length > 0 ? onceEach(named.map((one) => one.rows)) : rows.filter(({ score }) => score >= best * LEAST_SHARE);
  const days = signals.map(({ date }) => date).filter((date) => date !== '');
  const dates = days.toSorted();
  return {
    signals,
    isNamed: named.length > 0,
    things: named.length > 0 ? named : heard,
    silent: named.length > 0 ? heard.filter((one) => !named.includes(one)).map(({ thing }) => thing) : [],
    isCut: (named.length > 0 ? named : heard).some((one) => one.isCut),
    since: dates[0] ?? '',
    latest: dates.at(-1) ?? '',
    themes: themes?.rows ?? [],
    searched: Math.max(0, ...heard.map((one) => one.searched)),
  };
}

/** Signals of several lists once each, the best first. */
function onceEach(lists: readonly (readonly SignalRow[])[]): SignalRow[] {
  const [first = [], ...others] = lists;
  if (others.length === 0) return [...first];
  const ranked = lists.flat().toSorted((a, b) => b.score - a.score);
  return [...Map.groupBy(ranked, ({ id }) => id).values()].flatMap(([best]) => best ?? []);
}

type Heard = HeardThing & Pick<FoundSignals, 'rows' | 'isCut' | 'searched'>;

/**
 * Signals with the words of a thing; where hardly any has, or many more have words near to them, with these; where none has, with the
 * rarest of its words alone.
 */
async function hearThing(tools: Tools, thing: string, of: { customer?: string }): Promise<Heard> {
  const weights = await weighWords(tools, thing);
  const asked = await hear(tools, { thing, weights, isNear: false }, of);
  if (thing === '') return asked;
  const near = await hearNear(tools, { thing, weights }, of);
  const count = asked.way === 'none' ? 0 : asked.rows.length;
  const isFew = count < LEAST_HEARD;
  const isNearer = near !== undefined && near.rows.length >= (isFew ? count + 1 : TIMES_AS_USUAL * count);
  const heard = isNearer ? near : asked;
  if (!isFew || weights.size < 2) return heard;
  const rarest = await hearRarest(tools, { thing, weights }, of);
  if (rarest === undefined) return heard;
  if (heard.way === 'none') return { ...rarest, thing, way: 'rarest' };
  return { ...heard, alone: { words: rarest.words.flat(), signals: rarest.rows.length } };
}

/** Signals with words near to those of a thing, where there are such words. */
async function hearNear(
  tools: Tools,
  { thing, weights }: Pick<Wanted, 'thing' | 'weights'>,
  of: { customer?: string },
): Promise<Heard | undefined> {
  const near = new Map([...weights].map(([term, weight]) => [nearOf(term), weight]));
  // Two words that are near to each other would be one.
  if (near.size < weights.size || waysToSay(thing, true).length === waysToSay(thing).length) return undefined;
  const heard = await hear(tools, { thing, weights: near, isNear: true }, of);
  return heard.way === 'none' ? undefined : heard;
}

/** Signals with the rarest of some words that any has. */
async function hearRarest(
  tools: Tools,
  { thing, weights }: Pick<Wanted, 'thing' | 'weights'>,
  of: { customer?: string },
): Promise<Heard | undefined> {
  for (const [term] of [...weights].toSorted((a, b) => b[1] - a[1])) {
    const word = termsByWord(thing).get(term) ?? term;
    const found = await hear(tools, { thing: word, weights: new Map([[nearOf(term), 1]]), isNear: true }, of);
    if (found.way !== 'none') return found;
  }
  return undefined;
}

interface Wanted {
  thing: string;
  weights: ReadonlyMap<string, number>;
  isNear: boolean;
}

/** Signals that say a thing in one of the ways in which it may be said; when none does, all that were found. */
async function hear(tools: Tools, { thing, weights, isNear }: Wanted, of: { customer?: string }): Promise<Heard> {
  const [rarest] = [...weights].toSorted((a, b) => b[1] - a[1]).map(([term]) => term);
  const hasMost = (text: string): boolean => {
    const said = termsSaid(text, isNear);
    const had = [...weights.keys()].filter((term) => said.includes(term));
    return weights.size < 3
      ? had.length === weights.size
      : had.length > MOST_FOREIGN * weights.size && said.includes(rarest ?? '');
  };
  // Two words belong together in a sentence: elsewhere they speak of different things.
  const isAbout = (text: string): boolean =>
    weights.size === 2 ? text.split(SENTENCE_END).some(hasMost) : hasMost(text);
  const ways = waysToSay(thing, isNear);
  const lists = await Promise.all(ways.map((query) => searchSignals(tools, { query, ...of }, isAbout)));
  const named = lists.map(({ rows, said }) => rows.filter((_, at) => isAbout(said[at] ?? '')));
  const rows = onceEach(named);
  const isNamed = rows.length > 0;
  return {
    thing,
    way: isNamed ? (isNear ? 'near' : 'words') : 'none',
    words: isNamed ? [...weights.keys()].map((term) => wordsFor(term, { thing, rows, isNear })) : [],
    rows: isNamed ? rows : onceEach(lists.map((list) => list.rows)),
    isCut: lists.some((list) => list.isCut),
    searched: Math.max(0, ...lists.map((list) => list.searched)),
  };
}

/** How much each word says: one alone all, else more the fewer signals have it, and nothing what none has. One call a word. */
async function weighWords(tools: Tools, thing: string): Promise<Map<string, number>> {
  const words = [...termsByWord(thing)].slice(0, MOST_WORDS);
  if (words.length < 2) return new Map(words.map(([term]) => [term, 1]));
  const counts = await Promise.all(words.map(([, word]) => countHaving(tools, word)));
  return new Map(
    words.map(([term], at) => {
      const { having = 0, searched = 0 } = counts[at] ?? {};
      return [term, having === 0 ? 0 : Math.log(1 + (searched + 1) / having)];
    }),
  );
}

/** The words by which signals say a term: that of the question, and others that they have most often. */
function wordsFor(
  term: string,
  { thing, rows, isNear }: { thing: string; rows: readonly SignalRow[]; isNear: boolean },
): string[] {
  const parts = thing.split(/\s+/).filter((word) => termsSaid(word, isNear).includes(term));
  // A verb of two words is none of them alone.
  const own = parts.length === 0 && termsSaid(thing).length === 1 ? [thing] : parts;
  const said = rows.flatMap(({ snippet }) => snippet.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const alike = Map.groupBy(
    said.filter((word) => termsSaid(word, isNear).includes(term)),
    formOf,
  );
  // In the form in which it is said where nobody says it as it is asked: `park` for parking.
  const shown = own.map((word) => {
    const forms = alike.get(formOf(word)) ?? [];
    return forms.length === 0 || forms.some((form) => isSameWord(form, word)) ? word : mostOf(forms);
  });
  for (const word of own) alike.delete(formOf(word));
  const others = [...alike.values()].toSorted((a, b) => b.length - a.length).map(mostOf);
  return [...(own.length === 0 ? [] : [shown.join(' ')]), ...others.slice(0, MOST_OTHERS)];
}

/** What all forms of a word have in common. */
function formOf(word: string): string {
  return termsOf(word.toLowerCase()).join(' ');
}

/** Whether two words differ in their number and case at most. */
function isSameWord(said: string, asked: string): boolean {
  const word = asked.toLowerCase();
  return said === word || `${said}s` === word || said === `${word}s`;
}

/** What there is most of. */
function mostOf(words: readonly string[]): string {
  const [most] = [...Map.groupBy(words, (word) => word).values()].toSorted((a, b) => b.length - a.length);
  return most?.[0] ?? '';
}

/** What share of all signals have a word, 0..1. One call. */
export async function shareOfSignals(tools: Tools, word: string): Promise<number> {
  const { having, searched } = await countHaving(tools, word);
  return searched === 0 ? 0 : having / searched;
}

/** The day of a signal; nothing where it has none. */
export function dayOf({ date }: Pick<SignalRow, 'date'>): string {
  return date.slice(0, 10);
}
