import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { namesOfLanguages } from '../../languages/languages.ts';
import { type Block, type Duplicate, findDuplicates } from './duplicates.ts';
import { importCycles } from './import-cycles.ts';
import { type Smell, SMELLS, type SmellThresholds } from './smell-thresholds.ts';
import { fileMask, type FileFilter, type Page, pathOf, TextReader } from '../files/store-files.ts';
import { unpackFingerprints } from '../../code-index/format/structure-codec.ts';

const PROSE = JSON.stringify([...namesOfLanguages(({ isProse }) => isProse === true)]);

/** A class of more methods is too large only when it also has more lines than this. */
const GOD_CLASS_LINES = 500;
/** Files of a cycle that a row names. */
const MOST_NAMED = 20;
/** The head of a statement that takes names from elsewhere. */
const IMPORT =
  /^(import|use|using(?!\s*\()|from|package|namespace|require(_once|_relative)?|#\s*(include|import))\b|^(export\b.*|\}) from\b/;
/** What may stand between the brackets of one: names, texts, and the closing bracket. */
const IMPORT_PART = /^([\w$.* ]+( as \w+)?,?|(\w+ )?"[^"]*"|[)}\]];?)$/;
/** Lines; more are no list of imports. */
const MOST_IMPORTS = 100;

export interface SmellSearch extends FileFilter, Page {
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

interface SmellPage {
  total: number;
  bySmell: Partial<Record<Smell, number>>;
  rows: SmellRow[];
  /** Where circles were looked for: the files of those that only types close, which are no rows. */
  ofTypes: string[][];
}

interface Found extends Omit<SmellRow, 'path' | 'symbol' | 'score' | 'other' | 'files'> {
  file: number;
  symbolId?: number | undefined;
  other?: { file: number; line: number; end: number };
  files?: readonly number[];
}

/**
 * What smells in the searched files, the worst first (how many times its threshold), then by path and line. Generated files
 * are left out. The first question to an index looks at all of it, whatever the path: 50 ms of the processor for 5 MB, under a
 * second for 50 MB, nearly all of it for duplicates. What it finds is kept with the open index, for each part by itself.
 */
export function smells(db: ShardDatabase, search: SmellSearch): SmellPage {
  const mask = fileMask(db, search);
  const wanted = new Set(search.smells === undefined || search.smells.length === 0 ? SMELLS : search.smells);
  const { thresholds } = search;
  const parts = PARTS.filter(({ smells: told }) => told.some((smell) => wanted.has(smell)));
  const all = db.derived(keyOf(parts, thresholds), () => inOrder(db, { parts, thresholds }));
  const found = all.filter(({ smell, file }) => wanted.has(smell) && mask?.[file] !== 0);
  const counts = SMELLS.map((smell) => [smell, found.filter((row) => row.smell === smell).length] as const);
  return {
    total: found.length,
    bySmell: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    rows: found.slice(search.offset, search.offset + search.limit).map((row) => smellRow(db, row)),
    ofTypes: wanted.has('cycle')
      ? importCycles(db)
          .ofTypes.filter(([file = 0]) => mask?.[file] !== 0)
          .map((files) => files.slice(0, MOST_NAMED).map((file) => pathOf(db, file)))
      : [],
  };
}

/** Smells that are looked for together. */
interface Part {
  smells: readonly Smell[];
  find: (db: ShardDatabase, thresholds: SmellThresholds) => Iterable<Found>;
}

const PARTS: readonly Part[] = [
  { smells: ['complexity', 'long_function', 'many_parameters', 'deep_nesting'], find: functionSmells },
  { smells: ['large_file', 'god_class'], find: sizeSmells },
  { smells: ['cycle'], find: (db, { cycle }) => cycleSmells(db, cycle) },
  { smells: ['duplicate'], find: (db, { duplicate }) => duplicateSmells(db, duplicate) },
];

function keyOf(parts: readonly Part[], thresholds: SmellThresholds): string {
  return `smells ${parts.flatMap((part) => part.smells).join()} ${JSON.stringify(thresholds)}`;
}

/** What smells in some parts, in the order of the answer. Each part is looked for once. */
function inOrder(
  db: ShardDatabase,
  { parts, thresholds }: { parts: readonly Part[]; thresholds: SmellThresholds },
): readonly Found[] {
  const [part, ...others] = parts;
  if (part === undefined) return [];
  if (others.length > 0)
    return sortFound(
      parts.flatMap((single) =>
        db.derived(keyOf([single], thresholds), () => inOrder(db, { parts: [single], thresholds })),
      ),
    );
  const generated = generatedFiles(db);
  return sortFound([...part.find(db, thresholds)].filter(({ file }) => !generated.has(file)));
}

function sortFound(found: readonly Found[]): Found[] {
  return found.toSorted(
    (a, b) =>
      severity(b) - severity(a) ||
      a.file - b.file ||
      a.line - b.line ||
      SMELLS.indexOf(a.smell) - SMELLS.indexOf(b.smell),
  );
}

interface MeasureRow {
  file: number;
  line: number;
  end: number;
  symbol: number | null;
  /** A callback of a test: as long as the tests in it. */
  isSuite: number;
  cyclomatic: number;
  cognitive: number;
  nesting: number;
  parameters: number;
  codeLines: number;
}

function* functionSmells(db: ShardDatabase, thresholds: SmellThresholds): Generator<Found> {
  const rows = db
    .prepare(
      `select m.file, m.line, m.end_line as "end", m.symbol, m.itself = 0 and f.test = 1 as isSuite, m.cyclomatic,
           m.cognitive, m.nesting, m.parameters, m.code_lines as codeLines
         from measure m join file f on f.id = m.file where cognitive > ? or code_lines > ? or parameters > ? or nesting > ? order by m.id`,
    )
    .all(
      thresholds.complexity,
      thresholds.long_function,
      thresholds.many_parameters,
      thresholds.deep_nesting,
    ) as unknown as MeasureRow[];
  for (const row of rows) {
    const { file, line, end, cyclomatic } = row;
    const at = { file, line, end, symbolId: row.symbol ?? undefined };
    const values = [
      ['complexity', row.cognitive],
      ['long_function', row.isSuite === 1 ? 0 : row.codeLines],
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
        where s.code_lines > ? and f.language not in (select value from json_each(?))`,
    )
    .all(thresholds.large_file, PROSE) as unknown as { file: number; end: number; value: number }[];
  const classes = db
    .prepare(
      `select c.id as symbolId, c.file, c.line, c.end_line as "end", count(*) as value
         from symbol c join symbol m on m.parent = c.id and m.kind = 'method'
        where c.kind in ('class', 'struct') and c.end_line - c.line >= ? group by c.id having count(*) > ?`,
    )
    .all(GOD_CLASS_LINES, thresholds.god_class) as unknown as Omit<Found, 'smell' | 'threshold'>[];
  return [
    ...files.map((file) => ({ ...file, line: 1, smell: 'large_file' as const, threshold: thresholds.large_file })),
    ...classes.map((row) => ({ ...row, smell: 'god_class' as const, threshold: thresholds.god_class })),
  ];
}

/** Files that import each other in a circle at run time: one row a circle, at its first file. */
function cycleSmells(db: ShardDatabase, threshold: number): Found[] {
  const { atRunTime } = importCycles(db);
  return atRunTime.flatMap((files) =>
    files.length < threshold
      ? []
      : [{ file: files[0] ?? 0, line: 1, end: 1, smell: 'cycle' as const, value: files.length, threshold, files }],
  );
}

function duplicateSmells(db: ShardDatabase, threshold: number): Found[] {
  const rows = db
    .prepare(
      `select s.file, s.fingerprints from structure s join file f on f.id = s.file
          where s.fingerprints is not null and f.generated = 0
           and f.language not in (select value from json_each(?)) order by s.file`,
    )
    .all(PROSE) as unknown as { file: number; fingerprints: Uint8Array }[];
  const found = withoutImports(db, findDuplicates(unpackFingerprints(rows), threshold));
  return found.map(({ block, copy, tokens }) => ({
    ...block,
    smell: 'duplicate',
    value: tokens,
    threshold,
    other: copy,
  }));
}

/** Texts are read by file and line: what lies close together is unpacked once. */
function withoutImports(db: ShardDatabase, found: readonly Duplicate[]): Duplicate[] {
  const text = new TextReader(db);
  const imports = new Set(
    found
      .filter(({ block }) => block.end - block.line <= MOST_IMPORTS)
      .toSorted((a, b) => a.block.file - b.block.file || a.block.line - b.block.line)
      .filter(({ block }) => areImports(text, block)),
  );
  return found.filter((duplicate) => !imports.has(duplicate));
}

/**
 * Whether the lines of a block only say what a file takes from others, which every file that takes the same
 * says. They may begin within such a statement.
 */
function areImports(text: TextReader, { file, line, end }: Block): boolean {
  // Of the last line of a block only the beginning may be common.
  const code = text
    .lines(file, line, end - 1)
    .filter((codeLine) => !/^\s*($|\/\/|\/?\*|#(?!\s*(include|import)\b))/.test(codeLine));
  if (!code.every((codeLine) => isImport(codeLine) || isPart(codeLine))) return false;
  const [first = ''] = code;
  if (isImport(first)) return true;
  const before = text.lines(file, Math.max(1, line - MOST_IMPORTS), line - 1).toReversed();
  return isImport(before.find((codeLine) => !isPart(codeLine)) ?? '');
}

function isPart(line: string): boolean {
  return IMPORT_PART.test(line.trim());
}

function isImport(line: string): boolean {
  return IMPORT.test(line.trim());
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
    ...(files !== undefined && { files: files.slice(0, MOST_NAMED).map((id) => pathOf(db, id)) }),
  };
}

function symbolName(db: ShardDatabase, { file, line, symbolId }: Found): string {
  const row =
    symbolId === undefined
      ? db
          .prepare(
            `select s.qualified from file f join symbol s on s.id >= f.first_symbol and s.id < f.first_symbol + f.symbols
              where f.id = ? and s.line <= ? and s.end_line >= ? order by s.end_line - s.line, s.id desc limit 1`,
          )
          .get(file, line, line)
      : db.prepare('select qualified from symbol where id = ?').get(symbolId);
  return (row as { qualified: string } | undefined)?.qualified ?? '';
}
