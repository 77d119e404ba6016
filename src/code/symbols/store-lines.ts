import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { fileAt, symbolsOf } from '../files/store-files.ts';
import { symbolRows } from './store-symbols.ts';
import type { SymbolRow } from '../../code-index/format/rows.ts';

/** How much there is in a file. */
interface FileSizeRow {
  path: string;
  lines: number;
  test: boolean;
  /** Cognitive complexity of all its functions together; 0 where there are none. */
  complexity: number;
}

/** Size of every file that defines something and is not generated, by path; kept while the index is open. */
export function fileSizes(db: ShardDatabase, _question: object): FileSizeRow[] {
  return db.derived('file_sizes', () => {
    const rows = db
      .prepare(
        `select path, lines, test, coalesce(c.complexity, 0) as complexity from file f
          left join (select file, sum(cognitive) as complexity from measure group by file) c on c.file = f.id
          where generated = 0 and symbols > 0 order by f.id`,
      )
      .all() as unknown as (Omit<FileSizeRow, 'test'> & { test: number })[];
    return rows.map(({ path, lines, test, complexity }) => ({ path, lines, test: test === 1, complexity }));
  });
}

/** Lines of every file that is not generated and has some, by path; kept while the index is open. */
export function fileLines(db: ShardDatabase, _question: object): { path: string; lines: number }[] {
  return db.derived('file_lines', () => {
    const rows = db.prepare('select path, lines from file where generated = 0 and lines > 0 order by id').all();
    return (rows as { path: string; lines: number }[]).map(({ path, lines }) => ({ path, lines }));
  });
}

interface Span {
  id: number;
  line: number;
  end: number;
}

/**
 * The innermost symbols that some lines lie in, in order, at most `limit`. `lines` are pairs of first and last line,
 * 1-based.
 */
export function symbolsOnLines(
  db: ShardDatabase,
  {
    files,
    limit,
  }: { files: readonly { path: string; lines: readonly (readonly [number, number])[] }[]; limit: number },
): SymbolRow[] {
  const touching = db.prepare(
    `select id, line, end_line as "end" from symbol where id >= ? and id < ? and line <= ? and end_line >= ?
      order by id`,
  );
  const found = new Set<number>();
  for (const { path, lines } of files) {
    const file = fileAt(db, path);
    if (file === undefined) continue;
    const { first, end } = symbolsOf(db, file);
    for (const [from, to] of lines) {
      const spans = touching.all(first, end, to, from) as unknown as Span[];
      for (const span of spans) if (!isCovered(span, spans, [from, to])) found.add(span.id);
    }
  }
  return symbolRows(db, [...found].toSorted((a, b) => a - b).slice(0, limit));
}

/** Whether a symbol inside this one holds all of the lines that this one holds. */
function isCovered(span: Span, spans: readonly Span[], [from, to]: readonly [number, number]): boolean {
  const [first, last] = [Math.max(from, span.line), Math.min(to, span.end)];
  return spans.some((other) => other !== span && isInside(other, span) && other.line <= first && other.end >= last);
}

function isInside(inner: Span, outer: Span): boolean {
  const isSame = inner.line === outer.line && inner.end === outer.end;
  return inner.line >= outer.line && inner.end <= outer.end && (!isSame || inner.id > outer.id);
}
