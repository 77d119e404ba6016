/** A text, or the centre of several, as it is compared. */
export interface ComparedText {
  /** Weights of its terms, of length 1 for a text. */
  terms: ReadonlyMap<string, number>;
  /** Its direction by what it means, of length 1 for a text; undefined while that is not known. */
  vector: Float32Array | undefined;
}

/** Share of the meaning in how alike two texts are; the words have the rest. */
const MEANING = 0.5;

/** Similarity of two texts, 0 to 1: by meaning and words, by words alone where one of them has no vector. */
export function similarityOf(left: ComparedText, right: ComparedText): number {
  const [few, many] = left.terms.size <= right.terms.size ? [left.terms, right.terms] : [right.terms, left.terms];
  let words = 0;
  for (const [term, weight] of few) words += weight * (many.get(term) ?? 0);
  if (left.vector === undefined || right.vector === undefined) return words;
  return (1 - MEANING) * words + MEANING * Math.max(0, product(left.vector, right.vector));
}

/**
 * Similarities of all texts, row after row. Time and memory grow with the square of their number: 3,000 take 36 MB and some
 * seconds.
 */
export function similarityRows(texts: readonly ComparedText[]): Float32Array[] {
  const rows = texts.map(() => new Float32Array(texts.length));
  const postings = new Map<string, { at: number; weight: number }[]>();
  for (const [at, { terms }] of texts.entries())
    for (const [term, weight] of terms) {
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [{ at, weight }]);
      else list.push({ at, weight });
    }
  for (const list of postings.values())
    for (const { at, weight } of list) {
      const row = rows[at];
      if (row === undefined) continue;
      for (const other of list) row[other.at] = (row[other.at] ?? 0) + weight * other.weight;
    }
  for (const [at, row] of rows.entries()) addMeaning(row, texts, { at, rows });
  return rows;
}

/** Adds the meaning to the words of one row and of its column, as far as the row above the diagonal goes. */
function addMeaning(
  row: Float32Array,
  texts: readonly ComparedText[],
  { at, rows }: { at: number; rows: readonly Float32Array[] },
): void {
  const vector = texts[at]?.vector;
  if (vector === undefined) return;
  for (let other = 0; other <= at; other += 1) {
    const another = texts[other]?.vector;
    if (another === undefined) continue;
    const value = (1 - MEANING) * (row[other] ?? 0) + MEANING * Math.max(0, product(vector, another));
    row[other] = value;
    const column = rows[other];
    if (column !== undefined) column[at] = value;
  }
}

/** A stand-in for several texts: `similarityOf` gives the mean over all of them, where no two point away from each other. */
export function centreOf(members: readonly ComparedText[]): ComparedText {
  const terms = new Map<string, number>();
  const vectors = members.flatMap((member) => (member.vector === undefined ? [] : [member.vector]));
  const [first] = vectors;
  const vectorCount = vectors.length;
  // Half of them speak for all.
  const vector = first === undefined || 2 * vectorCount < members.length ? undefined : new Float32Array(first.length);
  for (const member of members) {
    for (const [term, weight] of member.terms) terms.set(term, (terms.get(term) ?? 0) + weight / members.length);
    if (vector === undefined || member.vector === undefined) continue;
    for (let at = 0; at < vector.length; at += 1)
      vector[at] = (vector[at] ?? 0) + (member.vector[at] ?? 0) / vectorCount;
  }
  return { terms, vector };
}

/** Changes the vector itself, and gives it. Zeros stay zeros. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) / length;
  return vector;
}

export function product(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += (left[at] ?? 0) * (right[at] ?? 0);
  return sum;
}
