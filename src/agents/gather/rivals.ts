import { z } from 'zod';
import { termsOf } from '../../kernel/terms.ts';
import { OWN_NAME } from './asked-customers.ts';
import { searchSignals } from './search-signals.ts';
import { shareOfSignals } from './signals.ts';
import type { Tools } from './tools.ts';

/** What signals that compare are found by. */
const COMPARING = ['switched', 'moved', 'instead', 'unlike', 'compared', 'better', 'cheaper', 'worse', 'competitors'];
/** What stands before the names of others. */
const BEFORE = [
  String.raw`(?:switch|mov|chang)\w*(?: back)?(?: over)? to`,
  String.raw`(?:go|goes|going|went|gone|back) (?:back )?to`,
  String.raw`(?:than|then)(?: (?:any|other|the|with))*`,
  String.raw`compar\w+ (?:to|with)`,
  'instead of|unlike|alternatives? (?:to|like)|competitors?(?: such as| like)?',
  '(?:use|used|using|prefer|try|download|install)',
].join('|');
const NAMED = String.raw`\p{Lu}[\p{L}\d]{2,}`;
/** `switched to Ant`, `cheaper than Ant or Bee`. The words before are in any case, the names are not. */
const COMPARED = new RegExp(
  String.raw`(?<![\p{L}\d])(?:${inAnyCase(BEFORE)}) (${NAMED}(?:(?:, | and | or |/)${NAMED})*)`,
  'gu',
);
const NAME = new RegExp(NAMED, 'gu');
/** A word within a sentence: the first of one is written as a name is. */
const WITHIN = /(?<=[\p{Ll},] )\p{L}[\p{L}\d]{2,}/gu;
/** A name that fewer signals compare with is no rival for sure. */
const LEAST_SIGNALS = 3;
/** A word that is seldom written as a name is none: customers write names small, too. */
const LEAST_CAPITAL = 0.25;
const MOST_RIVALS = 6;
/** Names that are searched to see how many compare with them. */
const MOST_SEARCHED = 10;
/** How customers speak of others without naming them. */
const OTHERS = ['competitors', 'rivals', 'alternatives'];

const Watched = z.looseObject({ competitor: z.string().catch('') });

/** What to look for where it is asked what customers say of competitors: these by name, and how people speak of others. */
export async function namesOfOthers(tools: Tools): Promise<string[]> {
  return [...(await findRivals(tools)), ...OTHERS];
}

/** Competitors by name: those that are watched, and those that several signals compare with, the most first. */
export async function findRivals(tools: Tools): Promise<string[]> {
  const [watched, compared] = await Promise.all([
    tools.ask('competitor-tool', { action: 'list' }, Watched),
    findCompared(tools),
  ]);
  const names = [...(watched?.rows ?? []).map(({ competitor }) => competitor), ...compared];
  const distinct = Map.groupBy(
    names.filter((name) => name !== ''),
    (name) => name.toLowerCase(),
  );
  return [...distinct.values()].flatMap(([name]) => name ?? []).slice(0, MOST_RIVALS);
}

/** Names that several signals compare with: those that any does are searched by themselves, for no word finds all that compare. */
async function findCompared(tools: Tools): Promise<string[]> {
  const comparing = await textsOf(tools, COMPARING);
  const candidates = rivalsIn(comparing, 1).slice(0, MOST_SEARCHED);
  const naming = await textsOf(tools, candidates);
  // What several say word for word counts once.
  const names = rivalsIn([...new Set([...comparing, ...naming])], LEAST_SIGNALS).slice(0, MOST_RIVALS + 1);
  const shares = await Promise.all(names.map((name) => shareOfSignals(tools, name)));
  return names.filter((_, at) => (shares[at] ?? 0) < OWN_NAME);
}

/** What signals say that compare and are found by one of some words, each once. */
async function textsOf(tools: Tools, queries: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(
    queries.map((query) => searchSignals(tools, { query }, (text) => comparedIn(text).length > 0)),
  );
  return [...new Map(lists.flatMap(({ rows }) => rows.map(({ id, snippet }) => [id, snippet] as const))).values()];
}

/** Names that so many of these texts compare with and that are seldom written as other words are, the most first. */
export function rivalsIn(texts: readonly string[], least: number): string[] {
  const names = texts.flatMap((text) => [...new Set(comparedIn(text))]);
  const counts = Map.groupBy(names, (name) => name.toLowerCase());
  const words = texts.flatMap((text) => text.match(WITHIN) ?? []);
  const written = Map.groupBy(words, (word) => word.toLowerCase());
  return [...counts]
    .filter(([, all]) => all.length >= least)
    .filter(([word]) => shareOfCapitals(written.get(word) ?? []) >= LEAST_CAPITAL)
    .toSorted((a, b) => b[1].length - a[1].length)
    .flatMap(([, [name]]) => name ?? []);
}

/** Names with which a text compares. What is written in capitals throughout names nothing. */
export function comparedIn(text: string): string[] {
  if (!/\p{Ll}/u.test(text)) return [];
  return [...text.matchAll(COMPARED)]
    .flatMap(([, names = '']) => names.match(NAME) ?? [])
    .filter((name) => termsOf(name).length > 0);
}

function shareOfCapitals(words: readonly string[]): number {
  return words.filter((word) => /^\p{Lu}/u.test(word)).length / Math.max(1, words.length);
}

/** A pattern whose first letters of words may be capitals. */
function inAnyCase(pattern: string): string {
  return pattern.replaceAll(/(?<![\\\p{L}])\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
