/**
 * Characters that a reader cannot see and a terminal obeys: control characters (C0, C1), marks that turn the direction of
 * reading, line and paragraph separators, invisible tags, and halves of characters.
 */
const HIDDEN = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/u;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text of others on one line, with what is hidden in it written as escapes (`\n`, `\u001b`). A name cannot end its line, so it
 * cannot make up another one. Linear, and free for text in which nothing is hidden.
 */
export function visible(text: string): string {
  return HIDDEN.test(text)
    ? text.replace(ALL_HIDDEN, (character) => SHORT[character] ?? escapeCharacter(character))
    : text;
}

/**
 * The same for whole texts: line feeds and tabs stay. What it does to JSON is JSON with the same meaning, because outside of
 * strings nothing is hidden there, and inside of them these escapes mean what they replace.
 */
export function visibleLines(text: string): string {
  if (!HIDDEN.test(text)) return text;
  return text.replace(ALL_HIDDEN, (character) =>
    character === '\n' || character === '\t' ? character : escapeCharacter(character),
  );
}

/** Quoted lines, each behind a mark, so that none can be taken for a line of the answer. Ends of lines may be of any kind. */
export function quoteVisible(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `| ${visibleLines(line)}`.trimEnd())
    .join('\n');
}

/** Writes a character as `\uXXXX`, two of them for one beyond the first plane. */
function escapeCharacter(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}
