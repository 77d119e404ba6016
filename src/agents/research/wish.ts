import { z } from 'zod';
import { partsOf, termsOf } from '../../kernel/terms.ts';
import type { Tools } from '../gather/tools.ts';
import { rootsOf, type TermWeights, weighTerms } from '../question/term-weights.ts';
import { hasTopic, soughtOf } from '../question/topic.ts';

/** What an answer to a part of a question is weighed by. */
export interface Wish {
  about: string;
  /** The words of the part, rare ones most. */
  own: TermWeights;
  /** Words of the parts before: of two answers alike, the one that has them is about the same subject. */
  beside: TermWeights;
  /** What is written with signs that words have not, as it is written: `HTTP/2`, `.env`, `--watch`. */
  literals: readonly string[];
}

/** The words of the other parts decide between what is alike. */
export const OF_BESIDE = 0.15;

const Counts = z.object({ searched: z.number().default(0), terms: z.record(z.string(), z.number()).default({}) });
/** What is done to a thing is put in many words: the thing itself is not. */
const DONE =
  /\b(?:is|are|was|were|been|be|has|have|had)\b[^,?]*?\b(\w{2,}ed|chosen|made|kept|built|held|found|run)\b/gi;
const OF_DONE = 0.4;
const LITERAL = /(?<![\w/])(?:[A-Za-z]+\/\d[\d.]*|--?[a-z][\w-]+|\.[a-z]\w+|[A-Za-z]\w*(?:\+\+|#))(?!\w)/g;

/** A part of a question with its own words, and the other parts. */
interface WishedPart {
  about: string;
  asked?: string;
  before: readonly string[];
  others: readonly string[];
}

/** What a part only takes over from the one before counts less than what it asks itself. */
const OF_TAKEN_OVER = 0.5;

/** The words of a part by how rare they are in the code. The name of a repository says nothing of what is in it. One call. */
export async function readWish(tools: Tools, { about, asked = about, before, others }: WishedPart): Promise<Wish> {
  const topic = soughtOf(about);
  const args = {
    action: 'semantic_search',
    query: `${topic} ${others.map(soughtOf).join(' ')}?`.slice(0, 900),
    limit: 1,
  };
  const { searched, terms: having } = Counts.parse((await tools.ask('code-tool', args, z.unknown())) ?? {});
  const named = new Set(tools.provenances.flatMap(({ repo }) => partsOf(repo)));
  const terms = [...new Set(partsOf(topic))];
  const rest = terms.filter((term) => !named.has(term));
  const chosen = rest.length === 0 ? terms : rest;
  // A part goes on with what was asked before it, not with what is asked behind it.
  const further = [...new Set(before.flatMap((other) => partsOf(soughtOf(other))))].filter(
    (term) => !chosen.includes(term) && !named.has(term),
  );
  const done = new Set([...about.matchAll(DONE)].flatMap(([, word = '']) => rootsOf(word)));
  const said = hasTopic(asked) && asked !== about ? new Set(rootsOf(soughtOf(asked))) : undefined;
  const factorOf = (term: string): number =>
    (done.has(term) ? OF_DONE : 1) * (said === undefined || said.has(term) ? 1 : OF_TAKEN_OVER);
  const weigh = (list: readonly string[]): TermWeights =>
    new Map([...weighTerms(list, searched, having)].map(([term, weight]) => [term, weight * factorOf(term)]));
  return { about, own: weigh(chosen), beside: weigh(further), literals: literalsOf(about) };
}

/** What a question writes with signs. */
export function literalsOf(words: string): string[] {
  return [...new Set((words.match(LITERAL) ?? []).map((word) => word.toLowerCase()))];
}

/** What to search for: the words of a part, with those of the others where it has one alone. */
export function searchWords({ about, own }: Wish, others: readonly string[]): string {
  const topic = soughtOf(about);
  return own.size > 1 || others.length === 0 ? topic : `${topic} ${others.map(soughtOf).join(' ')}`;
}

/** How much of the words of a part some texts have, 0..1, each text by how much it counts. */
export function shareOf(weights: TermWeights, texts: readonly (readonly [text: string, counts: number])[]): number {
  const best = new Map<string, number>();
  for (const [text, counts] of texts)
    for (const term of rootsOf(text)) best.set(term, Math.max(best.get(term) ?? 0, counts));
  let all = 0;
  let had = 0;
  for (const [term, weight] of weights) {
    all += weight;
    had += weight * (best.get(term) ?? 0);
  }
  return all === 0 ? 0 : had / all;
}

/** How many words of a part a text has. */
export function countShared(weights: TermWeights, text: string): number {
  const there = new Set(termsOf(text).length === 0 ? [] : rootsOf(text));
  return [...weights.keys()].filter((term) => there.has(term)).length;
}
