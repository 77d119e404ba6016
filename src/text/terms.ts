import { type IdentifierPart, isAcronymPlural, joinedParts, splitIdentifier } from './identifier-parts.ts';

/**
 * Words that say nothing about code. They are neither stored nor looked for; inside identifiers they do count as part
 * of the whole identifier (`useState` is kept beside `state`).
 */
const STOP_WORDS = new Set(
  (
    'a an the of to in on at for from by with and or not is are be was were been being this that these those it its as ' +
    'if then than else when which who whom whose will would can could should may might must shall do does did done has ' +
    'have had having he she they we you i me my our your their his her them us no nor so such only own same too very ' +
    'just also into onto over under again further once here there all any both each few more most other some s t don ' +
    'now use used using via e g eg etc per'
  ).split(' '),
);

/**
 * A word of letters, digits and `_` `$`, or a number of two digits and more. Letters of any script count; a word may
 * begin with digits (`2FA`).
 */
export const WORD = /[A-Za-z_$\u00aa-\uffff][\w$\u00aa-\uffff]*|\d+[A-Za-z\u00aa-\uffff][\w$\u00aa-\uffff]*|\d{2,}/g;

/** Endings of derived words: ending, what replaces it, letters that must stay before it. First fit wins. */
const ENDINGS: readonly (readonly [string, string, number])[] = [
  ['ization', 'iz', 3],
  ['isation', 'iz', 3],
  ['ational', 'at', 3],
  ['fulness', 'ful', 3],
  ['iveness', 'iv', 3],
  ['izer', 'iz', 3],
  ['iser', 'iz', 3],
  ['ation', 'at', 3],
  ['ator', 'at', 3],
  ['ition', 'it', 3],
  ['ction', 'ct', 2],
  ['ment', '', 4],
  ['able', '', 4],
  ['ible', '', 4],
  ['ness', '', 4],
  ['tion', 't', 3],
  ['sion', 's', 4],
  ['ise', 'iz', 3],
  ['ize', 'iz', 3],
  ['er', '', 4],
  ['or', '', 4],
  ['ly', '', 4],
  ['al', '', 5],
];

/**
 * Terms of a text in order, repeats included: the stems of each word's parts, then the words that its spelling joins
 * (`oauth` of `getOAuthToken`), and a compound identifier whole too.
 */
export function termsOf(text: string): string[] {
  return (text.match(WORD) ?? []).flatMap(termsOfWord);
}

/** As `termsOf`, without joined words and whole identifiers. */
export function partsOf(text: string): string[] {
  return (text.match(WORD) ?? []).flatMap((word) => stems(splitIdentifier(word)));
}

/** The terms of one word as WORD finds it. */
export function termsOfWord(word: string): string[] {
  const parts = splitIdentifier(word);
  const terms = stems(parts);
  if (parts.length === 0 || (parts.length === 1 && !isAcronymPlural(parts[0]?.text))) return terms;
  const wholes = [...parts.map(({ text }) => text).filter(isAcronymPlural), ...joinedParts(parts), word];
  const joined = new Set(wholes.map((text) => stem(text.toLowerCase())));
  return [...terms, ...[...joined].filter((term) => !terms.includes(term))];
}

/** The lower-case parts of an identifier: `getFooBar` → get, foo, bar. */
export function identifierParts(identifier: string): string[] {
  return splitIdentifier(identifier).map(({ text }) => text.toLowerCase());
}

/** A light Porter stemmer: plurals, -ing, -ed, and common endings of derived words. `word` is in lower case. */
export function stem(word: string): string {
  if (word.length < 4 || word.length > 24) return word;
  let result = withoutEnding(withoutTense(withoutPlural(word)));
  if (result.length > 4 && result.endsWith('e')) result = result.slice(0, -1);
  if (result.length > 3 && result.endsWith('y')) result = `${result.slice(0, -1)}i`;
  return result;
}

/** Stems of the parts that say something. Capitals with a plural `s` are the word without it: `IDs` → id. */
function stems(parts: readonly IdentifierPart[]): string[] {
  return parts
    .map(({ text }) => (isAcronymPlural(text) ? text.slice(0, -1).toLowerCase() : text.toLowerCase()))
    .filter((part) => !STOP_WORDS.has(part))
    .map(stem);
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  const root = /^(.{2,})(?:ing|ed)$/.exec(word)?.[1];
  if (root === undefined || !/[aeiouy]/.test(root)) return word;
  if (/(?:at|bl|iz)$/.test(root)) return `${root}e`;
  return /([bdfgmnprt])\1$/.test(root) ? root.slice(0, -1) : root;
}

function withoutEnding(word: string): string {
  for (const [ending, replacement, least] of ENDINGS) {
    const stemLength = word.length - ending.length;
    if (stemLength >= least && word.endsWith(ending)) return word.slice(0, stemLength) + replacement;
  }
  return word;
}
