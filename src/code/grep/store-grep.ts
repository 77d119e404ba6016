import { literalOf, type Need, needOf } from '../pattern/grep-literals.ts';
import { LineMatcher } from '../pattern/grep-matcher.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { InvalidPattern, literalPattern, parsePattern, type Pattern } from '../pattern/grep-pattern.ts';
import type { GrepRow } from '../../code-index/format/rows.ts';
import { type ChunkRow, type FileFilter, fileMask, type Page, pathOf, TextReader } from '../files/store-files.ts';
import { countChunks, trigramsOf } from '../../code-index/format/trigrams.ts';

// oxlint-disable-next-line no-control-regex -- what folds to one character of its own
const ASCII = /^[\x01-\x7F]+$/;

/**
 * Texts in small letters of which every line that satisfies a need has at least one; undefined when that is not sure, as for texts
 * beyond ASCII, whose case is not a matter of single characters.
 */
export function anchorsOf(need: Need): readonly string[] | undefined {
  if (need.type === 'text') return ASCII.test(need.text) ? [need.text.toLowerCase()] : undefined;
  const parts = need.needs.map(anchorsOf);
  const literals = parts.filter((part) => part !== undefined);
  if (need.type === 'any') return literals.length < parts.length ? undefined : [...new Set(literals.flat())];
  // A line that satisfies all needs has an anchor of each: the longest ones are met least.
  return literals.toSorted((a, b) => shortest(b) - shortest(a))[0];
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map((text) => text.length));
}

/** As `matchLines`, for a pattern whose lines have one of the anchors: only lines with one are matched. */
export function matchAnchored(
  matcher: LineMatcher,
  { text, anchors }: { text: string; anchors: readonly string[] },
  report: (line: number, start: number, end: number) => void,
): void {
  const lowerCase = text.toLowerCase();
  // Small letters of some characters are longer: places in the one are not those in the other.
  if (lowerCase.length !== text.length) return matcher.matchLines(text, report);
  const next = anchors.map((anchor) => ({ anchor, at: lowerCase.indexOf(anchor) })).filter(({ at }) => at !== -1);
  let line = 0;
  let counted = 0;
  while (next.length > 0) {
    const at = Math.min(...next.map((one) => one.at));
    const start = text.lastIndexOf('\n', at) + 1;
    const feed = text.indexOf('\n', at);
    const end = feed === -1 ? text.length : feed;
    matcher.matchLines(text.slice(start, end), () => {
      for (; counted < start; line += 1) counted = text.indexOf('\n', counted) + 1;
      report(line, start, end);
    });
    for (const one of next) if (one.at < end) one.at = lowerCase.indexOf(one.anchor, end);
    for (let index = next.length - 1; index >= 0; index -= 1) if (next[index]?.at === -1) next.splice(index, 1);
  }
}

/** As `matchLines`, for a pattern that is one text as it stands. */
export function matchLiteral(
  text: string,
  literal: string,
  report: (line: number, start: number, end: number) => void,
): void {
  let line = 0;
  let counted = 0;
  for (let at = text.indexOf(literal); at !== -1;) {
    const start = text.lastIndexOf('\n', at) + 1;
    const feed = text.indexOf('\n', at);
    const end = feed === -1 ? text.length : feed;
    for (; counted < start; line += 1) counted = text.indexOf('\n', counted) + 1;
    report(line, start, end);
    at = text.indexOf(literal, end);
  }
}

/** Longest line that is given whole, in characters; of a longer one the part around the match. */
const LINE_LIMIT = 1000;
const BEFORE_MATCH = 100;

interface GrepSearch extends FileFilter, Page {
  pattern: string;
  /** False when absent; `(?i)` at the start of the pattern does the same. */
  ignoreCase?: boolean | undefined;
  /** Only these files: 1 for each of them, by id. All when absent. */
  files?: Uint8Array | undefined;
}

interface GrepPage {
  /** Matching lines, exact over all pages. */
  total: number;
  /** Files with a matching line. */
  files: number;
  /** True when the text is no regular expression and was looked for as it stands. */
  literal: boolean;
  rows: GrepRow[];
}

interface Hit {
  file: number;
  line: number;
  text: string;
}

/**
 * Lines that match a regular expression, by path and line. A pattern without three literal characters in a row reads all
 * text; one with them reads what the trigram index suggests. Linear in the text that is read.
 *
 * @throws ServiceError `bad_argument` for patterns that cannot be matched line by line in linear time.
 */
export function grep(db: ShardDatabase, search: GrepSearch): GrepPage {
  const { pattern, literal } = readPattern(search);
  const matcher = new LineMatcher(pattern);
  const mask = fileMask(db, search);
  const end = search.offset + search.limit;
  const hits: Hit[] = [];
  const files = new Set<number>();
  const reader = new TextReader(db);
  let total = 0;
  const need = needOf(pattern);
  const anchors = need === undefined ? undefined : anchorsOf(need);
  const only = literalOf(pattern);
  const take = (chunk: ChunkRow, text: string) => (line: number, from: number, to: number) => {
    if (total >= search.offset && total < end)
      hits.push({ file: chunk.file, line: chunk.line + line, text: text.slice(from, to) });
    files.add(chunk.file);
    total++;
  };
  for (const chunk of candidates(db, need)) {
    if (mask?.[chunk.file] === 0 || search.files?.[chunk.file] === 0) continue;
    if (db.cancelled()) break;
    const text = reader.text(chunk);
    if (only !== undefined) matchLiteral(text, only, take(chunk, text));
    else if (anchors === undefined) matcher.matchLines(text, take(chunk, text));
    else matchAnchored(matcher, { text, anchors }, take(chunk, text));
  }
  return { total, files: files.size, literal, rows: hits.map((hit) => rowOf(db, hit, matcher)) };
}

/** The literals that a pattern needs, or nothing when there are none. @throws ServiceError as `grep`. */
export function readNeed(pattern: string): Need | undefined {
  return needOf(readPattern({ pattern }).pattern);
}

function readPattern({ pattern, ignoreCase = false }: Pick<GrepSearch, 'pattern' | 'ignoreCase'>): {
  pattern: Pattern;
  literal: boolean;
} {
  try {
    return { pattern: parsePattern(pattern, ignoreCase), literal: false };
  } catch (error) {
    if (!(error instanceof InvalidPattern)) throw error;
    return { pattern: literalPattern(pattern, ignoreCase), literal: true };
  }
}

const COLUMNS = 'file, line, block, start, size_bytes as sizeBytes';

/** The chunks that may have a matching line, in order. */
function* candidates(db: ShardDatabase, need: Need | undefined): Generator<ChunkRow> {
  const mask = need === undefined ? undefined : new ChunkIndex(db).chunksWith(need);
  if (mask === undefined) {
    yield* db.prepare(`select ${COLUMNS} from chunk order by id`).iterate() as unknown as Iterable<ChunkRow>;
    return;
  }
  const select = db.prepare(`select ${COLUMNS} from chunk where id = ?`);
  for (let chunk = mask.indexOf(1); chunk !== -1; chunk = mask.indexOf(1, chunk + 1))
    yield select.get(chunk) as unknown as ChunkRow;
}

/** The trigram index, which is asked once for each text of one pattern. */
class ChunkIndex {
  readonly #db: ShardDatabase;
  readonly #masks = new Map<string, Uint8Array | undefined>();

  constructor(db: ShardDatabase) {
    this.#db = db;
  }

  /** 1 for each chunk whose trigrams satisfy the need, or nothing when they cannot tell. */
  chunksWith(need: Need): Uint8Array | undefined {
    if (need.type === 'text') return this.#chunksWithText(need.text)?.slice();
    const masks = need.needs.map((part) => this.chunksWith(part));
    const present = masks.filter((mask) => mask !== undefined);
    const [first, ...others] = present;
    if (first === undefined || (need.type === 'any' && present.length < masks.length)) return undefined;
    for (const other of others)
      for (let chunk = 0; chunk < first.length; chunk++)
        first[chunk] =
          need.type === 'all' ? (first[chunk] ?? 0) & (other[chunk] ?? 0) : (first[chunk] ?? 0) | (other[chunk] ?? 0);
    return first;
  }

  #chunksWithText(text: string): Uint8Array | undefined {
    if (!this.#masks.has(text)) this.#masks.set(text, chunksWithText(this.#db, text));
    return this.#masks.get(text);
  }
}

function chunksWithText(db: ShardDatabase, text: string): Uint8Array | undefined {
  const trigrams = trigramsOf(text);
  if (trigrams.size === 0) return undefined;
  const counts = new Uint16Array(chunkCount(db));
  const select = db.prepare('select postings from gram where pair = ?');
  for (const trigram of trigrams) {
    const row = select.get(trigram >> 7) as { postings: Uint8Array } | undefined;
    if (row !== undefined) countChunks(row.postings, trigram, counts);
  }
  const mask = new Uint8Array(counts.length);
  for (let chunk = 0; chunk < counts.length; chunk++) mask[chunk] = counts[chunk] === trigrams.size ? 1 : 0;
  return mask;
}

function chunkCount(db: ShardDatabase): number {
  return db.derived('chunks', () => Number(db.prepare('select count(*) as chunks from chunk').get()?.['chunks']));
}

function rowOf(db: ShardDatabase, { file, line, text }: Hit, matcher: LineMatcher): GrepRow {
  const column = matcher.firstColumn(text);
  const from = column + BEFORE_MATCH > LINE_LIMIT ? column - BEFORE_MATCH : 0;
  return { path: pathOf(db, file), line, column, text: text.slice(from, from + LINE_LIMIT) };
}
