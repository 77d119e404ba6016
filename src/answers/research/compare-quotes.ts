import { termsOf } from '../../text/terms.ts';
import type { Corpus } from './collect.ts';
import { rarityOf } from '../../text/term-weights.ts';
import { withoutFinalS } from '../../text/stem.ts';

/** A line of a source, and who says it. */
export interface Quote {
  text: string;
  corpus: Corpus;
  /** Key that quotes of one source share: they support and contradict each other in nothing. */
  voice: string;
}

/** Two quotes about the same thing that give other numbers of it. */
interface Difference {
  a: number;
  b: number;
  why: string;
}

/** Quotes that share this much of their weight are about the same thing. */
const LEAST_LIKENESS = 0.35;
/** So many terms they share at least. */
const LEAST_SHARED = 2;
/** Corpora that are true of a moment: files call each other and commits follow each other. */
const OF_A_MOMENT: ReadonlySet<Corpus> = new Set(['code', 'commits']);
const NUMBER = /(?<![\w.#:-])(\d+(?:\.\d+)?)\s*(%|[a-z]{2,})/gi;

/** For each quote the positions of those of other voices that are about the same thing, one a voice. */
export function findSupport(quotes: readonly Quote[]): number[][] {
  const isSimilar = likeness(quotes);
  return quotes.map((quote, at) => {
    const voices = new Map<string, number>();
    for (const [index, other] of quotes.entries())
      if (isIndependent(quote, other) && !voices.has(other.voice) && isSimilar(at, index))
        voices.set(other.voice, index);
    return [...voices.values()];
  });
}

/** Pairs of quotes of two voices about the same thing with another number of it: `5 against 9 day`. */
export function findDifferences(quotes: readonly Quote[]): Difference[] {
  const isSimilar = likeness(quotes);
  const numbers = quotes.map(({ text }) => numbersOf(text));
  const lasting = [...quotes.entries()].filter(([, { corpus }]) => !OF_A_MOMENT.has(corpus));
  return lasting.flatMap(([a, first], at) =>
    lasting.slice(at + 1).flatMap(([b, second]) => {
      if (first.voice === second.voice || !isSimilar(a, b)) return [];
      const why = compareNumbers(numbers[a] ?? new Map(), numbers[b] ?? new Map());
      return why === undefined ? [] : [{ a, b, why }];
    }),
  );
}

function isIndependent(a: Quote, b: Quote): boolean {
  return a.voice !== b.voice && (a.corpus !== b.corpus || !OF_A_MOMENT.has(a.corpus));
}

/** The numbers of a text by what they count in the singular, and how the text writes that. */
type Numbers = ReadonlyMap<string, { unit: string; values: ReadonlySet<string> }>;

function compareNumbers(ours: Numbers, theirs: Numbers): string | undefined {
  for (const [counted, { values }] of ours) {
    const others = theirs.get(counted);
    if (others === undefined || values.intersection(others.values).size > 0) continue;
    return `${[...values].join(', ')} against ${[...others.values].join(', ')} ${others.unit}`;
  }
  return undefined;
}

function numbersOf(text: string): Numbers {
  const matches = [...text.matchAll(NUMBER)].map(([, value = '', unit = '']) => ({ value, unit: unit.toLowerCase() }));
  const byUnit = Map.groupBy(matches, ({ unit }) => withoutFinalS(unit));
  return new Map(
    Array.from(byUnit, ([counted, own]) => [
      counted,
      { unit: own[0]?.unit ?? counted, values: new Set(own.map(({ value }) => value)) },
    ]),
  );
}

/**
 * Returns a function that is true if two quotes, by their positions, are about the same thing: terms that few quotes have weigh
 * most.
 */
function likeness(quotes: readonly Quote[]): (a: number, b: number) => boolean {
  const terms = quotes.map(({ text }) => new Set(termsOf(text)));
  const having = new Map<string, number>();
  for (const own of terms) for (const term of own) having.set(term, (having.get(term) ?? 0) + 1);
  const weigh = (list: Iterable<string>): number => {
    let sum = 0;
    for (const term of list) sum += rarityOf(quotes.length, having.get(term) ?? 1);
    return sum;
  };
  const weights = terms.map(weigh);
  return (a, b) => {
    const shared = (terms[a] ?? new Set()).intersection(terms[b] ?? new Set());
    const least = Math.min(weights[a] ?? 0, weights[b] ?? 0);
    return shared.size >= LEAST_SHARED && weigh(shared) / least >= LEAST_LIKENESS;
  };
}
