/** The source of an expression for abbreviations whose full stop ends no sentence, without it. */
export const ABBREVIATED = String.raw`\b(?:e\.g|i\.e|etc|vs|cf)`;
const WHOLE = new RegExp(`^${ABBREVIATED}$`, 'i');

/** Whether a word is an abbreviation whose full stop ends no sentence. */
export function isAbbreviation(word: string): boolean {
  return WHOLE.test(word);
}
