import { forEachUnit, type Unit, unpackUnits } from '../../code-index/format/unit-codec.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { unpackLength } from '../../kernel/varints.ts';
import { dense, fileAt, pathOf, testFlags, TextReader } from '../files/store-files.ts';
import { partsOf, termsOf } from '../../text/terms.ts';
import type { QuestionVector } from '../../text/encoder/question-vectors.ts';
import type { SymbolKind } from '../../code-index/format/rows.ts';
import { isAboutTests } from '../ranking/sentences.ts';
import { semanticSearch } from '../ranking/store-rank.ts';
import { symbolRows } from '../symbols/store-symbols.ts';
import { STOP_WORDS } from '../../text/stop-words.ts';
import { idfOf, lengthNorm, termWeight } from '../../text/term-weights.ts';
import { replaceWords } from '../../text/words.ts';

/** BM25: how soon a further occurrence says nothing new, and how much the length of a unit counts. */
const BM25 = { k1: 1.2, b: 0.75 };
const BYTES = 256;

interface Lengths {
  /** One byte a unit. */
  packed: Uint8Array;
  /** What the length of that byte makes of `k1`. */
  factors: Float64Array;
}

/** Scores of all units of a shard. */
interface UnitScores {
  score: Float32Array;
  /** Number of units that have each of the terms. */
  having: ReadonlyMap<string, number>;
}

/** Scores all units for terms by BM25, reading the postings of each term once. */
function scoreUnits(db: ShardDatabase, terms: ReadonlySet<string>): UnitScores {
  const { packed, factors } = db.derived('unit_length', () => readLengths(db));
  const score = new Float32Array(packed.length);
  const having = new Map<string, number>();
  const select = db.prepare('select units, postings from unit_term where text = ?');
  for (const term of terms) {
    const row = select.get(term) as { units: number; postings: Uint8Array } | undefined;
    having.set(term, row?.units ?? 0);
    if (row === undefined) continue;
    const idf = idfOf(packed.length, row.units);
    forEachUnit(row.postings, (unit, count) => {
      score[unit] = (score[unit] ?? 0) + termWeight(idf, count, BM25.k1, factors[packed[unit] ?? 0]);
    });
  }
  return { score, having };
}

function readLengths(db: ShardDatabase): Lengths {
  const packed = dense(db, 'unit_length').slice();
  let sum = 0;
  for (const byte of packed) sum += unpackLength(byte);
  const mean = sum / packed.length || 1;
  const factors = Float64Array.from({ length: BYTES }, (_, byte) => lengthNorm(BM25, unpackLength(byte), mean));
  return { packed, factors };
}

/** The terms of a question that units are ranked by; those of all its words where it has no other. */
export function questionTerms(query: string): Set<string> {
  const terms = new Set(
    termsOf(replaceWords(query, 'asciiLetters', (word) => (STOP_WORDS.question.has(word.toLowerCase()) ? ' ' : word))),
  );
  return terms.size > 0 ? terms : new Set(termsOf(query));
}

/** Constant of reciprocal rank fusion: the first of a list counts 1/6, the second 1/7. */
const RANK_CONSTANT = 6;
/** Length to which each list is read. */
const LIST_LENGTH = 40;
/** Units that share the score of one location which covers several: of a class or a file those that have the words. */
const UNITS_OF_LOCATION = 3;
/** Weight of a test while the question is not about tests, and of what is no test while it is. */
const OTHER_SIDE = 0.35;

/** Lines of a file that another search ranked. */
interface RankedLocation {
  path: string;
  start: number;
  end: number;
}

interface UnitSearch {
  query: string;
  limit: number;
  embedding?: QuestionVector | undefined;
  /** Locations of another search over the same repository, best first. */
  others?: readonly RankedLocation[];
}

/** Lines that are searched and shown together. */
export interface RankedUnit extends RankedLocation {
  /** Qualified name of what it is or is a part of; '' for what lies outside of symbols. */
  symbol: string;
  kind: SymbolKind | '';
  /** True if it is the symbol, and not a part of it or what is below a heading. */
  isSymbol: boolean;
  /** The line that says what it is. */
  signature: number;
  isTest: boolean;
  /** Sum of reciprocal ranks; comparable between repositories. */
  score: number;
  /** Its lines as the index has them. */
  lines: readonly string[];
}

interface RankedUnits {
  /** Units of the repository. */
  total: number;
  /** The terms of the question that lines are compared by, with how many units have each. */
  terms: readonly { term: string; units: number }[];
  /** Units that any of the searches has, of which the best are rows. */
  matches: number;
  rows: readonly RankedUnit[];
  /** Score of the best hit by meaning, 0..1. */
  similarity: number;
}

/** The units that answer a question best: by their words, by meaning, and by what another search found, ranks added up. */
export function rankUnits(db: ShardDatabase, { query, limit, embedding, others = [] }: UnitSearch): RankedUnits {
  const terms = questionTerms(query);
  const { score, having } = scoreUnits(db, terms);
  const isAboutTesting = isAboutTests(query);
  const meaning = semanticSearch(db, {
    query,
    path: undefined,
    tests: isAboutTesting ? 'only' : 'include',
    limit: LIST_LENGTH,
    offset: 0,
    embedding,
  });
  const units = new UnitTable(db);
  const fused = new Map<number, number>();
  const add = (unit: number, share: number): void => {
    const weight = units.isTest(unit) === isAboutTesting ? 1 : OTHER_SIDE;
    fused.set(unit, (fused.get(unit) ?? 0) + share * weight);
  };
  for (const list of [meaning.rows, others.slice(0, LIST_LENGTH)])
    for (const [rank, location] of list.entries())
      for (const [order, unit] of bestInside(units, location, score).entries())
        add(unit, 1 / ((RANK_CONSTANT + rank) * (1 + order)));
  for (const [rank, unit] of bestUnits(score).entries()) add(unit, 1 / (RANK_CONSTANT + rank));
  const best = [...fused].toSorted(([a, left], [b, right]) => right - left || a - b).slice(0, limit);
  return {
    total: score.length,
    terms: Array.from(new Set(partsOf(query)), (term) => ({ term, units: having.get(term) ?? 0 })).filter(({ term }) =>
      terms.has(term),
    ),
    matches: fused.size,
    rows: units.read(best),
    similarity: meaning.rows[0]?.score ?? 0,
  };
}

/** The units that a location covers, those with most of the words first. */
function bestInside(units: UnitTable, { path, start, end }: RankedLocation, score: Float32Array): number[] {
  const { first, all } = units.of(path);
  return all
    .flatMap((unit, at) => (unit.start <= end && unit.end >= start ? [first + at] : []))
    .toSorted((a, b) => (score[b] ?? 0) - (score[a] ?? 0) || a - b)
    .slice(0, UNITS_OF_LOCATION);
}

function bestUnits(score: Float32Array): number[] {
  const having: number[] = [];
  for (const [unit, value] of score.entries()) if (value > 0) having.push(unit);
  return having.toSorted((a, b) => (score[b] ?? 0) - (score[a] ?? 0) || a - b).slice(0, LIST_LENGTH);
}

/** The units of an open shard, read file by file. */
class UnitTable {
  readonly #db: ShardDatabase;
  readonly #files: Int32Array;
  readonly #firsts: Int32Array;
  readonly #units = new Map<number, readonly Unit[]>();

  constructor(db: ShardDatabase) {
    this.#db = db;
    const { files, firsts } = db.derived('unit_files', () => readFiles(db));
    this.#files = files;
    this.#firsts = firsts;
  }

  /** Those of a file, and the number of its first. */
  of(path: string): { first: number; all: readonly Unit[] } {
    const file = fileAt(this.#db, path);
    const row = file === undefined ? -1 : this.#files.indexOf(file);
    return row < 0 ? { first: 0, all: [] } : { first: this.#firsts[row] ?? 0, all: this.#unitsOf(row) };
  }

  isTest(unit: number): boolean {
    return testFlags(this.#db)[this.#files[this.#rowOf(unit)] ?? 0] === 1;
  }

  /** The units with their scores, texts and names. */
  read(scored: readonly (readonly [unit: number, score: number])[]): RankedUnit[] {
    const texts = new TextReader(this.#db);
    return scored.flatMap(([number, score]) => {
      const row = this.#rowOf(number);
      const file = this.#files[row] ?? 0;
      const unit = this.#unitsOf(row)[number - (this.#firsts[row] ?? 0)];
      if (unit === undefined) return [];
      const { start, end, signature } = unit;
      const symbol = unit.symbol < 0 ? undefined : symbolRows(this.#db, [this.#firstSymbol(file) + unit.symbol])[0];
      return [
        {
          path: pathOf(this.#db, file),
          start,
          end,
          signature,
          symbol: symbol?.qualified ?? '',
          kind: symbol?.kind ?? '',
          isSymbol: symbol !== undefined && symbol.kind !== 'heading' && symbol.line === signature,
          isTest: testFlags(this.#db)[file] === 1,
          score,
          lines: texts.lines(file, start, end),
        },
      ];
    });
  }

  #firstSymbol(file: number): number {
    return Number(this.#db.prepare('select first_symbol as first from file where id = ?').get(file)?.['first'] ?? 0);
  }

  /** The row of the file that a unit is in. */
  #rowOf(unit: number): number {
    let [low, high] = [0, this.#firsts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#firsts[middle] ?? 0) <= unit) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #unitsOf(row: number): readonly Unit[] {
    const cached = this.#units.get(row);
    if (cached !== undefined) return cached;
    const stored = this.#db.prepare('select units from unit where file = ?').get(this.#files[row] ?? -1);
    const units = stored === undefined ? [] : unpackUnits(stored['units'] as Uint8Array);
    this.#units.set(row, units);
    return units;
  }
}

function readFiles(db: ShardDatabase): { files: Int32Array; firsts: Int32Array } {
  const rows = db.prepare('select file, first from unit order by file').all();
  return {
    files: Int32Array.from(rows, ({ file }) => Number(file)),
    firsts: Int32Array.from(rows, ({ first }) => Number(first)),
  };
}
