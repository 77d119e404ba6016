/** A heading, an item or a row of a table has no more words. Prose names much in passing. */
const MOST_WORDS = 12;

/** Of the texts that came or went with a change, those that name what it is about: the short ones, new ones first. */
export function namingTexts({ added, removed }: { added: readonly string[]; removed: readonly string[] }): string[] {
  return [...new Set([...added, ...removed])].filter((text) => text.split(/\s+/).length <= MOST_WORDS);
}
