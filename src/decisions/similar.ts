import type { DecisionOption, DecisionRow } from './store.ts';

/** Most similar decisions that are shown. */
const MOST_SIMILAR = 3;
/** Below this two decisions have little but common words in common. */
const SIMILAR = 0.2;
/** Words of the title say more than the others. */
const TITLE_WEIGHT = 3;
const MOST_SHARED = 6;

const STOP_WORDS = new Set(
  'a an and are as at be because been by can do does each every for from had has have how if in into is it its may more most must no not of on one only or other our over own per shall should so some such than that the their them then there these they this to under up use used using was we were what when where which who why will with would you your'.split(
    ' ',
  ),
);
/** What turns away from the word that follows. */
const TURNS_AWAY =
  /\b(?:not|never|no longer|stop(?:s|ped)?(?: using)?|drop(?:s|ped)?|remove[sd]?|avoid(?:s|ed)?|instead of|rather than|replace[sd]?|abandon(?:s|ed)?|move[sd]? (?:away|off) from|without)\s+(?=((?:[\w+#-]+\s+){0,2}[\w+#-]+))/gi;

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
  /** 0..1; 1 is the same words. */
  score: number;
  /** The words that tell most, at most 6. */
  shared: string[];
  /** Why both cannot hold; undefined when nothing says so. */
  contradiction: string | undefined;
}

/** The decisions most like this one, the best first, at most 3: by their words, rare ones weighing more. */
export function similarDecisions(wanted: DecisionText, known: readonly DecisionRow[]): SimilarDecision[] {
  const bags = known.map(bagOf);
  const documents = new Map<string, number>();
  for (const bag of bags) for (const word of bag.keys()) documents.set(word, (documents.get(word) ?? 0) + 1);
  const rarity = (word: string): number => Math.log(1 + (known.length + 1) / (1 + (documents.get(word) ?? 0)));
  const mine = bagOf(wanted);
  const scored = known.map((row, index) => ({ row, ...compare(mine, bags[index] ?? new Map(), rarity) }));
  return scored
    .filter(({ score }) => score >= SIMILAR)
    .toSorted((a, b) => b.score - a.score || b.row.number - a.row.number)
    .slice(0, MOST_SIMILAR)
    .map(({ row, score, shared }) => ({
      row,
      score,
      shared: shared.map((word) => spelled(word, wanted, row)),
      contradiction: contradictionOf(wanted, row),
    }));
}

/**
 * Why two decisions cannot both hold, as far as their words tell: one chooses what the other considered and left, or turns
 * away from what the other chooses. Only decisions in force can be contradicted.
 */
export function contradictionOf(
  wanted: DecisionText,
  known: DecisionText & Pick<DecisionRow, 'status'>,
): string | undefined {
  if (known.status !== 'accepted' && known.status !== 'proposed') return undefined;
  const left = leftOption(known, wanted) ?? leftOption(wanted, known);
  if (left !== undefined) return `one chooses "${left}", which the other considered and did not choose`;
  const turned = turnedFrom(wanted, known) ?? turnedFrom(known, wanted);
  return turned === undefined
    ? undefined
    : `one moves away from "${spelled(turned, wanted, known)}", which the other chooses`;
}

function bagOf({ title, decision, context, tags }: DecisionText): Map<string, number> {
  const bag = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) bag.set(word, (bag.get(word) ?? 0) + weight);
  };
  add(title, TITLE_WEIGHT);
  add(tags.join(' '), TITLE_WEIGHT);
  add(decision, 1);
  add(context, 0.5);
  return bag;
}

function wordsOf(text: string): string[] {
  return writtenWords(text).map(stemOf);
}

function writtenWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_+#-]*/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word));
}

function stemOf(word: string): string {
  return word.replace(/(?<=\p{L}{3})(?:ies|es|s)$/u, '');
}

/** A stem as the decisions write it, its shortest form. */
function spelled(stem: string, ...decisions: readonly DecisionText[]): string {
  const texts = decisions.map(({ title, decision, context, tags }) => [title, decision, context, ...tags].join(' '));
  const forms = texts.flatMap(writtenWords).filter((word) => stemOf(word) === stem);
  return forms.toSorted((a, b) => a.length - b.length)[0] ?? stem;
}

/** Cosine of the two bags, counts damped, rare words weighing more. */
function compare(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
  rarity: (word: string) => number,
): { score: number; shared: string[] } {
  const weight = (bag: ReadonlyMap<string, number>, word: string): number =>
    (1 + Math.log(Math.max(1, bag.get(word) ?? 0))) * rarity(word);
  const length = (bag: ReadonlyMap<string, number>): number =>
    Math.sqrt([...bag.keys()].reduce((sum, word) => sum + weight(bag, word) ** 2, 0));
  const common = [...one.keys()].filter((word) => other.has(word));
  const product = common.reduce((sum, word) => sum + weight(one, word) * weight(other, word), 0);
  const both = length(one) * length(other);
  const shared = common.toSorted((a, b) => rarity(b) - rarity(a) || (a < b ? -1 : 1)).slice(0, MOST_SHARED);
  return { score: both === 0 ? 0 : Math.round((product / both) * 100) / 100, shared };
}

/** An option that `one` considered and left, and that `other` chooses. */
function leftOption(one: DecisionText, other: DecisionText): string | undefined {
  const chosen = chosenOption(one);
  const theirs = plain(`${other.title}. ${firstSentence(other.decision)}`);
  return one.options.find(
    ({ name }) =>
      name !== chosen && plain(name).length > 2 && mentions(theirs, name) && !mentions(theirs, chosen ?? '\0'),
  )?.name;
}

/** The considered option that the text of the decision names first. */
function chosenOption({ title, decision, options }: DecisionText): string | undefined {
  const text = plain(`${title}. ${decision}`);
  return options
    .map(({ name }) => ({ name, at: text.indexOf(plain(name)) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)[0]?.name;
}

/** Words that `one` turns away from and that the title of `other` stands on. */
function turnedFrom(one: DecisionText, other: DecisionText): string | undefined {
  const title = new Set(wordsOf(other.title));
  const away = new Set(awayFrom(`${other.title}. ${other.decision}`));
  return awayFrom(`${one.title}. ${firstSentence(one.decision)}`).find((word) => title.has(word) && !away.has(word));
}

function awayFrom(text: string): string[] {
  return [...text.matchAll(TURNS_AWAY)].flatMap(([, after = '']) => wordsOf(after).slice(0, 1));
}

function firstSentence(text: string): string {
  return /^[\s\S]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}

function mentions(text: string, name: string): boolean {
  return ` ${text} `.includes(` ${plain(name)} `);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}+#-]+/gu, ' ')
    .trim();
}
