import { zstdDecompressSync } from 'node:zlib';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import {
  countOmitted,
  type LanguageFile,
  languageShares,
  type OmittedFiles,
} from '../../languages/facts/file-content.ts';
import { LineMatcher } from '../pattern/grep-matcher.ts';
import { parsePattern } from '../pattern/grep-pattern.ts';
import type { UnreadFiles } from '../../kernel/unread-files.ts';
import type { TestFilter } from '../../code-index/format/rows.ts';
import { cleanPath, fileMeant, filesMeant } from './store-paths.ts';

/** Narrows a query to files: `path` is a file, a folder or a glob. */
export interface FileFilter {
  path?: string | undefined;
  tests?: TestFilter | undefined;
}

/** A page of rows in a stable order. */
export interface Page {
  limit: number;
  offset: number;
}

/** Lines of a file: `lines[0]` is line `from`. `total` is how many the file has. */
interface SourceRow {
  path: string;
  from: number;
  to: number;
  total: number;
  lines: string[];
  /** Reason why the index does not have all of the file; absent when it has. */
  reason?: string;
}

/** Files and lines that the index covers. */
interface Coverage {
  files: number;
  parsed: number;
  /** Files with at least one symbol. */
  withSymbols: number;
  /** Files that could not be read whole, by path, and why; at most 100. `unparsed` counts all. */
  failed: { path: string; reason: string }[];
  unparsed: number;
  symbols: number;
  lines: number;
  /** Share of each language in the bytes of the code, largest first. Adds up to 1. */
  languages: Record<string, number>;
  /** Files that the shares of languages do not count. */
  omitted: OmittedFiles;
}

const DECODER = new TextDecoder();
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A whole block comes out in one piece: a third less memory in a busy thread than in the default pieces of 16 KiB. */
const DECOMPRESS = { chunkSize: 64 * 1024 };

/**
 * Files that a filter selects: one byte a file id, 1 or 0; `undefined` when it selects all. A path that names nothing gives
 * zeros. Globs know `*`, `**`, `?`, `[a-z]`, `{a,b}`; one without `/` fits a name in any folder; one that fits a folder holds
 * what is inside. The end of a path (`client.ts`) holds the files that end so, when nothing else fits.
 */
export function fileMask(db: ShardDatabase, { path, tests = 'include' }: FileFilter): Uint8Array | undefined {
  const cleaned = cleanPath(path ?? '');
  const everywhere = cleaned === '' || cleaned === '.';
  if (everywhere && tests === 'include') return undefined;
  const isTest = testFlags(db);
  const mask = everywhere ? new Uint8Array(isTest.length).fill(1) : pathMask(db, cleaned, path);
  if (tests === 'include') return mask;
  const selectedFlag = tests === 'only' ? 1 : 0;
  return mask.map((inside, file) => (inside === 1 && isTest[file] === selectedFlag ? 1 : 0));
}

/** Counts the files that a filter selects: tells a wrong path from a right one without hits. */
export function countFiles(db: ShardDatabase, filter: FileFilter): number {
  const mask = fileMask(db, filter);
  return mask === undefined ? testFlags(db).length : mask.reduce((sum, inside) => sum + inside, 0);
}

/**
 * Files that a filter keeps and that are not in the index whole: those without text first, then those without symbols, then by
 * path; at most `limit`, each with the reason; `total` counts all. One scan of the files that have a reason.
 */
export function unreadFiles(db: ShardDatabase, { limit, ...filter }: FileFilter & { limit: number }): UnreadFiles {
  const mask = fileMask(db, filter);
  const rows = db
    .prepare(
      `select id, path, reason from file f where reason is not null
        order by case parsed
          when 'failed' then exists (select 1 from chunk c where c.file = f.id)
          when 'full' then 3 else 2 end, id`,
    )
    .all() as unknown as { id: number; path: string; reason: string }[];
  const inside = rows.filter(({ id }) => mask === undefined || mask[id] === 1);
  return { total: inside.length, files: inside.slice(0, limit).map(({ path, reason }) => ({ path, reason })) };
}

/** 1 for each file of test code. */
export function testFlags(db: ShardDatabase): Uint8Array {
  return db.derived('file_test', () => dense(db, 'file_test'));
}

/** The id of the first symbol of each file. */
export function firstSymbols(db: ShardDatabase): Int32Array {
  return db.derived('file_first_symbol', () => {
    // Copied, because the blob may not lie on a four-byte boundary.
    const bytes = dense(db, 'file_first_symbol').slice();
    return new Int32Array(bytes.buffer, 0, bytes.length / 4);
  });
}

/**
 * The ids of the symbols of a file: from `first` up to, and without, `end`. Symbols lie by file and have no index by it: a
 * question about one file that does not ask by ids reads all symbols of the repository.
 */
export function symbolsOf(db: ShardDatabase, file: number): { first: number; end: number } {
  const row = db
    .prepare('select first_symbol as first, first_symbol + symbols as end from file where id = ?')
    .get(file);
  return (row as { first: number; end: number } | undefined) ?? { first: 0, end: 0 };
}

/** One blob of the table `dense`. */
export function dense(db: ShardDatabase, name: string): Uint8Array {
  const row = db.prepare('select data from dense where name = ?').get(name) as { data: Uint8Array } | undefined;
  return row?.data ?? new Uint8Array(0);
}

export function pathOf(db: ShardDatabase, file: number): string {
  return (db.prepare('select path from file where id = ?').get(file) as { path: string } | undefined)?.path ?? '';
}

/** The id of the file at exactly this path, or nothing. */
export function fileAt(db: ShardDatabase, path: string): number | undefined {
  return (db.prepare('select id from file where path = ?').get(path) as { id: number } | undefined)?.id;
}

/** Lines `from` to `to` of a file, or nothing when it is not in the index. Lines past the end are left out. */
export function sourceOf(
  db: ShardDatabase,
  { path: given, from, to }: { path: string; from: number; to: number },
): SourceRow | undefined {
  const path = fileMeant(db, { path: given });
  const file = db.prepare('select id, lines, reason from file where path = ?').get(path ?? '') as
    | { id: number; lines: number; reason: string | null }
    | undefined;
  if (path === undefined || file === undefined) return undefined;
  const first = Math.max(1, from);
  const lines = new TextReader(db).lines(file.id, first, Math.max(first, to));
  const { lines: total, reason } = file;
  return { path, from: first, to: first + lines.length - 1, total, lines, ...(reason !== null && { reason }) };
}

/** Counts over all files; reads the whole file table. */
export function coverage(db: ShardDatabase, _question: object): Coverage {
  const sums = db
    .prepare(
      `select count(*) as files, coalesce(sum(parsed = 'full'), 0) as parsed,
              coalesce(sum(symbols > 0), 0) as withSymbols, coalesce(sum(symbols), 0) as symbols,
         coalesce(sum(lines), 0) as lines from file`,
    )
    .get() as { files: number; parsed: number; withSymbols: number; symbols: number; lines: number };
  const failed = db
    .prepare(
      `select path, coalesce(reason, 'only definitions are known') as reason
         from file where parsed <> 'full' order by id limit 100`,
    )
    .all() as unknown as { path: string; reason: string }[];
  const contents = codeContents(db);
  return {
    ...sums,
    failed,
    unparsed: sums.files - sums.parsed,
    languages: languageShares(contents),
    omitted: countOmitted(contents),
  };
}

/** Content kind of each file, by id; remembered with the open index. */
export function codeContents(db: ShardDatabase): readonly LanguageFile[] {
  return db.derived('file_contents', () => {
    const rows = db
      .prepare('select language, size_bytes as sizeBytes, content, generated from file order by id')
      .all() as unknown as (Omit<LanguageFile, 'generated'> & { generated: number })[];
    return rows.map((row) => ({ ...row, generated: row.generated === 1 }));
  });
}

/** Counts the files that a filter selects and that are never ranked as code. */
export function omittedFiles(db: ShardDatabase, filter: FileFilter): OmittedFiles {
  const mask = fileMask(db, filter);
  return countOmitted(codeContents(db).filter((_, id) => mask?.[id] !== 0));
}

/** A piece of one file as it is stored: whole lines from `line` on. */
export interface ChunkRow {
  file: number;
  line: number;
  block: number;
  start: number;
  sizeBytes: number;
}

/** Reads text for one query; keeps the last block, because neighbours are asked for in a row. */
export class TextReader {
  readonly #db: ShardDatabase;
  #block: { id: number; bytes: Uint8Array } | undefined;

  constructor(db: ShardDatabase) {
    this.#db = db;
  }

  /** The text of a chunk, its line ends made `\n`. */
  text(chunk: ChunkRow): string {
    const text = DECODER.decode(this.#bytes(chunk));
    return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
  }

  #bytes({ block, start, sizeBytes }: ChunkRow): Uint8Array {
    if (this.#block?.id !== block) {
      const row = this.#db.prepare('select text from block where id = ?').get(block) as
        | { text: Uint8Array }
        | undefined;
      if (row === undefined) throw new Error(`The shard has no block ${block}.`);
      this.#block = { id: block, bytes: zstdDecompressSync(row.text, DECOMPRESS) };
    }
    return this.#block.bytes.subarray(start, start + sizeBytes);
  }

  /** Lines `from` to `to` of a file, as far as they exist. */
  lines(file: number, from: number, to: number): string[] {
    const chunks = this.#db
      .prepare(
        `select file, line, block, start, size_bytes as sizeBytes from chunk
          where file = ?1 and line <= ?3
            and line >= coalesce((select max(line) from chunk where file = ?1 and line <= ?2), 0)
          order by line`,
      )
      .all(file, from, to) as unknown as ChunkRow[];
    return chunks.flatMap((chunk) => linesOf(this.#bytes(chunk), from - chunk.line, to - chunk.line));
  }
}

/**
 * Lines `from` to `to` of a chunk, counted from 0, as far as they exist; its last line feed starts no further line. Only
 * these are decoded: a query asks for one line of each of many chunks.
 */
function linesOf(bytes: Uint8Array, from: number, to: number): string[] {
  let start = 0;
  for (let line = 0; line < from; line += 1) {
    const end = bytes.indexOf(LINE_FEED, start);
    if (end === -1) return [];
    start = end + 1;
  }
  const lines: string[] = [];
  for (let line = Math.max(0, from); line <= to && start < bytes.length; line += 1) {
    const end = bytes.indexOf(LINE_FEED, start);
    if (end === -1) return [...lines, DECODER.decode(bytes.subarray(start))];
    lines.push(DECODER.decode(bytes.subarray(start, bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end)));
    start = end + 1;
  }
  return lines;
}

function pathMask(db: ShardDatabase, path: string, given = path): Uint8Array {
  const mask = new Uint8Array(testFlags(db).length);
  // '0' is the character after '/'.
  const rows = db
    .prepare('select id from file where path = ?1 or (path >= ?2 and path < ?3)')
    .all(path, `${path}/`, `${path}0`) as { id: number }[];
  for (const { id } of rows) mask[id] = 1;
  if (rows.length === 0 && /[*?[{]/.test(path)) {
    const paths = db.derived('paths', () => allPaths(db));
    forEachMatch(paths, path, (file) => {
      mask[file] = 1;
    });
  } else if (rows.length === 0) {
    for (const file of filesMeant(db, given)) mask[file] = 1;
  }
  return mask;
}

function allPaths(db: ShardDatabase): string {
  const rows = db.prepare('select path from file order by id').all() as { path: string }[];
  // A path may hold a line feed; one file must stay one line.
  return rows.map(({ path }) => path.replaceAll('\n', ' ')).join('\n');
}

/**
 * Calls with the index of each path that a glob fits: `*`, `**`, `?`, `[a-z]`, `{a,b}`; one without `/` fits a name in any
 * folder; one that fits a folder holds what is inside. `paths` has one path a line. Linear in their length.
 */
export function forEachMatch(paths: string, glob: string, report: (index: number) => void): void {
  new LineMatcher(parsePattern(globPattern(glob), false)).matchLines(paths, report);
}

/** The glob as a pattern over whole paths. */
function globPattern(glob: string): string {
  let pattern = '';
  let braces = 0;
  for (const [part] of glob.matchAll(/\*\*\/|\*\*|\[!?[^\]]+\]|./gsu)) {
    if (part === '**/') pattern += '(?:.*/)?';
    else if (part === '**') pattern += '.*';
    else if (part === '*') pattern += '[^/]*';
    else if (part === '?') pattern += '[^/]';
    else if (part.length > 1 && part.startsWith('['))
      pattern += part
        .replace('[!', '[^')
        .replaceAll('\\', '\\\\')
        .replace(/\[(?=.*\[)/, '[');
    else if (part === '{') [braces, pattern] = [braces + 1, `${pattern}(?:`];
    else if (part === '}' && braces > 0) [braces, pattern] = [braces - 1, `${pattern})`];
    else if (part === ',' && braces > 0) pattern += '|';
    else pattern += part.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`);
  }
  const anywhere = glob.includes('/') ? '' : '(?:.*/)?';
  return `^${anywhere}${pattern}${')'.repeat(braces)}(?:/.*)?$`;
}
