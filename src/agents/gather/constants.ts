import { identifierParts, stem } from '../../kernel/terms.ts';
import { rootsOf, type TermWeights } from '../question/term-weights.ts';
import { givesWanted } from '../question/wanted-lines.ts';
import { rootOf } from '../question/word-forms.ts';
import { type CodePlace, findNamed } from './code.ts';
import { endOf, isComment, type TellingLines } from './lines.ts';
import { isText } from './prefer.ts';
import type { Tools } from './tools.ts';

/** Names that stand for a value: `RETRY_COUNT`, `_EVENT_WIDTH`, `kBlockSize`, `defaultTimeout`, `max_queue_size`. */
const CONSTANT =
  /(?<![\w$])(_?[A-Z][A-Z\d]*(?:_[A-Z\d]+)+|_?[A-Z]{4,}|k[A-Z]\w+|(?:default|max|min)(?:[A-Z]|_[a-z])\w+)(?![\w$(])/g;
/** What the name of the place around a line counts, and what is left of the worth for each place that fits better. */
const BY_NAME = 0.4;
const BY_RANK = 0.96;
/** A line with less of the weight of a question uses a constant for something else. */
const LEAST_WORTH = 0.2;
/** Constants that are looked up. */
const MOST_READ = 4;
/** A longer one holds more than a value. */
const LONGEST = 6;

/**
 * The constants that some places use on the lines that say most about a question, with the values that they have: who asks for a
 * value is not told it by the name that it goes by. One call for each of a few.
 */
export async function findConstants(
  tools: Tools,
  places: readonly CodePlace[],
  weights: TermWeights,
): Promise<TellingLines[]> {
  const read = await Promise.all(
    constantsIn(places, weights).map(async ({ name, worth, from }): Promise<TellingLines[]> => {
      const found = await findNamed(tools, name);
      const place = found.find(({ path }) => path === from.path) ?? (found.length === 1 ? found[0] : undefined);
      if (place === undefined || !givesValue(place)) return [];
      return [{ place, from: 0, to: endOf(place, 0, true), worth }];
    }),
  );
  return read.flat();
}

function givesValue({ body }: CodePlace): boolean {
  const lines = body.split('\n');
  return lines.length <= LONGEST && givesWanted(lines[0] ?? '', 'value');
}

/** The constants on lines that say enough about a question, the best first. */
function constantsIn(
  places: readonly CodePlace[],
  weights: TermWeights,
): { name: string; worth: number; from: CodePlace }[] {
  const best = new Map<string, { name: string; worth: number; from: CodePlace }>();
  for (const [rank, place] of places.filter((one) => !isText(one)).entries()) {
    const around = new Set(termsOfName(place.symbol.split('/').slice(-2).join(' ')));
    for (const line of place.body.split('\n').filter((one) => !isComment(one)))
      for (const [, name = ''] of line.matchAll(CONSTANT)) {
        const own = new Set([...rootsOf(line), ...termsOfName(name)]);
        const worth = (shareOf(own, weights) + BY_NAME * shareOf(around.difference(own), weights)) * BY_RANK ** rank;
        if (worth >= LEAST_WORTH && worth > (best.get(name)?.worth ?? 0)) best.set(name, { name, worth, from: place });
      }
  }
  return [...best.values()].toSorted((a, b) => b.worth - a.worth).slice(0, MOST_READ);
}

function termsOfName(name: string): string[] {
  return identifierParts(name).map((part) => rootOf(stem(part)));
}

function shareOf(terms: ReadonlySet<string>, weights: TermWeights): number {
  let [all, own] = [0, 0];
  for (const [term, weight] of weights) {
    all += weight;
    if (terms.has(term)) own += weight;
  }
  return own / (all || 1);
}

/** Lines with the constants where they belong by their worth, none twice. */
export function withConstants(lines: readonly TellingLines[], constants: readonly TellingLines[]): TellingLines[] {
  const known = new Set(constants.map(lineOf));
  return [...constants, ...lines.filter((line) => !known.has(lineOf(line)))].toSorted((a, b) => b.worth - a.worth);
}

function lineOf({ place, from }: TellingLines): string {
  return `${place.repo}\n${place.path}:${place.start + from}`;
}
