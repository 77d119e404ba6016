import { FACTS_VERSION, type FileFacts, type Language } from './facts.ts';

const TABLES = [
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
  'nodes',
  'broken',
] as const satisfies readonly (keyof FileFacts)[];

const HEADER_WORDS = 4 + TABLES.length;

/** The bytes of facts: a header of word counts, the tables one after another, then the strings as JSON. */
export function encodeFacts(facts: FileFacts): Uint8Array {
  const text = Buffer.from(JSON.stringify([facts.language, facts.packageName, ...facts.strings]));
  const words = TABLES.reduce((sum, table) => sum + facts[table].length, HEADER_WORDS);
  const bytes = new Uint8Array(words * 4 + text.length);
  const view = new Int32Array(bytes.buffer, 0, words);
  view.set([FACTS_VERSION, facts.errors, text.length, words]);
  let at = HEADER_WORDS;
  TABLES.forEach((table, index) => {
    view[4 + index] = facts[table].length;
    view.set(facts[table], at);
    at += facts[table].length;
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
  const [version, errors = 0, textBytes = 0, words = 0] = header;
  if (version !== FACTS_VERSION || words * 4 + textBytes !== bytes.length) return undefined;
  const lengths = header.subarray(4);
  if (lengths.some((length) => length < 0) || lengths.reduce((sum, length) => sum + length, HEADER_WORDS) !== words)
    return undefined;
  let at = HEADER_WORDS;
  const table = (index: number): Int32Array => {
    const length = lengths[index] ?? 0;
    at += length;
    return new Int32Array(aligned.buffer, aligned.byteOffset + (at - length) * 4, length);
  };
  // Object.fromEntries widens the names: TABLES holds exactly the table names of FileFacts.
  const tables = Object.fromEntries(TABLES.map((name, index) => [name, table(index)])) as Pick<
    FileFacts,
    (typeof TABLES)[number]
  >;
  const text = Buffer.from(aligned.buffer, aligned.byteOffset + words * 4, textBytes).toString();
  const texts = parseTexts(text);
  if (texts === undefined) return undefined;
  const [language, packageName, ...strings] = texts;
  return { language, packageName, strings, errors, ...tables };
}

function parseTexts(json: string): [Language, string, ...string[]] | undefined {
  try {
    // What was written: damage that leaves it JSON changes the letters of a name.
    return JSON.parse(json) as [Language, string, ...string[]];
  } catch {
    return undefined;
  }
}
