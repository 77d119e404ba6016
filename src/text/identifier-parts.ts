import { wordMatches } from './words.ts';

/** A part of an identifier as it is written, and where in the identifier it begins. */
export interface IdentifierPart {
  text: string;
  start: number;
}

/** Longest word that is taken apart; longer ones are data (hashes, embedded files). */
const WORD_LIMIT = 80;

/** The parts of an identifier in order; none of one that is too long to be a name. */
export function splitIdentifier(identifier: string): IdentifierPart[] {
  if (identifier.length > WORD_LIMIT) return [];
  const rule = /[^\0-\x7f]/.test(identifier) ? 'part' : 'asciiPart';
  return Array.from(wordMatches(identifier, rule), ({ 0: text, index: start }) => ({ text, start }));
}

/** Reports whether a part is capitals with a plural `s`: `PDFs`. */
export function isAcronymPlural(part: string | undefined): boolean {
  return part !== undefined && /^\p{Lu}{2,}s$/u.test(part);
}

/**
 * The words that an identifier joins by how it is spelled, though they have several parts: names of products
 * (`OAuth` in `getOAuthToken`, `iOS`, `GraphQL`) and letters with digits (`k8s`, `IPv6`, `sha256`). Each pair of a product
 * name, and each longest run of parts that belong together.
 */
export function joinedParts(parts: readonly IdentifierPart[]): string[] {
  const pairs = parts
    .map(({ text }, at) => (isProductName(parts, at) ? `${parts[at - 1]?.text ?? ''}${text}` : ''))
    .filter((pair) => pair !== '');
  const runs = runsOf(parts)
    .filter((run) => run.length > 1)
    .map((run) => run.join(''));
  return [...pairs, ...runs];
}

/** The words of an identifier as written, where product names and letters with digits are one: `iOSApp` → iOS, App. */
export function identifierWords(identifier: string): string[] {
  return runsOf(splitIdentifier(identifier)).map((run) => run.join(''));
}

/** Longest runs of parts that belong together. */
function runsOf(parts: readonly IdentifierPart[]): string[][] {
  const runs: string[][] = [];
  for (const [at, { text }] of parts.entries())
    if (isProductName(parts, at) || isWithDigits(parts, at)) runs.at(-1)?.push(text);
    else runs.push([text]);
  return runs;
}

/**
 * Reports whether a part and the one before it are spelled as a product's name: one small letter before a capital
 * (`iOS`, `eBay`), one capital before a capitalised word (`OAuth`), or a word before capitals (`GraphQL`, `macOS`).
 */
function isProductName(parts: readonly IdentifierPart[], at: number): boolean {
  const [before, part] = [parts[at - 1], parts[at]];
  if (before === undefined || part === undefined || !isAdjacent(before, part)) return false;
  const isFirst = !isAdjacent(parts[at - 2], before);
  if (/^\p{Ll}$/u.test(before.text)) return isFirst && /^\p{Lu}/u.test(part.text);
  if (/^\p{Lu}$/u.test(before.text))
    return /^\p{Lu}\p{Ll}/u.test(part.text) && !/^\p{N}/u.test(parts[at - 2]?.text ?? '');
  if (isVersion(parts, at + 1)) return false;
  return /\p{Ll}\p{Ll}$|^\p{Lu}\p{Ll}$/u.test(before.text) && /^\p{Lu}{2,}s?$/u.test(part.text);
}

/** Reports whether a part belongs to the one before it because one has digits: `sha256`, `k8s`, `B2B`, the `v` of `IPv6`. */
function isWithDigits(parts: readonly IdentifierPart[], at: number): boolean {
  const [before, part] = [parts[at - 1], parts[at]];
  if (before === undefined || part === undefined || !isAdjacent(before, part)) return false;
  if (/^\p{N}/u.test(part.text)) return true;
  // A capitalised word begins anew: `sha256Hash`.
  if (/^\p{N}/u.test(before.text)) return !/^\p{Lu}\p{Ll}/u.test(part.text) || /^\p{Lu}+s$/u.test(part.text);
  return isVersion(parts, at);
}

/** Reports whether a part is the `v` of `IPv6`. */
function isVersion(parts: readonly IdentifierPart[], at: number): boolean {
  const [before, part, after] = [parts[at - 1], parts[at], parts[at + 1]];
  if (before === undefined || part === undefined || after === undefined) return false;
  return (
    /^\p{Lu}{2,}$/u.test(before.text) &&
    /^\p{Ll}$/u.test(part.text) &&
    /^\p{N}/u.test(after.text) &&
    isAdjacent(before, part) &&
    isAdjacent(part, after)
  );
}

function isAdjacent(before: IdentifierPart | undefined, part: IdentifierPart): boolean {
  return before !== undefined && before.start + before.text.length === part.start;
}
