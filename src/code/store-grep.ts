import type { ShardDatabase } from '../shards/shards.ts';
import { trigramQuery } from './grep-literals.ts';
import { LineMatcher } from './grep-matcher.ts';
import { InvalidPattern, literalPattern, parsePattern, type Pattern } from './grep-pattern.ts';
import type { GrepRow } from './rows.ts';
import { fileMask, pathOf, TextReader, type ChunkRow, type FileScope, type Page } from './store-files.ts';

/** Longest line that is given whole, in characters; of a longer one the part around the match. */
const LINE_LIMIT = 1000;
const BEFORE_MATCH = 100;

export interface GrepSearch extends FileScope, Page {
  pattern: string;
  /** False when absent; `(?i)` at the start of the pattern does the same. */
  ignoreCase?: boolean | undefined;
}

export interface GrepPage {
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
  for (const chunk of candidates(db, trigramQuery(pattern))) {
    if (mask?.[chunk.file] === 0) continue;
    if (db.cancelled()) break;
    const text = reader.text(chunk);
    matcher.matchLines(text, (line, from, to) => {
      if (total >= search.offset && total < end)
        hits.push({ file: chunk.file, line: chunk.line + line, text: text.slice(from, to) });
      files.add(chunk.file);
      total++;
    });
  }
  return { total, files: files.size, literal, rows: hits.map((hit) => rowOf(db, hit, matcher)) };
}

function readPattern({ pattern, ignoreCase = false }: GrepSearch): { pattern: Pattern; literal: boolean } {
  try {
    return { pattern: parsePattern(pattern, ignoreCase), literal: false };
  } catch (error) {
    if (!(error instanceof InvalidPattern)) throw error;
    return { pattern: literalPattern(pattern, ignoreCase), literal: true };
  }
}

function candidates(db: ShardDatabase, query: string | undefined): Iterable<ChunkRow> {
  const columns = 'c.file, c.line, c.block, c.start, c.size_bytes as sizeBytes';
  const rows =
    query === undefined
      ? db.prepare(`select ${columns} from chunk c order by c.id`).iterate()
      : db
          .prepare(`select ${columns} from gram g join chunk c on c.id = g.rowid where gram match ? order by g.rowid`)
          .iterate(query);
  return rows as unknown as Iterable<ChunkRow>;
}

function rowOf(db: ShardDatabase, { file, line, text }: Hit, matcher: LineMatcher): GrepRow {
  const column = matcher.firstColumn(text);
  const from = column + BEFORE_MATCH > LINE_LIMIT ? column - BEFORE_MATCH : 0;
  return { path: pathOf(db, file), line, column, text: text.slice(from, from + LINE_LIMIT) };
}
