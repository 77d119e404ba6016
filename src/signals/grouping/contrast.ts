/** Keeps terms of few texts from looking certain. */
const PRIOR = 0.01;

/**
 * Preference of a group of texts for a term: the share of its texts that have it, times the logarithm of the ratio to the share
 * among all other texts. Negative where the others have it more often.
 *
 * @param having texts of the group, and of all, that have the term.
 */
export function contrastOf(having: { group: number; all: number }, texts: { group: number; all: number }): number {
  const inside = having.group / texts.group;
  const outside = Math.max(0, having.all - having.group) / Math.max(1, texts.all - texts.group);
  return inside * Math.log((inside + PRIOR) / (outside + PRIOR));
}
