import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { IntList } from '../../kernel/int-list.ts';
import { importCycles } from './import-cycles.ts';
import { type Smell, SMELLS, type SmellThresholds } from './smell-thresholds.ts';
import { storedDuplicates } from './stored-duplicates.ts';
import { codeContents, fileMask, type FileFilter, type Page, pathOf } from '../files/store-files.ts';

/** A class of more methods is too large only when it also has more lines than this. */
const GOD_CLASS_LINES = 500;
/** Files of a cycle that a row names. */
const MOST_NAMED = 20;
/** Rows of one index that are ranked; a repository with more has its worst ones among them. */
const MOST_RANKED = 500_000;

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
  /** Value as a multiple of the threshold: ranks the rows. */
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
  /** True if there are more than are counted. */
  isCut: boolean;
  rows: SmellRow[];
  /** Files of import circles that only types close, which are no rows; present where circles were searched. */
  ofTypes: string[][];
}

interface RankedSmell extends Omit<SmellRow, 'path' | 'symbol' | 'score' | 'other' | 'files'> {
  file: number;
  symbolId?: number | undefined;
  other?: { file: number; line: number; end: number };
  files?: readonly number[];
}

/**
 * Code smells in the searched files, the worst first (by the multiple of its threshold), then by path and line. Generated
 * files, data and prose are omitted. Duplicates and circles are found with the index; the others are one scan of a table. The
 * ranking of all is remembered with the open index, 28 bytes a row.
 */
export function smells(db: ShardDatabase, search: SmellSearch): SmellPage {
  const mask = fileMask(db, search);
  const isRequested = SMELLS.map(
    (smell) => search.smells === undefined || search.smells.length === 0 || search.smells.includes(smell),
  );
  const { thresholds } = search;
  const ranking = db.derived(`smells ${JSON.stringify(thresholds)}`, () => rankSmells(db, thresholds));
  const counts = SMELLS.map(() => 0);
  const page: number[] = [];
  let total = 0;
  for (const at of ranking.order) {
    const smell = ranking.smells.at(at);
    if (isRequested[smell] !== true || mask?.[ranking.files.at(at)] === 0) continue;
    counts[smell] = (counts[smell] ?? 0) + 1;
    if (total >= search.offset && page.length < search.limit) page.push(at);
    total += 1;
  }
  const bySmell = SMELLS.map((smell, index) => [smell, counts[index] ?? 0] as const);
  return {
    total,
    bySmell: Object.fromEntries(bySmell.filter(([, count]) => count > 0)),
    isCut: ranking.isCut,
    rows: page.map((at) => smellRow(db, smellAt(db, ranking, { at, thresholds }))),
    ofTypes: isRequested[SMELLS.indexOf('cycle')]
      ? importCycles(db)
          .ofTypes.filter(([file = 0]) => mask?.[file] !== 0)
          .map((files) => files.slice(0, MOST_NAMED).map((file) => pathOf(db, file)))
      : [],
  };
}

/** Code smells of an index as columns, and their order, the worst first. */
interface Ranking {
  files: IntList;
  lines: IntList;
  ends: IntList;
  /** Index in SMELLS. */
  smells: IntList;
  values: IntList;
  /** The symbol, or the place among the duplicates or circles; -1 for none. */
  references: IntList;
  /** Of a complexity: paths through the function. */
  cyclomatics: IntList;
  order: Uint32Array;
  isCut: boolean;
}

function rankSmells(db: ShardDatabase, thresholds: SmellThresholds): Ranking {
  const ranking: Ranking = {
    files: new IntList(),
    lines: new IntList(),
    ends: new IntList(),
    smells: new IntList(),
    values: new IntList(),
    references: new IntList(),
    cyclomatics: new IntList(),
    order: new Uint32Array(0),
    isCut: false,
  };
  const contents = codeContents(db);
  const add = ({ file, line, end, smell, value, reference = -1, cyclomatic = 0 }: Finding): void => {
    if (contents[file]?.generated === true || contents[file]?.content !== 'code') return;
    if (ranking.files.length >= MOST_RANKED) {
      ranking.isCut = true;
      return;
    }
    ranking.files.push(file);
    ranking.lines.push(line);
    ranking.ends.push(end);
    ranking.smells.push(SMELLS.indexOf(smell));
    ranking.values.push(value);
    ranking.references.push(reference);
    ranking.cyclomatics.push(cyclomatic);
  };
  sizeSmells(db, thresholds, add);
  cycleSmells(db, thresholds, add);
  functionSmells(db, thresholds, add);
  ranking.isCut = duplicateSmells(db, thresholds, add) || ranking.isCut;
  ranking.order = orderOf(ranking, thresholds);
  return ranking;
}

function orderOf({ files, lines, smells: kinds, values }: Ranking, thresholds: SmellThresholds): Uint32Array {
  const limits = SMELLS.map((smell) => thresholds[smell]);
  const severity = (at: number): number => values.at(at) / (limits[kinds.at(at)] ?? 1);
  return Uint32Array.from({ length: files.length }, (_, at) => at).toSorted(
    (a, b) =>
      severity(b) - severity(a) ||
      files.at(a) - files.at(b) ||
      lines.at(a) - lines.at(b) ||
      kinds.at(a) - kinds.at(b) ||
      a - b,
  );
}

/** Code smell before it is ranked. */
interface Finding {
  file: number;
  line: number;
  end: number;
  smell: Smell;
  value: number;
  reference?: number | undefined;
  cyclomatic?: number;
}

type AddFinding = (finding: Finding) => void;

/** One row of the ranking with what it refers to. */
function smellAt(
  db: ShardDatabase,
  ranking: Ranking,
  { at, thresholds }: { at: number; thresholds: SmellThresholds },
): RankedSmell {
  const smell = SMELLS[ranking.smells.at(at)] ?? 'complexity';
  const reference = ranking.references.at(at);
  const ranked: RankedSmell = {
    file: ranking.files.at(at),
    line: ranking.lines.at(at),
    end: ranking.ends.at(at),
    smell,
    value: ranking.values.at(at),
    threshold: thresholds[smell],
  };
  if (smell === 'duplicate') return { ...ranked, other: storedDuplicates(db).at(reference).copy };
  if (smell === 'cycle') return { ...ranked, files: importCycles(db).atRunTime[reference] ?? [] };
  if (smell === 'complexity') ranked.cyclomatic = ranking.cyclomatics.at(at);
  return reference === -1 ? ranked : { ...ranked, symbolId: reference };
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

function functionSmells(db: ShardDatabase, thresholds: SmellThresholds, add: AddFinding): void {
  const rows = db
    .prepare(
      `select m.file, m.line, m.end_line as "end", m.symbol, m.itself = 0 and f.test = 1 as isSuite, m.cyclomatic,
           m.cognitive, m.nesting, m.parameters, m.code_lines as codeLines
         from measure m join file f on f.id = m.file where cognitive > ? or code_lines > ? or parameters > ? or nesting > ? order by m.id`,
    )
    .iterate(
      thresholds.complexity,
      thresholds.long_function,
      thresholds.many_parameters,
      thresholds.deep_nesting,
    ) as unknown as Iterable<MeasureRow>;
  for (const row of rows) {
    const { file, line, end, cyclomatic } = row;
    const at = { file, line, end, reference: row.symbol ?? undefined };
    const values = [
      ['complexity', row.cognitive],
      ['long_function', row.isSuite === 1 ? 0 : row.codeLines],
      ['many_parameters', row.parameters],
      ['deep_nesting', row.nesting],
    ] as const;
    for (const [smell, value] of values) if (value > thresholds[smell]) add({ ...at, smell, value, cyclomatic });
  }
}

function sizeSmells(db: ShardDatabase, thresholds: SmellThresholds, add: AddFinding): void {
  const files = db
    .prepare(
      `select s.file, f.lines as "end", s.code_lines as value from structure s join file f on f.id = s.file
        where s.code_lines > ?`,
    )
    .iterate(thresholds.large_file) as unknown as Iterable<{ file: number; end: number; value: number }>;
  for (const file of files) add({ ...file, line: 1, smell: 'large_file' });
  // Members follow what they are in, in the same file: no table of parents is made.
  const classes = db
    .prepare(
      `select c.id as reference, c.file, c.line, c.end_line as "end", (
           select count(*) from symbol m
            where m.id > c.id and m.id < f.first_symbol + f.symbols and m.parent = c.id and m.kind = 'method') as value
         from symbol c join file f on f.id = c.file
        where c.kind in ('class', 'struct') and c.end_line - c.line >= ?`,
    )
    .iterate(GOD_CLASS_LINES) as unknown as Iterable<Omit<Finding, 'smell'>>;
  for (const row of classes) if (row.value > thresholds.god_class) add({ ...row, smell: 'god_class' });
}

/** Files that import each other in a circle at run time: one row a circle, at its first file. */
function cycleSmells(db: ShardDatabase, { cycle }: SmellThresholds, add: AddFinding): void {
  for (const [reference, files] of importCycles(db).atRunTime.entries())
    if (files.length >= cycle)
      add({ file: files[0] ?? 0, line: 1, end: 1, smell: 'cycle', value: files.length, reference });
}

/** Adds duplicates. Returns true if there are more than the index holds. */
function duplicateSmells(db: ShardDatabase, { duplicate }: SmellThresholds, add: AddFinding): boolean {
  const { count, isCut, at } = storedDuplicates(db);
  for (let reference = 0; reference < count; reference += 1) {
    const { block, tokens } = at(reference);
    // The longest come first.
    if (tokens < duplicate) return false;
    add({ ...block, smell: 'duplicate', value: tokens, reference });
  }
  return isCut;
}

function smellRow(db: ShardDatabase, ranked: RankedSmell): SmellRow {
  const { file, line, end, smell, value, threshold, cyclomatic, other, files } = ranked;
  return {
    path: pathOf(db, file),
    line,
    end,
    symbol: smell === 'cycle' || smell === 'large_file' ? '' : symbolName(db, ranked),
    smell,
    value,
    threshold,
    score: Math.round((100 * value) / threshold) / 100,
    ...(cyclomatic !== undefined && { cyclomatic }),
    ...(other !== undefined && { other: { path: pathOf(db, other.file), line: other.line, end: other.end } }),
    ...(files !== undefined && { files: files.slice(0, MOST_NAMED).map((id) => pathOf(db, id)) }),
  };
}

function symbolName(db: ShardDatabase, { file, line, symbolId }: RankedSmell): string {
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
