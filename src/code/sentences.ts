/** Fewer words are a name or a topic. */
const SENTENCE_WORDS = 4;
/** `camelCase`, `snake_case`, `a.b`, `a::b`, `f()`. */
const IDENTIFIER = /[a-z][A-Z]|\w_\w|\w\.\w|::|\(\)/;

/** Whether a query is a sentence: four words and more, none of which is an identifier. */
export function isSentenceText(query: string): boolean {
  const words = query.trim().split(/\s+/);
  return words.length >= SENTENCE_WORDS && !words.some((word) => IDENTIFIER.test(word));
}
