import type { ShardDatabase } from '../shards/shards.ts';
import { fileAt } from './store-files.ts';
import { symbolRows } from './store-symbols.ts';
import type { SymbolRow } from './rows.ts';

/** How much there is in a file. */
export interface FileSizeRow {
  path: string;
  lines: number;
  test: boolean;
}

/** Size of every file that is not generated, by path. About 1 ms for 1,000 files. */
export function fileSizes(db: ShardDatabase, _scope: object): FileSizeRow[] {
  const rows = db.prepare('select path, lines, test from file where generated = 0 order by id').all() as unknown as {
    path: string;
    lines: number;
    test: number;
  }[];
  return rows.map(({ path, lines, test }) => ({ path, lines, test: test === 1 }));
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
    'select id, line, end_line as "end" from symbol where file = ? and line <= ? and end_line >= ? order by id',
  );
  const found = new Set<number>();
  for (const { path, lines } of files) {
    const file = fileAt(db, path);
    if (file === undefined) continue;
    for (const [from, to] of lines) {
      const spans = touching.all(file, to, from) as unknown as Span[];
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
