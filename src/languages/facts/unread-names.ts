import type { FileFacts } from './facts.ts';
import { type Table } from './table.ts';
import { Sort, type TokenList } from './token-list.ts';

type VisitedFacts = Pick<FileFacts, 'definitions' | 'references' | 'members' | 'keys' | 'strings'>;

/** Result of a parser about the names in a text. */
interface ParsedNames {
  /** Starts and ends of the identifiers in its tree, in pairs. */
  names: readonly number[];
  /** Starts of identifiers that are accounted for without a row. */
  understood: readonly number[];
  /** Starts and ends of what it could not read, in pairs. */
  broken: readonly number[];
  /** Text that the parser read in place of the original: as long, with blanks instead of what its grammar does not know. */
  parsed: string;
}

/**
 * Starts and ends, in pairs, of the identifiers that no definition, reference, member or key accounts for. Where the parser
 * read nothing, each word that is in no string or comment counts as one.
 */
export function findUnreadNames(
  text: string,
  { names, understood, broken, parsed }: ParsedNames,
  facts: VisitedFacts & { tokens: TokenList },
): number[] {
  const visited = markVisited(text.length, facts);
  for (const start of understood) visited[start] = 1;
  const isBroken = new Uint8Array(broken.length === 0 ? 0 : text.length + 1);
  for (let pair = 0; pair < broken.length; pair += 2) isBroken.fill(1, broken[pair], broken[pair + 1]);
  const unread: number[] = [];
  for (let pair = 0; pair < names.length; pair += 2) {
    const [start = 0, end = 0] = [names[pair], names[pair + 1]];
    if (visited[start] !== 1 && isBroken[start] !== 1) unread.push(start, end);
  }
  const { tokens } = facts;
  if (broken.length === 0 && parsed === text) return unread;
  for (let token = 0; token < tokens.count; token += 1) {
    const [start = 0, end = 0] = [tokens.starts[token], tokens.ends[token]];
    // A word behind `#` is one of the compiler: a directive, or `#filePath` of Swift.
    const isName =
      tokens.codes[token] === Sort.word && !isDigit(text.charCodeAt(start)) && text.charAt(start - 1) !== '#';
    const isHidden = isBroken[start] === 1 || parsed.charCodeAt(start) !== text.charCodeAt(start);
    if (isName && isHidden && visited[start] !== 1) unread.push(start, end);
  }
  return unread;
}

/** One byte a character: 1 where the name of some row starts. */
function markVisited(length: number, { definitions, references, members, keys, strings }: VisitedFacts): Uint8Array {
  const visited = new Uint8Array(length + 2);
  const mark = (table: Table<{ name: number }>, startOf: (row: number) => number): void => {
    for (let row = 0; row < table.count; row += 1) {
      const start = startOf(row);
      const sigil = sigilLength(strings[table.name(row)] ?? '');
      // The grammar may count the sigil, or the quote around a name, as part of the identifier, or not.
      visited[start] = 1;
      visited[start + sigil] = 1;
      if (start > 0) visited[start - 1] = 1;
    }
  };
  mark(definitions, (row) => definitions.nameStart(row));
  mark(references, (row) => references.start(row));
  mark(members, (row) => members.start(row));
  mark(keys, (row) => keys.start(row));
  return visited;
}

/** Characters before the letters of a name: `@`, `@@`, `$`, `:`. */
function sigilLength(name: string): number {
  let length = 0;
  while ('@$:'.includes(name.charAt(length)) && length < name.length) length += 1;
  return length;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
