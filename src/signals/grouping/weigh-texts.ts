import { isFunctionWord } from '../../text/function-words.ts';
import { proseWords } from '../../text/prose-words.ts';
import { type ComparedText, toUnitLength } from './compared-text.ts';
import { rarityOf } from '../../text/term-weights.ts';

/** A text as it was read before it is compared with others. */
export interface ReadText {
  /** The words of the person who wrote it. */
  text: string;
  /** ISO 639-1. */
  language: string;
  /** As the encoder gives it, of any length; undefined while it is pending, and without an encoder. */
  vector: Float32Array | undefined;
}

/** Measures over all texts, by which one more is weighed. */
export interface TextMeasures {
  texts: number;
  /** Number of texts that have a term. Terms of a single text bring nothing together and are left out. */
  frequency: ReadonlyMap<string, number>;
  /** The direction that texts of a language share, which is taken out of each. */
  means: ReadonlyMap<string, Float32Array>;
}

/** Weight of a pair of neighbours beside a word. */
const PAIR = 0.5;
/** Texts that the mean of many others counts for beside a language's own: the mean of a few texts is their subject. */
const PRIOR_TEXTS = 50;

/** Stems of the words that are no function words, and pairs of neighbours, with how often. */
function termsOf({ text, language }: ReadText): Map<string, number> {
  const terms = new Map<string, number>();
  const add = (term: string, count: number): void => void terms.set(term, (terms.get(term) ?? 0) + count);
  let before: string | undefined;
  for (const { written, stem } of proseWords(text)) {
    if (isFunctionWord(written, language)) continue;
    add(stem, 1);
    if (before !== undefined) add(`${before} ${stem}`, PAIR);
    before = stem;
  }
  return terms;
}

/**
 * Measures texts, about .1 ms each.
 *
 * @param general the mean over texts of many subjects by the same encoder; undefined where there is none.
 */
export function measureTexts(texts: readonly ReadText[], general?: Float32Array): TextMeasures {
  const counts = new Map<string, number>();
  for (const text of texts) for (const term of termsOf(text).keys()) counts.set(term, (counts.get(term) ?? 0) + 1);
  const frequency = new Map([...counts].filter(([, count]) => count > 1));
  const byLanguage = Map.groupBy(
    texts.filter(({ vector }) => vector !== undefined),
    ({ language }) => language,
  );
  const means = new Map(
    Array.from(byLanguage, ([language, own]) => [language, meanOf(own.flatMap(vectorOf), general)] as const),
  );
  return { texts: texts.length, frequency, means };
}

function vectorOf({ vector }: ReadText): Float32Array[] {
  return vector === undefined ? [] : [toUnitLength(vector.slice())];
}

/** The mean of the vectors, drawn towards the general one while they are few. */
function meanOf(vectors: readonly Float32Array[], general: Float32Array | undefined): Float32Array {
  const prior = general === undefined ? 0 : PRIOR_TEXTS;
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0);
  return sum.map((value, at) => (value + prior * (general?.[at] ?? 0)) / (vectors.length + prior));
}

/** A text as it is compared with those that were measured: TF-IDF of its terms, and its direction without the mean. */
export function weighText(text: ReadText, { texts, frequency, means }: TextMeasures): ComparedText {
  const terms = new Map<string, number>();
  let squares = 0;
  for (const [term, count] of termsOf(text)) {
    const having = frequency.get(term);
    if (having === undefined) continue;
    const weight = (count < 1 ? count : 1 + Math.log(count)) * rarityOf(texts, having);
    terms.set(term, weight);
    squares += weight * weight;
  }
  const length = Math.sqrt(squares) || 1;
  for (const [term, weight] of terms) terms.set(term, weight / length);
  const mean = means.get(text.language) ?? means.values().next().value;
  const [vector] = vectorOf(text);
  return { terms, vector: vector && toUnitLength(vector.map((value, at) => value - (mean?.[at] ?? 0))) };
}
