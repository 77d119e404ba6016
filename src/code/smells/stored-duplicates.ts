import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { bytesOfInts, intsOf } from '../../code-index/format/dense-values.ts';
import { unpackFingerprints } from '../../code-index/format/structure-codec.ts';
import { TextReader } from '../files/store-files.ts';
import { type StoredValue, storedValue } from '../stored/stored.ts';
import { type Block, type Duplicate, findDuplicates } from './duplicates.ts';
import { LEAST_DUPLICATE_TOKENS } from './smell-thresholds.ts';

/** Duplicates that an index holds, the longest; a repository with more consists of copies. */
const MOST_STORED = 100_000;
/** Integers of one duplicate in its value: the block, its copy, and the tokens. */
const WIDTH = 7;

/** The head of a statement that takes names from elsewhere. */
const IMPORT =
  /^(import|use|using(?!\s*\()|from|package|namespace|require(_once|_relative)?|#\s*(include|import))\b|^(export\b.*|\}) from\b/;
/** Matches what may be between the brackets of one: names, texts, and the closing bracket. */
const IMPORT_PART = /^([\w$.* ]+( as \w+)?,?|(\w+ )?"[^"]*"|[)}\]];?)$/;
/** A line without code. */
const COMMENT = /^\s*($|\/\/|\/?\*|#(?!\s*(include|import)\b))/;
/** Lines; more are no list of imports. */
const MOST_IMPORTS = 100;

/** Duplicates, the longest first, as columns: `WIDTH` integers each. */
interface StoredDuplicates {
  count: number;
  /** True if there are shorter ones that are omitted. */
  isCut: boolean;
  at: (index: number) => Duplicate;
}

/** Duplicates of at least `LEAST_DUPLICATE_TOKENS` tokens; after their numbers, one more tells whether they were cut. */
export const DUPLICATES: StoredValue<Int32Array> = {
  name: 'duplicates',
  compute: columnsOfDuplicates,
  inputs: {
    columns: { file: ['generated', 'content'], structure: ['fingerprints'] },
    isSameText: ({ before, after }, files) =>
      files.every((file) => sortsOfLines(before, file) === sortsOfLines(after, file)),
  },
  pack: bytesOfInts,
  unpack: intsOf,
};

export function storedDuplicates(db: ShardDatabase): StoredDuplicates {
  const columns = storedValue(db, DUPLICATES);
  return {
    count: (columns.length - 1) / WIDTH,
    isCut: columns.at(-1) === 1,
    at: (index) => {
      const [file = 0, line = 0, end = 0, copyFile = 0, copyLine = 0, copyEnd = 0, tokens = 0] = columns.subarray(
        index * WIDTH,
        (index + 1) * WIDTH,
      );
      return { block: { file, line, end }, copy: { file: copyFile, line: copyLine, end: copyEnd }, tokens };
    },
  };
}

function columnsOfDuplicates(db: ShardDatabase): Int32Array {
  const rows = db
    .prepare(
      `select s.file, s.fingerprints from structure s join file f on f.id = s.file
          where s.fingerprints is not null and f.generated = 0 and f.content = 'code' order by s.file`,
    )
    .all() as unknown as { file: number; fingerprints: Uint8Array }[];
  const { duplicates, isCut } = findDuplicates(unpackFingerprints(rows), LEAST_DUPLICATE_TOKENS);
  const candidates = withoutImports(db, duplicates);
  const stored = candidates.slice(0, MOST_STORED);
  const columns = new Int32Array(stored.length * WIDTH + 1);
  for (const [index, { block, copy, tokens }] of stored.entries())
    columns.set([block.file, block.line, block.end, copy.file, copy.line, copy.end, tokens], index * WIDTH);
  columns[stored.length * WIDTH] = isCut || candidates.length > stored.length ? 1 : 0;
  return columns;
}

/** Texts are read by file and line: what lies close together is unpacked once. */
function withoutImports(db: ShardDatabase, candidates: readonly Duplicate[]): Duplicate[] {
  const text = new TextReader(db);
  const imports = new Set(
    candidates
      .filter(({ block }) => block.end - block.line <= MOST_IMPORTS)
      .toSorted((a, b) => a.block.file - b.block.file || a.block.line - b.block.line)
      .filter(({ block }) => areImports(text, block)),
  );
  return candidates.filter((duplicate) => !imports.has(duplicate));
}

/**
 * True if the lines of a block are only imports, which every file with the same imports repeats. They may begin within such a
 * statement.
 */
function areImports(text: TextReader, { file, line, end }: Block): boolean {
  // Of the last line of a block only the beginning may be common.
  const code = text.lines(file, line, end - 1).filter((codeLine) => !COMMENT.test(codeLine));
  if (!code.every((codeLine) => isImport(codeLine) || isPart(codeLine))) return false;
  const [first = ''] = code;
  if (isImport(first)) return true;
  const before = text.lines(file, Math.max(1, line - MOST_IMPORTS), line - 1).toReversed();
  return isImport(before.find((codeLine) => !isPart(codeLine)) ?? '');
}

/** The sort of each line of a file, as `areImports` tells them apart; '' for one that has no blocks. */
function sortsOfLines(db: ShardDatabase, file: number): string {
  const row = db.prepare("select 1 from file where id = ? and generated = 0 and content = 'code'").get(file);
  if (row === undefined) return '';
  return new TextReader(db)
    .lines(file, 1, Infinity)
    .map((line) => String(Number(COMMENT.test(line)) + 2 * Number(isImport(line)) + 4 * Number(isPart(line))))
    .join('');
}

function isPart(line: string): boolean {
  return IMPORT_PART.test(line.trim());
}

function isImport(line: string): boolean {
  return IMPORT.test(line.trim());
}
