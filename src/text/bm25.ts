/** Returns how rare a term is that `having` of so many documents have: its inverse document frequency. */
export function idfOf(documents: number, having: number): number {
  return Math.log(1 + (documents - having + 0.5) / (having + 0.5));
}

/** Returns the weight of a term in a document by BM25. `norm` is what the length of the document makes of `k1`. */
export function termWeight(idf: number, frequency: number, k1: number, norm = k1): number {
  return (idf * frequency * (k1 + 1)) / (frequency + norm);
}
