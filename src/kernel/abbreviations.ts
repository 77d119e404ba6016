/** The source of an expression for abbreviations whose full stop ends no sentence, without it. */
export const ABBREVIATED = String.raw`\b(?:e\.g|i\.e|etc|vs|cf)`;
