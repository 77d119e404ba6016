/** Whether a sentence has all words of a text: to quote that below it would say the same again. */
export function saysAll(sentence: string, text: string): boolean {
  return wordsIn(text).isSubsetOf(wordsIn(sentence));
}

function wordsIn(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}_]+/gu));
}
