/** Characters of text that count as one token. A fixed ratio, so that the same text always costs the same. */
const CHARACTERS_PER_TOKEN = 3.5;

/** Estimates the tokens of a text, rounded up. The same for every model: no model is asked. */
export function tokensOf(text: string): number {
  return tokensIn(text.length);
}

/** The same of a text of so many characters. */
export function tokensIn(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** Returns the number of characters that fit in a number of tokens. */
export function charactersIn(tokens: number): number {
  return Math.floor(tokens * CHARACTERS_PER_TOKEN);
}
