import { givesWanted, type WantedLine } from '../question/wanted-lines.ts';
import { rootsOf, type TermWeights } from '../question/term-weights.ts';
import type { CodePlace } from './code.ts';
import { isAside, isText } from './prefer.ts';

/** Whether a line is nothing but a comment or the beginning of one. */
export function isComment(line: string): boolean {
  return COMMENT.test(line);
}

/** Lines of a body that say most about a question, by their numbers in it, counted from 0. */
export interface TellingLines {
  place: CodePlace;
  from: number;
  to: number;
  /** How much of the question's weight they have, 0..1. */
  worth: number;
}

/** How much of a word's weight a line has by the name of the symbol around it: the line is about that. */
const BY_NAME = 0.4;
/** A line that says less of the question by its own words, or with what it stands in, is about something else. */
const LEAST_OWN = 0.14;
const LEAST_WORTH = 0.3;
/** In the place that fits best less is enough. */
const LEAST_IN_FIRST = 0.18;
/** What is left of the worth for each place that fits better, and of a line that is not of the kind that is wanted. */
const BY_RANK = 0.96;
const UNWANTED = 0.6;
/** A line that was found by its words alone counts as one of a place with this rank. */
const RANK_OF_LINE = 10;
/** Lines that are told as one, the first of them with the most. */
const MOST_TOGETHER = 5;
/** Pieces that an answer tells. */
export const MOST_PIECES = 3;
/** A longer line was written by a program. */
const LONGEST_LINE = 240;

/** A comment, also within a longer one: `#keep()` and `#[test]` and `#include` are code where they are known. */
const COMMENT = /^\s*(?:#(?:[\s#]|$)|\/\/|\/?\*(?:[\s*/]|$)|--|"""|''')/;
const SAYS_NOTHING =
  /^\s*(?:[\])}>;,]*|(?:import|from|use|require|include|package|using)\b.*|(?:end|else|do|then)[;:,)]*|@\w+)\s*$/;
/** A line that only says how something is called and what it takes. */
const DEFINES =
  /^\s*(?:(?:pub(?:\([a-z]+\))?|export|default|public|private|protected|internal|static|final|abstract|override|async|open|suspend|inline|virtual|const)\s+)*(?:def|func|fun|fn|function|class|struct|trait|interface|enum|impl|module|record)\b/;
const STRING_FENCE = /"""|'''/g;
const TEST_MODULE = /^(?:.*\/)?tests?\//;
const FUNCTION = /^(?:function|method|constructor)$/;

/** What lines are weighed by: the words of a question, and the kinds of lines that it asks for. */
interface Wish {
  weights: TermWeights;
  wanted: readonly WantedLine[];
}

/**
 * The lines of some places that say most about a question, the best first, none twice: not how something is called but what it does.
 * Pure.
 */
export function findTellingLines(places: readonly CodePlace[], wish: Wish): TellingLines[] {
  const code = places.filter(
    (place) =>
      place.body !== '' &&
      (!isText(place) || (wish.wanted.includes('value') && tellsValues(place))) &&
      !isAside(place.path) &&
      !TEST_MODULE.test(place.symbol),
  );
  const seen = new Set<string>();
  const found = code
    .map((place, rank) => ({ place, rank: place.symbol === '' ? RANK_OF_LINE : rank }))
    // The smallest place around a line says what it is about; a line by itself says nothing of what is around it.
    .toSorted((a, b) => sizeOf(a.place) - sizeOf(b.place))
    .flatMap(({ place, rank }) =>
      weighLines(place, wish, rank === 0 ? LEAST_IN_FIRST : LEAST_WORTH)
        .filter(({ from }) => {
          const key = `${place.repo}\n${place.path}:${place.start + from}`;
          return seen.has(key) ? false : seen.add(key) !== undefined;
        })
        .map((line) => ({ ...line, worth: line.worth * BY_RANK ** rank })),
    );
  return withoutRepeats(found.toSorted((a, b) => b.worth - a.worth));
}

/** Whether documentation tells what is so by default, not what was so once. */
function tellsValues({ symbol, path }: CodePlace): boolean {
  return symbol === '' && !/(?:^|\/)(?:change|history|news|release|migrat|upgrad)[^/]*$/i.test(path);
}

/** Words with which documentation tells what holds unless somebody says otherwise. */
const TELLS_DEFAULT = /default|\b(?:max(?:imum)?|min(?:imum)?|limit(?:ed)?|at most|up to|unless)\b/i;

function sizeOf({ symbol, body }: CodePlace): number {
  return symbol === '' ? Infinity : body.length;
}

/** The lines of one place that say enough. */
function weighLines(place: CodePlace, { weights, wanted }: Wish, least: number): TellingLines[] {
  const all = weightOf(new Set(weights.keys()), weights);
  const named = termsIn(`${place.symbol.split('/').slice(-2).join(' ')} ${baseOf(place.path)}`, weights);
  const isOfValue = wanted.includes('value');
  return codeLines(place, isOfValue).flatMap(({ at, text }) => {
    const own = termsIn(text, weights);
    const share = weightOf(own, weights) / all;
    const worth = share + (BY_NAME * weightOf(named.difference(own), weights)) / all;
    if (share < LEAST_OWN || worth < least) return [];
    const isWanted = wanted.length === 0 || wanted.some((kind) => givesWanted(text, kind));
    // Who asks for a value is told nothing by a line without one.
    if (!isWanted && isOfValue) return [];
    // An example in the documentation gives a value too.
    if (isText(place) && !TELLS_DEFAULT.test(text)) return [];
    const to = endOf(place, at, isOfValue);
    return [{ place, from: at, to, worth: isWanted ? worth : worth * UNWANTED }];
  });
}

/** The lines of a body that are code and say something, with their numbers. */
function codeLines({ body, kind }: CodePlace, isOfValue: boolean): { at: number; text: string }[] {
  let isInText = false;
  return body.split('\n').flatMap((text, at) => {
    const wasInText = isInText;
    if ((text.match(STRING_FENCE)?.length ?? 0) % 2 === 1) isInText = !isInText;
    const isProse = wasInText || isInText || isComment(text);
    // What a parameter has by default stands in the head.
    const isHead = !isOfValue && ((at === 0 && FUNCTION.test(kind)) || DEFINES.test(text));
    return isProse || isHead || SAYS_NOTHING.test(text) || text.length > LONGEST_LINE ? [] : [{ at, text }];
  });
}

/** Where what begins with a line ends, within a few lines: what it opens, and but for a value, what follows beside it. */
export function endOf({ body }: CodePlace, from: number, isOfValue: boolean): number {
  const lines = body.split('\n');
  const depth = indentOf(lines[from] ?? '');
  let to = from;
  while (to + 1 < lines.length && to - from + 1 < MOST_TOGETHER) {
    const next = lines[to + 1] ?? '';
    const isInside = indentOf(next) > depth || (!isOfValue && indentOf(next) === depth);
    if (next.trim() === '' || !isInside) break;
    to += 1;
  }
  return to;
}

/** Without what stands within a better piece, or says the same elsewhere. */
function withoutRepeats(lines: readonly TellingLines[]): TellingLines[] {
  const kept: TellingLines[] = [];
  const said = new Set<string>();
  for (const line of lines) {
    const text = line.place.body.split('\n')[line.from]?.trim() ?? '';
    if (said.has(text) || kept.some((other) => isWithin(line, other))) continue;
    said.add(text);
    kept.push(line);
  }
  return kept;
}

function isWithin({ place, from }: TellingLines, other: TellingLines): boolean {
  const line = place.start + from;
  const { start, path } = other.place;
  return place.path === path && start + other.from <= line && line <= start + other.to;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
}

function termsIn(text: string, weights: TermWeights): Set<string> {
  return new Set(rootsOf(text).filter((term) => weights.has(term)));
}

function weightOf(terms: ReadonlySet<string>, weights: TermWeights): number {
  let sum = 0;
  for (const term of terms) sum += weights.get(term) ?? 0;
  return sum;
}
