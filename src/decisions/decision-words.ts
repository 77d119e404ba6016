const STOP_WORDS = new Set(
  'a an and are as at be because been by can do does each every for from had has have how if in into is it its may more most must no not of on one only or other our over own per shall should so some such than that the their them then there these they this to under up use used using was we were what when where which who why will with would you your'.split(
    ' ',
  ),
);

/** A word that tells something: its stem, by which it is compared, and how it was written. */
interface DecisionWord {
  stem: string;
  written: string;
}

/** The words of a text that are more than grammar, in its order. */
export function wordsOf(text: string): DecisionWord[] {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}_+#-]*(?:\.[\p{L}\p{N}]+)*/gu) ?? [];
  return words
    .filter((word) => !STOP_WORDS.has(word.toLowerCase()))
    .map((written) => ({ stem: written.toLowerCase().replace(/(?<=\p{L}{3})(?:ies|es|s)$/u, ''), written }));
}

export function stemsOf(text: string): Set<string> {
  return new Set(wordsOf(text).map(({ stem }) => stem));
}

/** Share of the stems that two sets have in common (Dice), 0..1. */
export function sharedPart(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const shared = [...left].filter((stem) => right.has(stem)).length;
  return left.size + right.size === 0 ? 0 : (2 * shared) / (left.size + right.size);
}

/** A text by its words and signs that make words, for comparison: case and punctuation do not count. */
export function plainText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}+#-]+/gu, ' ')
    .trim();
}

export function firstSentence(text: string): string {
  return /^[\s\S]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}
