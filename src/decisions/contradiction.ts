import { plainText, sharedPart, stemsOf } from './decision-words.ts';
import type { DecisionText } from './similar.ts';
import type { DecisionRow } from './store.ts';

/** Titles that share so much of their words ask one question; texts that share less of theirs answer it in two ways. */
const SAME_TITLE = 0.8;
const OTHER_TEXT = 0.5;
/** Shorter texts say nothing that could be another answer. */
const LEAST_WORDS = 5;

/**
 * Returns why one of two similar decisions may replace the other: one chooses an option that the other considered and did not
 * choose, or they have one title and different texts. What they say is not understood: it is a candidate, no verdict. Only
 * decisions in force are candidates.
 */
export function contradictionOf(
  decision: DecisionText,
  other: DecisionText & Pick<DecisionRow, 'status'>,
): string | undefined {
  if (other.status !== 'accepted' && other.status !== 'proposed') return undefined;
  const rejectedOption = findRejectedOption(other, decision) ?? findRejectedOption(decision, other);
  if (rejectedOption !== undefined)
    return `one chooses "${rejectedOption}", which the other considered and did not choose`;
  return sameQuestion(decision, other);
}

/** An option that `rejecting` considered and did not choose, and that `choosing` chose among its own, or names in its title. */
function findRejectedOption(rejecting: DecisionText, choosing: DecisionText): string | undefined {
  const chosen = chosenOption(rejecting);
  const theirs = chosenOption(choosing);
  if (chosen === undefined) return undefined;
  return rejecting.options.find(({ name }) => {
    if (name === chosen || plainText(name).length <= 2) return false;
    if (theirs !== undefined) return plainText(name) === plainText(theirs);
    return mentions(choosing.title, name) && !mentions(choosing.title, chosen);
  })?.name;
}

/** The considered option that a decision names first. */
function chosenOption({ title, decision, options }: DecisionText): string | undefined {
  const text = ` ${plainText(`${title}. ${decision}`)} `;
  return options
    .map(({ name }) => ({ name, at: text.indexOf(` ${plainText(name)} `) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at || b.name.length - a.name.length)[0]?.name;
}

/** Two decisions with one title and different texts. */
function sameQuestion(left: DecisionText, right: DecisionText): string | undefined {
  const answers = [left, right].map(({ decision }) => stemsOf(decision)) as [Set<string>, Set<string>];
  if (sharedPart(stemsOf(left.title), stemsOf(right.title)) < SAME_TITLE) return undefined;
  if (answers.some(({ size }) => size < LEAST_WORDS) || sharedPart(...answers) >= OTHER_TEXT) return undefined;
  return `both decide on "${right.title}", with different texts`;
}

function mentions(text: string, name: string): boolean {
  return ` ${plainText(text)} `.includes(` ${plainText(name)} `);
}
