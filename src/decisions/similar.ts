import { roundTo } from '../kernel/shown-values.ts';
import { compareTexts } from '../kernel/text-order.ts';
import { contradictionOf } from './contradiction.ts';
import { plainText, decisionWords } from './decision-words.ts';
import type { DecisionOption, DecisionRow } from './store.ts';
import { rarityOf } from '../text/term-weights.ts';

/** Most similar decisions that are shown. */
const MOST_SIMILAR = 3;
/** Below this two decisions have little but common words in common. */
const SIMILAR = 0.2;
/** Words of the title say more than the others. */
const TITLE_WEIGHT = 3;
const MOST_SHARED = 6;

export interface DecisionText {
  title: string;
  decision: string;
  context: string;
  tags: readonly string[];
  options: readonly DecisionOption[];
}

/** A decision about the same thing. */
export interface SimilarDecision {
  row: DecisionRow;
  /** 0..1; 1 is the same words, or the same said in others. */
  score: number;
  /** The words that tell most, at most 6. */
  shared: string[];
  /** Why one may replace the other; undefined when nothing says so. */
  contradiction: string | undefined;
}

/**
 * The decisions most like this one, the best first, at most 3: by their words, rare ones weighing more, or by what they mean
 * (`meanings`, 0..1 by number).
 */
export function similarDecisions(
  decision: DecisionText,
  others: readonly DecisionRow[],
  meanings: ReadonlyMap<number, number> = new Map(),
): SimilarDecision[] {
  const bags = others.map(bagOf);
  const documents = new Map<string, number>();
  for (const bag of bags) for (const word of bag.keys()) documents.set(word, (documents.get(word) ?? 0) + 1);
  const rarity = (word: string): number => rarityOf(others.length + 1, 1 + (documents.get(word) ?? 0));
  const mine = bagOf(decision);
  return others
    .map((row, index) => {
      const { score, shared } = compare(mine, bags[index] ?? new Map(), rarity);
      return { row, score: Math.max(score, meanings.get(row.number) ?? 0), shared };
    })
    .filter(({ score }) => score >= SIMILAR)
    .toSorted((a, b) => b.score - a.score || b.row.number - a.row.number)
    .slice(0, MOST_SIMILAR)
    .map(({ row, score, shared }) => ({
      row,
      score,
      shared: shared.map((word) => spellStem(word, decision, row)),
      contradiction: contradictionOf(decision, row),
    }));
}

/** A word as the decisions write it, in its shortest form. */
function spellStem(stem: string, ...decisions: readonly DecisionText[]): string {
  const texts = decisions.map(({ title, decision, context, tags }) => [title, decision, context, ...tags].join(' '));
  const forms = texts.flatMap(decisionWords).filter((word) => word.stem === stem);
  return forms.toSorted((a, b) => a.written.length - b.written.length)[0]?.written.toLowerCase() ?? stem;
}

/** True if two decisions have the same text: case, spaces, punctuation and marks do not count. */
export function saysTheSame(
  left: Pick<DecisionText, 'title' | 'decision'>,
  right: Pick<DecisionText, 'title' | 'decision'>,
): boolean {
  return plainText(left.title) === plainText(right.title) && plainText(left.decision) === plainText(right.decision);
}

function bagOf({ title, decision, context, tags }: DecisionText): Map<string, number> {
  const bag = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const { stem } of decisionWords(text)) bag.set(stem, (bag.get(stem) ?? 0) + weight);
  };
  add(title, TITLE_WEIGHT);
  add(tags.join(' '), TITLE_WEIGHT);
  add(decision, 1);
  add(context, 0.5);
  return bag;
}

/** Cosine of the two bags, counts damped, rare words weighing more. */
function compare(
  left: ReadonlyMap<string, number>,
  right: ReadonlyMap<string, number>,
  rarity: (word: string) => number,
): { score: number; shared: string[] } {
  const weight = (bag: ReadonlyMap<string, number>, word: string): number =>
    (1 + Math.log(Math.max(1, bag.get(word) ?? 0))) * rarity(word);
  const length = (bag: ReadonlyMap<string, number>): number =>
    Math.sqrt([...bag.keys()].reduce((sum, word) => sum + weight(bag, word) ** 2, 0));
  const common = [...left.keys()].filter((word) => right.has(word));
  const product = common.reduce((sum, word) => sum + weight(left, word) * weight(right, word), 0);
  const both = length(left) * length(right);
  const shared = common.toSorted((a, b) => rarity(b) - rarity(a) || compareTexts(a, b)).slice(0, MOST_SHARED);
  return { score: both === 0 ? 0 : roundTo(2, product / both), shared };
}
