import { wordsOf } from '../../text/words.ts';
/** Titles that share this much of their words are the same thing, said better. */
const SAME = 0.6;

/** Entry that has an id to keep: the id, and the text that identifies it. */
interface Known {
  id: string;
  text: string;
}

/**
 * Gives each entry of a new version the id that it had before: the one that is written, else that of the entry with the
 * same text, else of the one most like it, else the next number that was never used. Ids are `prefix` and a number.
 */
export function keepIds(
  prefix: string,
  before: readonly Known[],
  entries: readonly { id?: string | undefined; text: string }[],
): string[] {
  const ids: (string | undefined)[] = [];
  const taken = new Set<string>();
  for (const { id } of entries) {
    ids.push(id === undefined || taken.has(id) ? undefined : id);
    if (id !== undefined) taken.add(id);
  }
  const take = (index: number, fits: (earlier: Known) => boolean): void => {
    if (ids[index] !== undefined) return;
    const match = before.find((earlier) => !taken.has(earlier.id) && fits(earlier));
    if (match === undefined) return;
    ids[index] = match.id;
    taken.add(match.id);
  };
  entries.forEach(({ text }, index) => take(index, (earlier) => normalizeText(earlier.text) === normalizeText(text)));
  entries.forEach(({ text }, index) => {
    const best = Math.max(0, ...before.map((earlier) => (taken.has(earlier.id) ? 0 : likeness(earlier.text, text))));
    if (best >= SAME) take(index, (earlier) => likeness(earlier.text, text) === best);
  });
  let last = Math.max(0, ...[...taken, ...before.map(({ id }) => id)].map((id) => numberOf(prefix, id)));
  return ids.map((id) => id ?? `${prefix}${++last}`);
}

/** Share of words that two texts have in common (Dice), 0..1. */
function likeness(first: string, second: string): number {
  const [words, otherWords] = [wordSet(first), wordSet(second)];
  const shared = [...words].filter((word) => otherWords.has(word)).length;
  return words.size + otherWords.size === 0 ? 0 : (2 * shared) / (words.size + otherWords.size);
}

function wordSet(text: string): Set<string> {
  return new Set(wordsOf(text.toLowerCase(), 'word'));
}

function normalizeText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s`*_.]+/g, ' ')
    .trim();
}

function numberOf(prefix: string, id: string): number {
  return id.startsWith(prefix) ? Number(id.slice(prefix.length)) || 0 : 0;
}
