import type { ShardDatabase } from '../shards/shards.ts';
import { findCycles } from './cycles.ts';
import { findDuplicates } from './duplicates.ts';
import { relationBit } from './relations.ts';
import { type Smell, SMELLS, type SmellThresholds } from './smell-thresholds.ts';
import { unpackReferences } from './store-codec.ts';
import { fileMask, type FileScope, type Page, pathOf } from './store-files.ts';
import { unpackFingerprints } from './structure-codec.ts';

/** A class of more methods is too large only when it also has more lines than this. */
const GOD_CLASS_LINES = 500;
/** Files of a cycle that a row names. */
const MOST_NAMED = 20;

export interface SmellSearch extends FileScope, Page {
  thresholds: SmellThresholds;
  /** Only these; all when absent or empty. */
  smells?: readonly Smell[] | undefined;
}

export interface SmellRow {
  path: string;
  line: number;
  end: number;
  /** Qualified name of the function or class, or of what is around the lines; '' for none. */
  symbol: string;
  smell: Smell;
  value: number;
  threshold: number;
  /** How many times the threshold: what ranks. */
  score: number;
  /** Of a complexity: paths through the function (McCabe). */
  cyclomatic?: number;
  /** Of a duplicate: where it stands too. */
  other?: { path: string; line: number; end: number };
  /** Of a cycle: its files, at most 20. */
  files?: string[];
}

interface Found extends Omit<SmellRow, 'path' | 'symbol' | 'score' | 'other' | 'files'> {
  file: number;
  symbolId?: number | undefined;
  other?: { file: number; line: number; end: number };
  files?: readonly number[];
}

/**
 * What smells in the files in scope, the worst first (how many times its threshold), then by path and line. Generated files
 * are left out. The first question to an index looks for duplicates in all of it (about a second for 50 MB).
 */
export function smells(
  db: ShardDatabase,
  search: SmellSearch,
): { total: number; bySmell: Partial<Record<Smell, number>>; rows: SmellRow[] } {
  const mask = fileMask(db, search);
  const wanted = new Set(search.smells === undefined || search.smells.length === 0 ? SMELLS : search.smells);
  const generated = db.derived('generated_files', () => generatedFiles(db));
  const { thresholds } = search;
  const found = [
    ...functionSmells(db, thresholds),
    ...sizeSmells(db, thresholds),
    ...(wanted.has('cycle') ? cycleSmells(db, thresholds.cycle) : []),
    ...(wanted.has('duplicate') ? duplicateSmells(db, thresholds.duplicate) : []),
  ].filter(({ smell, file }) => wanted.has(smell) && mask?.[file] !== 0 && !generated.has(file));
  found.sort(
    (a, b) =>
      severity(b) - severity(a) ||
      a.file - b.file ||
      a.line - b.line ||
      SMELLS.indexOf(a.smell) - SMELLS.indexOf(b.smell),
  );
  const counts = SMELLS.map((smell) => [smell, found.filter((one) => one.smell === smell).length] as const);
  return {
    total: found.length,
    bySmell: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    rows: found.slice(search.offset, search.offset + search.limit).map((one) => smellRow(db, one)),
  };
}

interface MeasureRow {
  file: number;
  line: number;
  end: number;
  symbol: number | null;
  cyclomatic: number;
  cognitive: number;
  nesting: number;
  parameters: number;
  codeLines: number;
}

function* functionSmells(db: ShardDatabase, thresholds: SmellThresholds): Generator<Found> {
  const rows = db
    .prepare(
      `select file, line, end_line as "end", symbol, cyclomatic, cognitive, nesting, parameters, code_lines as codeLines
         from measure where cognitive > ? or code_lines > ? or parameters > ? or nesting > ? order by id`,
    )
    .iterate(
      thresholds.complexity,
      thresholds.long_function,
      thresholds.many_parameters,
      thresholds.deep_nesting,
    ) as Iterable<MeasureRow>;
  for (const row of rows) {
    const { file, line, end, cyclomatic } = row;
    const at = { file, line, end, symbolId: row.symbol ?? undefined };
    const values = [
      ['complexity', row.cognitive],
      ['long_function', row.codeLines],
      ['many_parameters', row.parameters],
      ['deep_nesting', row.nesting],
    ] as const;
    for (const [smell, value] of values) {
      const threshold = thresholds[smell];
      if (value > threshold) yield { ...at, smell, value, threshold, ...(smell === 'complexity' && { cyclomatic }) };
    }
  }
}

function sizeSmells(db: ShardDatabase, thresholds: SmellThresholds): Found[] {
  const files = db
    .prepare(
      `select s.file, f.lines as "end", s.code_lines as value from structure s join file f on f.id = s.file
        where s.code_lines > ? and f.language <> 'Markdown'`,
    )
    .all(thresholds.large_file) as unknown as { file: number; end: number; value: number }[];
  const classes = db
    .prepare(
      `select c.id as symbolId, c.file, c.line, c.end_line as "end", count(*) as value
         from symbol c join symbol m on m.parent = c.id and m.kind = 'method'
        where c.kind in ('class', 'struct') and c.end_line - c.line >= ? group by c.id having count(*) > ?`,
    )
    .all(GOD_CLASS_LINES, thresholds.god_class) as unknown as Omit<Found, 'smell' | 'threshold'>[];
  return [
    ...files.map((one) => ({ ...one, line: 1, smell: 'large_file' as const, threshold: thresholds.large_file })),
    ...classes.map((one) => ({ ...one, smell: 'god_class' as const, threshold: thresholds.god_class })),
  ];
}

/** Files that import each other in a circle: one row a circle, at its first file. */
function cycleSmells(db: ShardDatabase, threshold: number): Found[] {
  const groups = db.derived('import_cycles', () => {
    const imports = relationBit('imports');
    const rows = db.prepare('select file, depends from file_edge where depends is not null').all() as unknown as {
      file: number;
      depends: Uint8Array;
    }[];
    const targets = new Map(
      rows.map(({ file, depends }) => [
        file,
        unpackReferences(depends).flatMap(({ target, uses }) => ((uses & imports) === 0 ? [] : [target])),
      ]),
    );
    const { files } = db.prepare('select count(*) as files from file').get() as { files: number };
    return findCycles(files, (file) => targets.get(file) ?? []);
  });
  return groups.flatMap((files) =>
    files.length < threshold
      ? []
      : [{ file: files[0] ?? 0, line: 1, end: 1, smell: 'cycle' as const, value: files.length, threshold, files }],
  );
}

function duplicateSmells(db: ShardDatabase, threshold: number): Found[] {
  const found = db.derived(`duplicates ${threshold}`, () => {
    const rows = db
      .prepare(
        `select s.file, s.fingerprints from structure s join file f on f.id = s.file
          where s.fingerprints is not null and f.generated = 0 and f.language <> 'Markdown' order by s.file`,
      )
      .iterate() as Iterable<{ file: number; fingerprints: Uint8Array }>;
    const prints = new Map(
      Array.from(rows, ({ file, fingerprints }) => [file, unpackFingerprints(fingerprints)] as const),
    );
    return findDuplicates(prints, threshold);
  });
  return found.map(({ block, copy, tokens }) => ({
    ...block,
    smell: 'duplicate',
    value: tokens,
    threshold,
    other: copy,
  }));
}

function severity({ value, threshold }: Found): number {
  return value / threshold;
}

function generatedFiles(db: ShardDatabase): Set<number> {
  const rows = db.prepare('select id from file where generated = 1').all() as { id: number }[];
  return new Set(rows.map(({ id }) => id));
}

function smellRow(db: ShardDatabase, found: Found): SmellRow {
  const { file, line, end, smell, value, threshold, cyclomatic, other, files } = found;
  return {
    path: pathOf(db, file),
    line,
    end,
    symbol: smell === 'cycle' || smell === 'large_file' ? '' : symbolName(db, found),
    smell,
    value,
    threshold,
    score: Math.round((100 * value) / threshold) / 100,
    ...(cyclomatic !== undefined && { cyclomatic }),
    ...(other !== undefined && { other: { path: pathOf(db, other.file), line: other.line, end: other.end } }),
    ...(files !== undefined && { files: files.slice(0, MOST_NAMED).map((one) => pathOf(db, one)) }),
  };
}

function symbolName(db: ShardDatabase, { file, line, symbolId }: Found): string {
  const row =
    symbolId === undefined
      ? db
          .prepare(
            `select qualified from symbol where file = ? and line <= ? and end_line >= ?
              order by end_line - line, id desc limit 1`,
          )
          .get(file, line, line)
      : db.prepare('select qualified from symbol where id = ?').get(symbolId);
  return (row as { qualified: string } | undefined)?.qualified ?? '';
}
