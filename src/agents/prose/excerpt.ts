import { termsOf } from '../../kernel/terms.ts';

/** How much each term of a question says: rare ones say most. */
export type TermWeights = ReadonlyMap<string, number>;

/** Weights by how many of all texts have a term. */
export function weighTerms(
  terms: readonly string[],
  searched: number,
  having: Readonly<Record<string, number>>,
): TermWeights {
  return new Map(terms.map((term) => [term, Math.log(1 + searched / ((having[term] ?? 0) + 0.5))]));
}

/** The share of a question's weight that some texts have together, 0..1. */
export function coverage(weights: TermWeights, texts: readonly string[]): number {
  const there = new Set(texts.flatMap((text) => termsOf(text)));
  let all = 0;
  let covered = 0;
  for (const [term, weight] of weights) {
    all += weight;
    if (there.has(term)) covered += weight;
  }
  return all === 0 ? 0 : covered / all;
}

/** A stretch of lines of a text, counted from 0. */
interface Window {
  from: number;
  to: number;
  text: string;
}

/** A line at the head of a definition says what it is about: it counts as much as so many ordinary terms. */
const HEAD_WEIGHT = 1.5;

/**
 * The stretch of at most `most` lines that says most about the question; the first ones when none says anything. Each term counts
 * once. Blank lines at its ends are left out.
 */
export function bestWindow(text: string, weights: TermWeights, most: number): Window {
  const lines = text.split('\n');
  const terms = lines.map((line) => new Set(termsOf(line).filter((term) => weights.has(term))));
  let best = { from: 0, worth: -1 };
  for (let from = 0; from === 0 || from + most <= lines.length; from += 1) {
    const worth = worthOf(terms.slice(from, from + most), weights) + (from === 0 ? HEAD_WEIGHT : 0);
    if (worth > best.worth && lines[from]?.trim() !== '') best = { from, worth };
  }
  let to = Math.min(lines.length, best.from + most) - 1;
  while (to > best.from && lines[to]?.trim() === '') to -= 1;
  return { from: best.from, to, text: lines.slice(best.from, to + 1).join('\n') };
}

/** The sentence of a text in prose that says most about the question; undefined when none says anything. */
export function bestSentence(text: string, weights: TermWeights): string | undefined {
  const sentences = text
    .split(/\n\s*\n|\n\s*(?=[-*•]\s|\d+\.\s)|(?<=[.!?])\s+(?=[A-Z`*"“(:])/)
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+\.)\s+/, '').trim())
    .filter((line) => line.length >= 20 && /\p{L}/u.test(line));
  let best: { text: string; worth: number } | undefined;
  for (const sentence of sentences) {
    const worth = worthOf([new Set(termsOf(sentence))], weights) / Math.sqrt(1 + sentence.length / 300);
    if (worth > (best?.worth ?? 0)) best = { text: sentence, worth };
  }
  return best?.text;
}

function worthOf(lines: readonly ReadonlySet<string>[], weights: TermWeights): number {
  const there = new Set(lines.flatMap((terms) => [...terms]));
  let worth = 0;
  for (const term of there) worth += weights.get(term) ?? 0;
  return worth;
}
