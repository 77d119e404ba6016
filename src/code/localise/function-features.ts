import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { bestWindow, heaviestWords } from '../../text/best-lines.ts';
import { termFinder, termsOfWord } from '../../text/terms.ts';
import { TextReader } from '../files/store-files.ts';
import type { LocaliseSearch, Signals } from './file-features.ts';
import { symbolAround, symbolOfFrame } from './named-symbols.ts';
import { filesOfTrace } from './named-places.ts';
import { fileIds, pathFacts } from './path-features.ts';
import { divideByMost, type FileColumns, type FunctionColumns } from './rank-functions.ts';
import { functionTexts, scoreTexts, type TextScores } from './score-texts.ts';
import { wordsOf } from '../../text/words.ts';

/** Lines of a window: about what one fix touches. */
const WINDOW = 12;
/** Lines of one function that are read. */
const MOST_LINES = 800;
/** Words that are listed of a window. */
const MOST_WORDS = 4;

/** Lines of a file. 1-based, both ends included. */
interface LineRange {
  file: number;
  line: number;
  end: number;
}

/** Twelve lines in a row of a function. */
interface BestLines {
  /** The sum of the weights of the distinct terms in them. */
  score: number;
  /** The first of them with one of the terms. */
  line: number;
  /** Words of the code that have the terms, heaviest first. */
  words: readonly string[];
}

/** Reads functions and gives the twelve lines of each that have most of the weighted terms. */
export function findBestLines(
  db: ShardDatabase,
  ranges: readonly LineRange[],
  weights: ReadonlyMap<string, number>,
): BestLines[] {
  const reader = new TextReader(db);
  const termsIn = termFinder((term) => weights.has(term));
  return ranges.map(({ file, line, end }) => {
    const lines = reader.lines(file, line, Math.min(end, line + MOST_LINES - 1));
    const words = lines.map((text) => wordsOf(text, 'term').filter((word) => termsIn(word).length > 0));
    const window = bestWindow(
      words.map((inLine) => [...new Set(inLine.flatMap(termsIn))]),
      weights,
      WINDOW,
    );
    const inside = words.slice(window.from, window.to).flat();
    return {
      score: window.score,
      line: line + window.from,
      words: heaviestWords(inside, { termsIn, weights, most: MOST_WORDS }),
    };
  });
}

/** Functions whose lines are read: those that their words fit best. */
const MOST_READ = 200;
/** A plain word that is a name in quoted code counts less than a compound one, which is no word of the language. */
const PLAIN_NAME = 0.5;

/** A function as candidates are listed. Lines are 1-based. */
interface FunctionRow {
  id: number;
  name: string;
  line: number;
  end: number;
}

/** All functions outside of tests, in ascending order of ids, with what speaks for each. */
export interface Candidates {
  rows: readonly FunctionRow[];
  columns: FunctionColumns;
  /** By position, of the functions whose lines were read. */
  lines: ReadonlyMap<number, BestLines>;
  texts: TextScores;
}

/** Reads the features of every function from the words, the names and the traces of a report. */
export function readCandidates(db: ShardDatabase, search: LocaliseSearch, signals: Signals): Candidates {
  const texts = scoreTexts(db, new Map(search.words));
  const { fileOf } = functionTexts(db);
  const rows = db.derived('function_rows', () => readFunctions(db));
  const words = Float32Array.from(rows, ({ id }) => texts.functions[id] ?? 0);
  const file = Int32Array.from(rows, ({ id }) => fileOf[id] ?? 0);
  const read = Array.from(words.keys())
    .filter((at) => (words[at] ?? 0) > 0)
    .toSorted((a, b) => (words[b] ?? 0) - (words[a] ?? 0) || a - b)
    .slice(0, MOST_READ)
    // By file, so that each block of text is read once.
    .toSorted((a, b) => a - b);
  const bestLines = findBestLines(
    db,
    read.flatMap((at) => {
      const row = rows[at];
      return row === undefined ? [] : { file: file[at] ?? 0, line: row.line, end: row.end };
    }),
    texts.idf,
  );
  const lines = new Map(read.map((at, index) => [at, bestLines[index] ?? { score: 0, line: 0, words: [] }]));
  const identifiers = new Set([...search.identifiers, ...search.names.flatMap((name) => name.split('.'))]);
  const { frame, literal } = pointedAt(db, signals);
  const columns: FunctionColumns = {
    file,
    length: Float32Array.from(rows, ({ line, end }) => end - line + 1),
    words: divideByMost(words),
    name: divideByMost(Float32Array.from(rows, ({ id }) => texts.names[id] ?? 0)),
    lines: divideByMost(Float32Array.from(rows, (_, at) => lines.get(at)?.score ?? 0)),
    named: Float32Array.from(rows, ({ name }) => Number(identifiers.has(name))),
    frame: Float32Array.from(rows, ({ id }) => frame.get(id) ?? 0),
    literal: Float32Array.from(rows, ({ id }) => literal.get(id) ?? 0),
  };
  return { rows, columns, lines, texts };
}

/** Symbols in which the frames of a trace, innermost first, and verbatim texts are. */
function pointedAt(
  db: ShardDatabase,
  { frames, literals }: Pick<Signals, 'frames' | 'literals'>,
): { frame: Map<number, number>; literal: Map<number, number> } {
  const [frame, literal] = [new Map<number, number>(), new Map<number, number>()];
  for (const [at, { file, ...place }] of frames.entries()) {
    const symbol = symbolOfFrame(db, file, place);
    if (symbol !== undefined && !frame.has(symbol)) frame.set(symbol, 1 / (at + 1));
  }
  for (const { file, line, worth } of literals) {
    const symbol = symbolAround(db, file, line);
    if (symbol !== undefined) literal.set(symbol, Math.max(worth, literal.get(symbol) ?? 0));
  }
  return { frame, literal };
}

/** Reads the features of every file from words, names and the history. `stated` are those that do not depend on words. */
export function readFileColumns(
  db: ShardDatabase,
  search: LocaliseSearch,
  { files, stated }: { files: Float32Array; stated: Float32Array },
): FileColumns {
  const facts = pathFacts(db);
  const words = divideByMost(files);
  const terms = new Map(search.words);
  const { history } = search;
  const ids = fileIds(db);
  const inIndex = history.paths.map((path) => ids.get(path));
  const byFile = (values: Float32Array): Float32Array => {
    const column = new Float32Array(facts.length);
    for (const [at, file] of inIndex.entries()) if (file !== undefined) column[file] = values[at] ?? 0;
    return column;
  };
  return {
    words,
    messages: byFile(history.messages),
    fixes: byFile(history.fixes),
    identifiers: divideByMost(scoreTexts(db, rareIdentifiers(search)).files),
    name: Float32Array.from(facts, ({ stem }) => Number(stem.length > 0 && stem.every((term) => terms.has(term)))),
    together: divideByMost(scorePartners(inIndex, history.together, words)),
    path: scorePaths(db, search.paths, facts.length),
    stated,
  };
}

/** The best text among the files that a file changed with, times how often it did. */
function scorePartners(
  inIndex: readonly (number | undefined)[],
  together: Float32Array,
  words: Float32Array,
): Float32Array {
  const column = new Float32Array(words.length);
  for (let at = 0; at < together.length; at += 3) {
    const [file, partner] = [inIndex[together[at] ?? 0], inIndex[together[at + 1] ?? 0]];
    if (file === undefined || partner === undefined) continue;
    column[file] = Math.max(column[file] ?? 0, (together[at + 2] ?? 0) * (words[partner] ?? 0));
  }
  return column;
}

/** Identifiers as they are written, not their parts: the terms of whole ones. */
function rareIdentifiers({ identifiers, names }: LocaliseSearch): Map<string, number> {
  const code = new Set(names.flatMap((name) => name.split('.')));
  const weights = new Map<string, number>();
  for (const identifier of new Set([...identifiers, ...code])) {
    const terms = termsOfWord(identifier);
    const whole = terms.at(-1);
    if (whole === undefined || (terms.length === 1 && !code.has(identifier))) continue;
    weights.set(whole, Math.max(terms.length === 1 ? PLAIN_NAME : 1, weights.get(whole) ?? 0));
  }
  return weights;
}

function scorePaths(db: ShardDatabase, paths: readonly string[], files: number): Float32Array {
  const column = new Float32Array(files);
  for (const path of paths) {
    const meant = filesOfTrace(db, path);
    for (const file of meant) column[file] = Math.min(1, (column[file] ?? 0) + 1 / meant.length);
  }
  return column;
}

function readFunctions(db: ShardDatabase): FunctionRow[] {
  const { isFunction } = functionTexts(db);
  const rows = db
    .prepare(
      `select s.id, n.text as name, s.line, s.end_line as end from symbol s join name n on n.id = s.name order by s.id`,
    )
    .iterate() as Iterable<FunctionRow>;
  return Array.from(rows).filter(({ id }) => isFunction[id] === 1);
}
