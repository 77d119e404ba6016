import type { TokenRules } from './syntax-rules.ts';

const LINE_FEED = 10;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BACKTICK = 0x60;
const DOLLAR = 0x24;
const OPEN_BRACE = 0x7b;

const FNV_PRIME = 16_777_619;
const FNV_BASE = 0x811c9dc5;

/** Words of scripts after which an operand is due, so that a slash begins a regular expression. */
export const WORDS_BEFORE_EXPRESSION =
  'return typeof case in of delete void throw new do else await yield instanceof default'.split(' ');

/** FNV-1a over the UTF-16 units of a range, spread over all 32 bits. `seed` keeps sorts of tokens apart. */
export function hashOf(text: string, start: number, end: number, seed: number): number {
  let hash = FNV_BASE ^ seed;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return spread(hash);
}

/** Hash of what a string holds, in which an escaped quote is a quote. */
export function unquotedHash(text: string, start: number, end: number, seed: number): number {
  let hash = FNV_BASE ^ seed;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) {
      const next = text.charCodeAt(at + 1);
      if (next !== QUOTE && next !== APOSTROPHE) hash = Math.imul(hash ^ code, FNV_PRIME);
      at += 1;
      if (at < end) hash = Math.imul(hash ^ next, FNV_PRIME);
    } else hash = Math.imul(hash ^ code, FNV_PRIME);
  }
  return spread(hash);
}

/** Every bit of the answer depends on every bit of the input (the last step of MurmurHash3). */
export function spread(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Letters, digits, `_`, `$` and everything beyond ASCII. */
export function isWordCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x24 ||
    (code > 0x7f && code !== 0xa0 && code !== 0xfeff)
  );
}

/** An end, when there is one that is not past the limit; else -1. */
export function endWithin(end: number, limit: number): number {
  return end > 0 && end <= limit ? end : -1;
}

/**
 * Behind the string that starts at a quote, or -1: a quote in the text of a page, a lifetime, a transposed matrix, any other
 * character. A template is read as a whole, with what is inserted into it.
 */
export function stringEnd(text: string, start: number, rules: TokenRules): number {
  const code = text.charCodeAt(start);
  if (code === BACKTICK && !rules.isScript) return text.indexOf('`', start + 1) + 1 || -1;
  if (code === BACKTICK) return quotedEnd(text, start, code, true);
  if (code !== QUOTE && code !== APOSTROPHE) return -1;
  const quote = text.charAt(start);
  if (!rules.isScript && text.startsWith(quote.repeat(3), start)) return tripleEnd(text, start, quote);
  if (code === APOSTROPHE && !rules.hasSingleQuoted) return characterEnd(text, start);
  return quotedEnd(text, start, code, rules.isMultiline && code === QUOTE);
}

/** Quotes on each side of a string that `stringEnd` read: three or one. */
export function quotesAround(text: string, start: number, end: number): number {
  return end - start > 5 && text.startsWith(text.charAt(start).repeat(3), start) ? 3 : 1;
}

/** Behind the closing quote of a string with escapes, or -1 when its line ends first and it may not go on. */
function quotedEnd(text: string, start: number, quote: number, isMultiline: boolean): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === quote) return at + 1;
    else if (code === LINE_FEED && !isMultiline) return -1;
  }
  return -1;
}

/** The next `${` or backtick of a template from inside of it on; the end of the text when there is none. */
export function templatePieceEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === BACKTICK || (code === DOLLAR && text.charCodeAt(at + 1) === OPEN_BRACE)) return at;
  }
  return text.length;
}

/** Behind a literal of one character, or -1 for a lone quote such as that of a lifetime. */
function characterEnd(text: string, start: number): number {
  if (text.charCodeAt(start + 1) === BACKSLASH) {
    const end = text.indexOf("'", start + 3);
    // The longest escape is \u{10FFFF}.
    return end === -1 || end > start + 12 ? -1 : end + 1;
  }
  const length = (text.codePointAt(start + 1) ?? 0) > 0xffff ? 2 : 1;
  return text.charCodeAt(start + 1 + length) === APOSTROPHE ? start + 2 + length : -1;
}

/** Behind the closing three quotes, or -1. */
function tripleEnd(text: string, start: number, quote: string): number {
  const triple = quote.repeat(3);
  for (let at = start + 3; ; at += 1) {
    at = text.indexOf(triple, at);
    if (at === -1) return -1;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 3;
  }
}

/** Behind a raw string of Rust whose `#`s start here, or -1: `r#"…"#`. */
export function rawStringEnd(text: string, start: number): number {
  let hashes = 0;
  while (text.charAt(start + hashes) === '#') hashes += 1;
  if (text.charCodeAt(start + hashes) !== QUOTE) return -1;
  const close = text.indexOf(`"${'#'.repeat(hashes)}`, start + hashes + 1);
  return close === -1 ? -1 : close + 1 + hashes;
}

/** Behind a regular expression and its flags, or -1 when its line ends first. */
export function regexEnd(text: string, start: number, limit: number): number {
  let isClass = false;
  for (let at = start + 1; at < Math.min(text.length, limit); at += 1) {
    const character = text.charAt(at);
    if (character === '\n') return -1;
    if (character === '\\') at += 1;
    else if (character === '[') isClass = true;
    else if (character === ']') isClass = false;
    else if (character === '/' && !isClass) {
      let end = at + 1;
      while (end < text.length && isWordCode(text.charCodeAt(end))) end += 1;
      return end;
    }
  }
  return -1;
}
