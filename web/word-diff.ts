/** A stretch of words that both sides have, or only this one. */
export interface Stretch {
  text: string;
  isOwn: boolean;
}

/** One row of a comparison: a text of before, one of after, or both where one became the other. */
interface Pair {
  before: Stretch[] | undefined;
  after: Stretch[] | undefined;
}

/** Longer texts are shown whole: comparing word by word takes time that grows with the square of their length. */
const MOST_WORDS = 600;
const LEAST_SIMILARITY = 0.5;

/** Puts each removed text beside the added one that it became, in the order of the removed ones; the others stay alone. */
export function pairTexts(removed: readonly string[], added: readonly string[]): Pair[] {
  const unpaired = [...added];
  const pairs = removed.map((before): Pair => {
    const scores = unpaired.map((after) => likeness(before, after));
    const best = Math.max(0, ...scores);
    if (best < LEAST_SIMILARITY) return { before: [{ text: before, isOwn: true }], after: undefined };
    const [after = ''] = unpaired.splice(scores.indexOf(best), 1);
    return compareWords(before, after);
  });
  return [...pairs, ...unpaired.map((text): Pair => ({ before: undefined, after: [{ text, isOwn: true }] }))];
}

function wordsOf(text: string): string[] {
  return text.split(/(\s+)/).filter((word) => word !== '');
}

function likeness(before: string, after: string): number {
  const [a, b] = [wordsOf(before.toLowerCase()), wordsOf(after.toLowerCase())].map((words) =>
    words.filter((word) => word.trim() !== ''),
  ) as [string[], string[]];
  const counts = new Map<string, number>();
  for (const word of b) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of a) {
    const count = counts.get(word) ?? 0;
    if (count > 0) common += 1;
    counts.set(word, count - 1);
  }
  return (2 * common) / Math.max(1, a.length + b.length);
}

/**
 * Marks the words that only one of two texts has, by their longest common sequence. `split` cuts a text into words without
 * losing any of it.
 */
export function compareWords(
  before: string,
  after: string,
  split: (text: string) => string[] = wordsOf,
): { before: Stretch[]; after: Stretch[] } {
  const [a, b] = [split(before), split(after)];
  if (a.length > MOST_WORDS || b.length > MOST_WORDS) {
    return { before: [{ text: before, isOwn: true }], after: [{ text: after, isOwn: true }] };
  }
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i]?.set(
        [
          a[i] === b[j]
            ? 1 + (lengths[i + 1]?.[j + 1] ?? 0)
            : Math.max(lengths[i + 1]?.[j] ?? 0, lengths[i]?.[j + 1] ?? 0),
        ],
        j,
      );
  const [left, right]: [Stretch[], Stretch[]] = [[], []];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      push(left, a[i] ?? '', false);
      push(right, b[j] ?? '', false);
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
      push(left, a[i] ?? '', true);
      i += 1;
    } else {
      push(right, b[j] ?? '', true);
      j += 1;
    }
  }
  return { before: left, after: right };
}

function push(stretches: Stretch[], text: string, isOwn: boolean): void {
  const last = stretches.at(-1);
  if (last?.isOwn === isOwn) last.text += text;
  else stretches.push({ text, isOwn });
}
