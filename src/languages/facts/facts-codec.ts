import { FACTS_VERSION, type FileFacts, type Language } from './facts.ts';
import { intAt, TABLES } from './table.ts';

/** All that is numbers, in the order in which it is written. */
const NUMBERS = [
  'lines',
  'scopes',
  'definitions',
  'facets',
  'references',
  'members',
  'keys',
  'exports',
  'narrowings',
  'sites',
  'comments',
  'metrics',
  'syntax',
  'sketches',
  'fingerprints',
  'unread',
  'nodes',
  'broken',
] as const satisfies readonly (keyof FileFacts)[];

type NumbersName = (typeof NUMBERS)[number];

/** The version, the counts that are no tables, and the sizes of the text and of all. */
const COUNTS = 6;
const HEADER_WORDS = COUNTS + NUMBERS.length;

const isTable = (name: NumbersName): name is keyof typeof TABLES => name in TABLES;

/** The bytes of facts: a header of word counts, the tables one after another, then the strings as JSON. */
export function encodeFacts(facts: FileFacts): Uint8Array {
  const text = Buffer.from(JSON.stringify([facts.language, facts.packageName, ...facts.strings]));
  const all = NUMBERS.map((name) => (isTable(name) ? facts[name].words : facts[name]));
  const words = all.reduce((sum, { length }) => sum + length, HEADER_WORDS);
  const bytes = new Uint8Array(words * 4 + text.length);
  const view = new Int32Array(bytes.buffer, 0, words);
  view.set([FACTS_VERSION, facts.errors, text.length, words, facts.literalLines, facts.codeLines]);
  let at = HEADER_WORDS;
  all.forEach((numbers, index) => {
    view[COUNTS + index] = numbers.length;
    view.set(numbers, at);
    at += numbers.length;
  });
  bytes.set(text, words * 4);
  return bytes;
}

/**
 * The facts in `bytes`, or undefined when they are of another version or cut off; `areWellFormed` tells more. Tables are
 * views, not copies, where aligned.
 */
export function decodeFacts(bytes: Uint8Array): FileFacts | undefined {
  if (bytes.length < HEADER_WORDS * 4) return undefined;
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const header = new Int32Array(aligned.buffer, aligned.byteOffset, HEADER_WORDS);
  const [version, errors = 0, textBytes = 0, words = 0, literalLines = 0, codeLines = 0] = header;
  if (version !== FACTS_VERSION || words * 4 + textBytes !== bytes.length) return undefined;
  const lengths = header.subarray(COUNTS);
  if (lengths.some((length) => length < 0) || lengths.reduce((sum, length) => sum + length, HEADER_WORDS) !== words)
    return undefined;
  let at = HEADER_WORDS;
  const numbersOf = (name: NumbersName, index: number): FileFacts[NumbersName] => {
    const length = intAt(lengths, index);
    at += length;
    const numbers = new Int32Array(aligned.buffer, aligned.byteOffset + (at - length) * 4, length);
    return isTable(name) ? new TABLES[name](numbers) : numbers;
  };
  // Object.fromEntries widens the names: NUMBERS holds exactly those of FileFacts that are numbers.
  const tables = Object.fromEntries(NUMBERS.map((name, index) => [name, numbersOf(name, index)])) as Pick<
    FileFacts,
    NumbersName
  >;
  const text = Buffer.from(aligned.buffer, aligned.byteOffset + words * 4, textBytes).toString();
  const texts = parseTexts(text);
  if (texts === undefined) return undefined;
  const [language, packageName, ...strings] = texts;
  return { language, packageName, strings, errors, literalLines, codeLines, ...tables };
}

function parseTexts(json: string): [Language, string, ...string[]] | undefined {
  try {
    // What was written: damage that leaves it JSON changes the letters of a name.
    return JSON.parse(json) as [Language, string, ...string[]];
  } catch {
    return undefined;
  }
}
