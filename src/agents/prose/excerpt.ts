import { ABBREVIATED } from '../../kernel/abbreviations.ts';
import { rootsOf, type TermWeights } from '../question/term-weights.ts';

/** A stretch of lines of a text, counted from 0. */
interface Window {
  from: number;
  to: number;
  text: string;
}

/** A line at the head of a definition says what it is about: it counts as much as so many ordinary terms. */
const HEAD_WEIGHT = 1.5;

/** The terms of each line of texts, by the question that they are weighed for: an answer tries windows of several sizes. */
const KNOWN = new WeakMap<TermWeights, Map<string, readonly ReadonlySet<string>[]>>();

function termsByLine(text: string, weights: TermWeights): readonly ReadonlySet<string>[] {
  const known = KNOWN.get(weights) ?? new Map<string, readonly ReadonlySet<string>[]>();
  KNOWN.set(weights, known);
  const terms =
    known.get(text) ?? text.split('\n').map((line) => new Set(rootsOf(line).filter((term) => weights.has(term))));
  known.set(text, terms);
  return terms;
}

/** What a term counts the second time that a stretch has it, and so on: where much is said of it, it is done. */
const AGAIN = 0.3;

/**
 * The stretch of at most `most` lines that says most about the question; the first ones when none says anything. A term counts less
 * each time. Blank lines at its ends are left out.
 */
export function bestWindow(text: string, weights: TermWeights, most: number): Window {
  const lines = text.split('\n');
  const terms = termsByLine(text, weights);
  const counts = new Map<string, number>();
  let worth = 0;
  const count = (at: number, by: 1 | -1): void => {
    for (const term of terms[at] ?? []) {
      const before = counts.get(term) ?? 0;
      counts.set(term, before + by);
      worth += by * (weights.get(term) ?? 0) * AGAIN ** Math.min(before, before + by);
    }
  };
  for (let at = 0; at < most; at += 1) count(at, 1);
  let best = { from: 0, worth: worth + HEAD_WEIGHT };
  for (let from = 1; from + most <= lines.length; from += 1) {
    count(from - 1, -1);
    count(from + most - 1, 1);
    // Sums of fractions differ in their last digits.
    if (worth > best.worth + 1e-9 && lines[from]?.trim() !== '') best = { from, worth };
  }
  let to = Math.min(lines.length, best.from + most) - 1;
  while (to > best.from && lines[to]?.trim() === '') to -= 1;
  return { from: best.from, to, text: lines.slice(best.from, to + 1).join('\n') };
}

/**
 * The sentence of a text in prose that says most about the question; undefined when none says anything. Code, tables and parameters in
 * the text are no sentences. One that only leads to what follows it, or elsewhere, counts half.
 */
export function bestSentence(text: string, weights: TermWeights): string | undefined {
  let best: { text: string; worth: number } | undefined;
  for (const sentence of sentencesOf(text)) {
    const said =
      worthOf([new Set(rootsOf(withoutAddresses(sentence)))], weights) / Math.sqrt(1 + sentence.length / 300);
    const worth = /^See\b|:$/.test(sentence) ? said / 2 : said;
    if (worth > (best?.worth ?? 0)) best = { text: sentence, worth };
  }
  return best?.text;
}

/** The sentences of a text in prose, in their order. */
export function sentencesOf(text: string): string[] {
  return text
    .replaceAll(FENCED, '\n\n')
    .replaceAll(COMMENT, '\n\n')
    .split(SENTENCE_BREAK)
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+\.)\s+(?:\[[ xX]\]\s+)?/, '').trim())
    .filter(isSentence);
}

/** An empty line, an entry of a list, and what ends a sentence before another one. */
const SENTENCE_BREAK = new RegExp(
  String.raw`\n\s*\n|<br\s*/?>|\n\s*(?=[-*•]\s|\d+\.\s|\.\. |:\w)|(?<=[.!?])(?<!${ABBREVIATED}\.)\s+(?=[A-Z\x60*"“(:])`,
);
/** Blocks of code in Markdown; the last one may be cut off. */
const FENCED = /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[ \t]*$|(?![\s\S]))/gm;
/** What forms tell those who fill them in; the last one may be cut off. */
const COMMENT = /<!--[\s\S]*?(?:-->|(?![\s\S]))/g;
const SHORTEST_SENTENCE = 20;
/** A word of prose, with the marks around it. */
const PLAIN_WORD = /^[("'“‘*_`[]*\p{L}[\p{L}'’-]*[)\]"'”’*_`.,;:!?…]*$/u;
/** What has fewer plain words among its tokens is code, a table or a list of links. */
const LEAST_PLAIN = 0.55;

/** Directives, parameters, tables, prompts, comments, imports, and lines that are one link or define some. */
const NO_SENTENCE =
  /^(?:\.\. |:\w|\||>>>|\$ |[#@]|from \S+ import\b|import \S+(?:\s|$)|\[[^\]]+\]: |\[[^\]]*\]\([^)]*\)\.?$)/;

/** What stands at the head of a document about itself. */
const FIELD = /^\W{0,3}(?:status|target|owners?|authors?|date|priority|version|labels|tags|created|updated)\W{0,3}:/i;
/** A field of a form: `Installed from (source or binary): pip`. */
const FORM_FIELD = /^[^:.!?]{3,60}\([^)]*\)[^:.!?]{0,20}:|^[^:.!?]{3,100}\?:/;

function isSentence(line: string): boolean {
  if (line.length < SHORTEST_SENTENCE || NO_SENTENCE.test(line) || FIELD.test(line) || FORM_FIELD.test(line))
    return false;
  const tokens = line.replaceAll(/`[^`\n]*`|\]\([^)\s]*\)/g, 'it').split(/\s+/);
  const plain = tokens.filter((token) => PLAIN_WORD.test(token)).length;
  return plain >= 3 && plain / tokens.length >= LEAST_PLAIN;
}

/** The words of an address are nobody's. */
function withoutAddresses(text: string): string {
  return text.replaceAll(/\]\([^)\s]*\)|\bhttps?:\/\/\S+/g, ' ');
}

function worthOf(lines: readonly ReadonlySet<string>[], weights: TermWeights): number {
  const there = new Set(lines.flatMap((terms) => [...terms]));
  let worth = 0;
  for (const term of there) worth += weights.get(term) ?? 0;
  return worth;
}
