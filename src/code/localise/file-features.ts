import { countChunks, trigramsOf } from '../../code-index/format/trigrams.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { type ChunkRow, firstSymbols, testFlags, TextReader } from '../files/store-files.ts';
import { scoreDocuments } from '../ranking/rank-score.ts';
import { divideByMost } from './rank-functions.ts';
import { unpackReferences } from '../../code-index/format/store-codec.ts';
import { termsOf } from '../../text/terms.ts';
import { semanticSearch } from '../ranking/store-rank.ts';
import { filesOfTrace, type FrameLocation, ownFrames } from './named-places.ts';
import { type NamedFiles, namedFiles } from './named-symbols.ts';
import { fileIds, pathFacts, shareOf } from './path-features.ts';
import type { FileFeatures } from './rank-files.ts';
import { scoreFiles } from './score-files.ts';

/** A text in more files than this decides nothing. */
const MOST_FILES = 6;
/** Chunks that are read for one text; one that may stand in more is no message of a program. */
const MOST_CHUNKS = 60;

/** Location of a text letter by letter: the first line in each of few files. */
interface LiteralLocation {
  text: string;
  file: number;
  /** 1-based. */
  line: number;
  /** 1 for a text that stands in one file, less where others have it too. */
  worth: number;
}

/** The places of texts that stand in at most six files outside of tests. About 1 ms a text. */
function literalPlaces(db: ShardDatabase, texts: readonly string[]): LiteralLocation[] {
  const reader = new TextReader(db);
  const select = db.prepare('select file, line, block, start, size_bytes as sizeBytes from chunk where id = ?');
  const isTest = testFlags(db);
  return texts.flatMap((text) => {
    const chunks = chunksWith(db, text);
    if (chunks.length > MOST_CHUNKS) return [];
    const lines = new Map<number, number>();
    for (const chunk of chunks) {
      const row = select.get(chunk) as unknown as ChunkRow;
      if (isTest[row.file] === 1 || lines.has(row.file)) continue;
      const content = reader.text(row);
      const at = content.indexOf(text);
      if (at !== -1) lines.set(row.file, row.line + content.slice(0, at).split('\n').length - 1);
    }
    if (lines.size > MOST_FILES) return [];
    return Array.from(lines, ([file, line]) => ({ text, file, line, worth: 1 / lines.size }));
  });
}

/** The chunks that have all trigrams of a text. */
function chunksWith(db: ShardDatabase, text: string): number[] {
  const trigrams = trigramsOf(text);
  if (trigrams.size === 0) return [];
  const { chunks } = db.prepare('select count(*) as chunks from chunk').get() as { chunks: number };
  const counts = new Uint16Array(chunks);
  const select = db.prepare('select postings from gram where pair = ?');
  for (const trigram of trigrams) {
    const row = select.get(trigram >> 7) as { postings: Uint8Array } | undefined;
    if (row === undefined) return [];
    countChunks(row.postings, trigram, counts);
  }
  const chunkIds: number[] = [];
  for (let chunk = 0; chunk < chunks; chunk += 1) if (counts[chunk] === trigrams.size) chunkIds.push(chunk);
  return chunkIds;
}

/**
 * Scores each file by its three best symbols for weighted words (what is outside of symbols counts as one), each half as much
 * as the one before. By file id, the best file 1. About 10 ms for 50 words in 50,000 symbols.
 */
function scoreSymbols(db: ShardDatabase, words: ReadonlyMap<string, number>): Float32Array {
  const { score: each, symbols } = scoreDocuments(db, words);
  const files = testFlags(db).length;
  const starts = firstSymbols(db);
  const best = new Float32Array(files);
  for (let file = 0; file < files; file += 1) {
    const end = file + 1 < files ? (starts[file + 1] ?? symbols) : symbols;
    let [first, second, third] = [each[symbols + file] ?? 0, 0, 0];
    for (let symbol = starts[file] ?? 0; symbol < end; symbol += 1) {
      const score = each[symbol] ?? 0;
      if (score > first) [first, second, third] = [score, first, second];
      else if (score > second) [second, third] = [score, second];
      else if (score > third) third = score;
    }
    best[file] = first + second / 2 + third / 4;
  }
  return divideByMost(best);
}

/** Distinct terms of a report that are looked for: of a long one the first. */
const MOST_TERMS = 400;
/** A word counts the more the oftener it stands there, but never as much as this many words. */
const REPEATS = 1.5;
/** Weight of a word of the title beside 1 for the others. */
const TITLE_WEIGHT = 2;
/** Weight of a word of quoted code or output beside 1 for one of the prose. */
const CODE_WEIGHT = 0.3;
/** A text in quotes that may be a name. */
const NAME = /^[A-Za-z_$][\w$]*$/;
/** Rows of the ranked search that vote for their files. */
const SEARCHED = 250;
/** A report of types may be mended where they are declared; of what runs, never. */
const ABOUT_TYPES = /\b(?:typ(?:es?|ed|ings?)|typescript|declarations?|stubs?|d\.[cm]?ts|mypy|pyright|tsc)\b/i;
/** Characters of a report that the ranked search takes. */
const LONGEST_SEARCH = 1_000;

/** A report, taken apart, and the history of files. */
export interface LocaliseSearch {
  title: string;
  /** Text that people wrote. */
  prose: string;
  /** Code and output that is quoted. */
  code: string;
  names: readonly string[];
  paths: readonly string[];
  quotes: readonly string[];
  frames: readonly { path: string; line?: number | undefined; symbol?: string | undefined }[];
  /** Distinct identifiers and words that are written in it. */
  identifiers: readonly string[];
  /** Terms with their weights: how often they occur, how rare they are in the messages of commits. */
  words: readonly (readonly [string, number])[];
  history: {
    paths: readonly string[];
    messages: Float32Array;
    similarFixes: Float32Array;
    fixes: Float32Array;
    together: Float32Array;
  };
  /** Files that changed since the last good state, when that is known. */
  changed: readonly string[];
  /** Files, folders or globs: nothing else is suspected when there are any. */
  within: readonly string[];
  limit: number;
  /** Terms of what a text is about, with their weights; each function then has its share of them. */
  subject?: readonly (readonly [string, number])[];
}

interface Words {
  all: ReadonlyMap<string, number>;
  title: ReadonlySet<string>;
  names: ReadonlyMap<string, number>;
}

function wordsOf({ title, prose, code, names }: LocaliseSearch): Words {
  const counts = new Map<string, number>();
  const titleTerms = termsOf(title);
  for (const term of titleTerms) counts.set(term, (counts.get(term) ?? 0) + TITLE_WEIGHT);
  for (const term of termsOf(prose)) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const term of termsOf(code)) counts.set(term, (counts.get(term) ?? 0) + CODE_WEIGHT);
  const selected = [...counts].slice(0, MOST_TERMS);
  return {
    all: new Map(selected.map(([term, count]) => [term, count / (count + REPEATS)])),
    title: new Set(titleTerms),
    names: new Map(names.flatMap((name) => termsOf(name)).map((term) => [term, 1])),
  };
}

/** Matches in the index for what the report states. */
export interface Signals {
  words: Words;
  /** By file id. */
  symbols: Float32Array;
  named: NamedFiles;
  literals: readonly LiteralLocation[];
  frames: readonly FrameLocation[];
}

/** Looks up what a report says. */
export function readSignals(db: ShardDatabase, search: LocaliseSearch): Signals {
  const words = wordsOf(search);
  const named = namedFiles(db, [...new Set([...search.names, ...search.quotes.filter((text) => NAME.test(text))])]);
  // What is the name of a symbol is no message: it stands wherever the symbol is listed or used.
  const texts = search.quotes.filter((text) => !named.known.has(text));
  return {
    words,
    symbols: scoreSymbols(db, words.all),
    named,
    literals: literalPlaces(db, texts),
    frames: ownFrames(db, search.frames),
  };
}

/** The features of all files by id. */
export function featuresOf(db: ShardDatabase, search: LocaliseSearch, signals: Signals): FileFeatures {
  const { words, symbols, named, literals, frames } = signals;
  const facts = pathFacts(db);
  const ids = fileIds(db);
  const isAboutTypes = ABOUT_TYPES.test(`${search.title}\n${search.prose}`);
  const text = divideByMost(scoreFiles(db, words.all));
  const past = (values: Float32Array): { path: string; value: number }[] =>
    search.history.paths.map((path, at) => ({ path, value: values[at] ?? 0 }));
  const flags = (of: (fact: (typeof facts)[number]) => number): Float32Array => Float32Array.from(facts, of);
  const byFile = (add: (put: (file: number, value: number, most?: number) => void) => void): Float32Array => {
    const values = new Float32Array(facts.length);
    add((file, value, most = 1) => (values[file] = Math.min(most, (values[file] ?? 0) + value)));
    return values;
  };
  const byPath = (rows: readonly { path: string; value: number }[]): Float32Array =>
    byFile((put) => {
      for (const { path, value } of rows) {
        const file = value === 0 ? undefined : ids.get(path);
        if (file !== undefined) put(file, value);
      }
    });
  return {
    // The innermost frame says most; each file counts once for the first that is in it, and a little for the others.
    frame: byFile((put) => frames.forEach(({ file }, at) => put(file, 1 / (at + 1)))),
    path: byFile((put) => {
      for (const path of search.paths) {
        const meant = filesOfTrace(db, path);
        for (const file of meant) put(file, 1 / meant.length);
      }
    }),
    literal: byFile((put) => literals.forEach(({ file, worth }) => put(file, worth, 2))),
    defines: named.defines.map((value) => Math.min(2, value)),
    uses: named.uses.map((value) => Math.min(2, value)),
    names: divideByMost(scoreFiles(db, words.names)),
    text,
    symbols,
    title_search: searchVotes(db, search.title),
    file_name: flags(({ stem }) => shareOf(stem, words.title)),
    history: byPath(past(search.history.messages)),
    fixes: byPath(past(search.history.similarFixes)),
    graph: neighbours(db, text),
    changed: byPath(search.changed.map((path) => ({ path, value: 1 }))),
    beside: flags(({ beside }) => beside),
    tooling: flags(({ tooling, declarations }) => Math.max(tooling, declarations)),
    prose: flags(({ text: isText, declarations }) => (isAboutTypes ? isText : Math.max(isText, declarations))),
    test: Float32Array.from(testFlags(db)),
  };
}

/** The best row of each file in the ranked search, the best of all 1. */
function searchVotes(db: ShardDatabase, query: string): Float32Array {
  const votes = new Float32Array(testFlags(db).length);
  const ids = fileIds(db);
  const { rows } = semanticSearch(db, {
    query: query.slice(0, LONGEST_SEARCH),
    tests: 'exclude',
    limit: SEARCHED,
    offset: 0,
  });
  for (const { path, score } of rows) {
    const file = ids.get(path);
    if (file !== undefined) votes[file] = Math.max(votes[file] ?? 0, score);
  }
  return divideByMost(votes);
}

/** The best text among the files that a file depends on. */
function neighbours(db: ShardDatabase, text: Float32Array): Float32Array {
  const values = new Float32Array(text.length);
  const isTest = testFlags(db);
  const depends = db.derived('localise_depends', () => {
    const rows = db.prepare('select file, depends from file_edge where depends is not null').all() as {
      file: number;
      depends: Uint8Array;
    }[];
    return rows.map(({ file, depends: blob }) => ({
      file,
      targets: unpackReferences(blob).map(({ target }) => target),
    }));
  });
  for (const { file, targets } of depends)
    for (const target of targets)
      if (isTest[target] !== 1) values[file] = Math.max(values[file] ?? 0, text[target] ?? 0);
  return values;
}
