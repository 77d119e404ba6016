import { LENGTH_FIELDS, SYMBOL_KINDS, TERM_FIELDS } from '../../code-index/format/shard-schema.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { unpackLength, VarintReader } from '../../kernel/varints.ts';
import { dense, firstSymbols, testFlags } from '../files/store-files.ts';
import { idfOf, lengthNorm, termWeight } from '../../text/term-weights.ts';

/** BM25 of functions: texts differ in length by what they do, so length counts little. */
const FUNCTION_BM25 = { k1: 1.5, b: 0.35 };
const FILE_BM25 = { k1: 1.5, b: 0.5 };
const NAME_K1 = 1.2;
/** Times that a word of the name counts in the text of a function, and one of the path in that of a file. */
const NAME_TIMES = 2;
const PATH_TIMES = 4;

const [BODY, COMMENTS, PATH, NAME, DOC] = (['body', 'comments', 'path', 'name', 'doc'] as const).map((field) =>
  TERM_FIELDS.indexOf(field),
) as [number, number, number, number, number];
const FUNCTION_KINDS: ReadonlySet<string> = new Set(['function', 'method', 'macro']);

/** BM25 scores of weighted words, not yet scaled. `functions` (whole texts) and `names` by symbol id, 0 for what is no function outside of tests; `files` by file id. */
export interface TextScores {
  functions: Float32Array;
  names: Float32Array;
  files: Float32Array;
  /** Inverse frequency among functions times the weight of each word that occurs. */
  idf: ReadonlyMap<string, number>;
}

interface Texts {
  symbols: number;
  /** 1 for each function outside of tests. */
  isFunction: Uint8Array;
  fileOf: Int32Array;
  /** In terms, by symbol and by file. */
  functionLength: Float32Array;
  fileLength: Float32Array;
  functions: number;
  files: number;
  meanFunction: number;
  meanFile: number;
}

/** Scores functions and files for weighted words in one pass over the postings of each word. */
export function scoreTexts(db: ShardDatabase, words: ReadonlyMap<string, number>): TextScores {
  const texts = functionTexts(db);
  const scores = {
    functions: new Float32Array(texts.symbols),
    names: new Float32Array(texts.symbols),
    files: new Float32Array(texts.fileLength.length),
    idf: new Map<string, number>(),
  };
  const select = db.prepare('select postings from term where text = ?');
  const inFile = new Float32Array(texts.fileLength.length);
  for (const [word, weight] of words) {
    const row = select.get(word) as { postings: Uint8Array } | undefined;
    if (row === undefined) continue;
    const counts = readPostings(row.postings, texts, inFile);
    scores.idf.set(word, weight * idfOf(texts.functions, counts.functions.length));
    addFunctions(scores, texts, counts, weight);
    const idf = weight * idfOf(texts.files, counts.files.length);
    for (const file of counts.files) {
      const norm = lengthNorm(FILE_BM25, texts.fileLength[file] ?? 0, texts.meanFile);
      const times = inFile[file] ?? 0;
      scores.files[file] = (scores.files[file] ?? 0) + termWeight(idf, times, FILE_BM25.k1, norm);
      inFile[file] = 0;
    }
  }
  return scores;
}

interface PostingCounts {
  /** Symbol, times in its text, times in its name: one after the other. */
  functions: { symbol: number; text: number; name: number }[];
  named: number;
  files: number[];
}

function readPostings(
  postings: Uint8Array,
  { symbols, isFunction, fileOf }: Texts,
  inFile: Float32Array,
): PostingCounts {
  const from = new VarintReader(postings);
  const counts: PostingCounts = { functions: [], named: 0, files: [] };
  const times = new Float32Array(TERM_FIELDS.length);
  for (let document = 0; from.more;) {
    document += from.next();
    const head = from.next();
    for (let field = 0; field < times.length; field += 1)
      times[field] = (head & (2 << field)) === 0 ? 0 : (head & 1) === 1 ? 1 : from.next();
    const body = (times[BODY] ?? 0) + (times[COMMENTS] ?? 0);
    const name = times[NAME] ?? 0;
    const file = fileOf[document] ?? 0;
    const isFile = document >= symbols;
    const all = body + (isFile ? PATH_TIMES * (name + (times[PATH] ?? 0)) : 0);
    if (all > 0) {
      if (inFile[file] === 0) counts.files.push(file);
      inFile[file] = (inFile[file] ?? 0) + all;
    }
    if (isFile || isFunction[document] !== 1) continue;
    const text = body + (times[DOC] ?? 0) + NAME_TIMES * name + (times[PATH] ?? 0);
    if (text > 0) counts.functions.push({ symbol: document, text, name });
    if (name > 0) counts.named += 1;
  }
  return counts;
}

function addFunctions(scores: TextScores, texts: Texts, { functions, named }: PostingCounts, weight: number): void {
  const idf = weight * idfOf(texts.functions, functions.length);
  const nameIdf = weight * idfOf(texts.functions, named);
  for (const { symbol, text, name } of functions) {
    const length = texts.functionLength[symbol] ?? 0;
    const norm = lengthNorm(FUNCTION_BM25, length, texts.meanFunction);
    scores.functions[symbol] = (scores.functions[symbol] ?? 0) + termWeight(idf, text, FUNCTION_BM25.k1, norm);
    if (name > 0) scores.names[symbol] = (scores.names[symbol] ?? 0) + termWeight(nameIdf, name, NAME_K1);
  }
}

/** Functions among the symbols, and the lengths of all texts; made once for an open shard. */
export function functionTexts(db: ShardDatabase): Texts {
  return db.derived('function_texts', () => readTexts(db));
}

function readTexts(db: ShardDatabase): Texts {
  const starts = firstSymbols(db);
  const isTest = testFlags(db);
  const packed = dense(db, 'document_length');
  const kinds = dense(db, 'symbol_kind');
  const symbols = kinds.length;
  const documents = symbols + isTest.length;
  const isFunction = Uint8Array.from(kinds, (kind) => Number(FUNCTION_KINDS.has(SYMBOL_KINDS[kind] ?? '')));
  // A property or a constant may hold a function too.
  const measured = db.prepare('select symbol from measure where itself = 1 and symbol is not null').all();
  for (const { symbol } of measured as { symbol: number }[]) isFunction[symbol] = 1;
  const fileOf = new Int32Array(documents);
  const functionLength = new Float32Array(symbols);
  const fileLength = new Float32Array(isTest.length);
  let [file, functions, functionSum] = [0, 0, 0];
  const lengthOf = (document: number, field: (typeof LENGTH_FIELDS)[number]): number =>
    unpackLength(packed[document * LENGTH_FIELDS.length + LENGTH_FIELDS.indexOf(field)] ?? 0);
  for (let document = 0; document < documents; document += 1) {
    if (document >= symbols) file = document - symbols;
    else while (file + 1 < isTest.length && (starts[file + 1] ?? 0) <= document) file += 1;
    fileOf[document] = file;
    const body = lengthOf(document, 'body') + lengthOf(document, 'comments');
    fileLength[file] = (fileLength[file] ?? 0) + body;
    if (document >= symbols) continue;
    if (isTest[file] === 1) isFunction[document] = 0;
    if (isFunction[document] !== 1) continue;
    functionLength[document] = body + lengthOf(document, 'doc');
    functions += 1;
    functionSum += functionLength[document] ?? 0;
  }
  const fileSum = fileLength.reduce((sum, length) => sum + length, 0);
  const files = isTest.length;
  return {
    symbols,
    isFunction,
    fileOf,
    functionLength,
    fileLength,
    functions,
    files,
    meanFunction: Math.max(1, functionSum / Math.max(1, functions)),
    meanFile: Math.max(1, fileSum / Math.max(1, files)),
  };
}
