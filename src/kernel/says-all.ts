/** True if a sentence has all words of a text: quoting the text below it would repeat it. */
export function saysAll(sentence: string, text: string): boolean {
  return wordsIn(text).isSubsetOf(wordsIn(sentence));
}

function wordsIn(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}_]+/gu));
}
