import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import type { FileContent, OmittedFiles } from '../../languages/facts/file-content.ts';
import { fileAt, omittedFiles, symbolsOf } from '../files/store-files.ts';
import { symbolRows } from './store-symbols.ts';
import type { SymbolRow } from '../../code-index/format/rows.ts';

/** Size and complexity of a file. */
interface FileSizeRow {
  path: string;
  lines: number;
  test: boolean;
  /** Cognitive complexity of all its functions together; 0 where there are none. */
  complexity: number;
  /** Reason why it is never ranked as code. */
  omitted?: 'data' | 'generated';
}

/** Size of every file that defines something, or is omitted as data or generated, by path; remembered with the open index. */
export function fileSizes(db: ShardDatabase, _question: object): FileSizeRow[] {
  return db.derived('file_sizes', () => {
    const rows = db
      .prepare(
        `select path, lines, test, coalesce(c.complexity, 0) as complexity,
            case when generated = 1 then 'generated' when content = 'data' then 'data' end as omitted from file f
          left join (select file, sum(cognitive) as complexity from measure group by file) c on c.file = f.id
          where generated = 1 or content = 'data' or symbols > 0 order by f.id`,
      )
      .all() as unknown as (Omit<FileSizeRow, 'test' | 'omitted'> & {
      test: number;
      omitted: 'data' | 'generated' | null;
    })[];
    return rows.map(({ path, lines, test, complexity, omitted }) => ({
      path,
      lines,
      test: test === 1,
      complexity,
      ...(omitted !== null && { omitted }),
    }));
  });
}

/**
 * Lines of every file of code that has some, by path, and how many others there are; remembered with the open index. Of a
 * repository without code, those of its data and documents.
 */
export function fileLines(
  db: ShardDatabase,
  _question: object,
): { files: { path: string; lines: number }[]; omitted: OmittedFiles } {
  return db.derived('file_lines', () => {
    const rows = db
      .prepare('select path, lines, content from file where generated = 0 and lines > 0 order by id')
      .all() as { path: string; lines: number; content: FileContent }[];
    const code = rows.filter(({ content }) => content === 'code');
    const omitted = omittedFiles(db, {});
    const shown = code.length > 0 ? code : rows;
    return {
      files: shown.map(({ path, lines }) => ({ path, lines })),
      omitted: code.length > 0 ? omitted : { ...omitted, data: 0, prose: 0 },
    };
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
  const symbolIds = new Set<number>();
  for (const { path, lines } of files) {
    const file = fileAt(db, path);
    if (file === undefined) continue;
    const { first, end } = symbolsOf(db, file);
    for (const [from, to] of lines) {
      const spans = touching.all(first, end, to, from) as unknown as Span[];
      for (const span of spans) if (!isCovered(span, spans, [from, to])) symbolIds.add(span.id);
    }
  }
  return symbolRows(db, [...symbolIds].toSorted((a, b) => a - b).slice(0, limit));
}

/** True if a symbol inside this one holds all of the lines that this one holds. */
function isCovered(span: Span, spans: readonly Span[], [from, to]: readonly [number, number]): boolean {
  const [first, last] = [Math.max(from, span.line), Math.min(to, span.end)];
  return spans.some((other) => other !== span && isInside(other, span) && other.line <= first && other.end >= last);
}

function isInside(inner: Span, outer: Span): boolean {
  const isSame = inner.line === outer.line && inner.end === outer.end;
  return inner.line >= outer.line && inner.end <= outer.end && (!isSame || inner.id > outer.id);
}
