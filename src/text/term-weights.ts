/** Keeps terms of few texts from looking certain. */
const PRIOR = 0.01;

/** Returns how rare a term is that `having` of so many documents have: the logarithm of one more than their ratio. */
export function rarityOf(documents: number, having: number): number {
  return Math.log(1 + documents / having);
}

/** The same as a share of the rarity of a term that no document has. */
export function relativeRarity(documents: number, having: number): number {
  return Math.log((documents + 1) / (having + 1)) / (Math.log(documents + 1) || 1);
}

/** Returns the inverse document frequency of BM25: the documents without the term stand for all. */
export function idfOf(documents: number, having: number): number {
  return rarityOf(documents - having + 0.5, having + 0.5);
}

/** Returns the weight of a term in a document by BM25. `norm` is what the length of the document makes of `k1`. */
export function termWeight(idf: number, frequency: number, k1: number, norm = k1): number {
  return (idf * frequency * (k1 + 1)) / (frequency + norm);
}

/** Returns what the length of a document makes of `k1`, as far as `b` lets length count. */
export function lengthNorm({ k1, b }: { k1: number; b: number }, length: number, mean: number): number {
  return k1 * (1 - b + (b * length) / mean);
}

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
