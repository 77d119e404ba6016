/**
 * Weights of what speaks for a function. They are fixed: learnt ones did worse on repositories that they were not learnt from
 * (docs/decisions/0039-functions-are-ranked.md). Beside words, a frame of a trace decides.
 */
const FUNCTION_WEIGHTS = { words: 2, name: 0.5, lines: 0.6, named: 0.6, literal: 1.5, frame: 7 } as const;
/** The same of a file; `functions` are its three best ones. */
const FILE_WEIGHTS = {
  words: 1,
  functions: 1,
  messages: 0.5,
  fixes: 0.4,
  identifiers: 0.6,
  name: 0.5,
  together: 0.2,
  path: 0.5,
} as const;
/** Of the logarithm of the lines of a function: most of what gets fixed is in long ones. */
const LENGTH_WEIGHT = 0.3;
/** Of the distance of its file to the best one, which counts up to a depth. */
const FILE_WEIGHT = 0.75;
const DEEPEST = -4;
/** Weight of the second and the third best function of a file. */
const SECOND = 1 / 2;
const THIRD = 1 / 3;
/** The score of rank r (from 0) in one list is -ln(3 + r): first ranks differ most, and no list overrules the other. */
const RANK_OFFSET = 3;

export const FUNCTION_FEATURES = ['words', 'name', 'lines', 'named', 'literal', 'frame'] as const;
export type FunctionFeature = (typeof FUNCTION_FEATURES)[number];
export const TEXT_FEATURES = ['words', 'messages', 'fixes', 'identifiers', 'name', 'together', 'path'] as const;
export type TextFeature = (typeof TEXT_FEATURES)[number];

/** Features of functions by position, most of them 0 to 1. `file` ascends; `length` is in lines. */
export type FunctionColumns = Record<FunctionFeature, Float32Array> & { file: Int32Array; length: Float32Array };
/** Features of files by id, 0 to 1. `stated` is added as it is: traces, and what kind of file it is. */
export type FileColumns = Record<TextFeature, Float32Array> & { stated: Float32Array };

/** Scores each function by the report itself, without its length and its file. */
export function scoreFunctionTexts(functions: FunctionColumns): Float32Array {
  return functions.file.length === 0
    ? new Float32Array(0)
    : Float32Array.from(functions.file, (_, at) =>
        FUNCTION_FEATURES.reduce((sum, name) => sum + FUNCTION_WEIGHTS[name] * (functions[name][at] ?? 0), 0),
      );
}

/** Likelihood of each file to hold the fault. `own` are the scores of the functions themselves. */
export function scoreFilesByFormula(files: FileColumns, functions: FunctionColumns, own: Float32Array): Float32Array {
  const best = divideByMost(sumBestThree(files.words.length, functions.file, own));
  return files.stated.map((stated, file) =>
    TEXT_FEATURES.reduce(
      (sum, name) => sum + FILE_WEIGHTS[name] * (files[name][file] ?? 0),
      stated + FILE_WEIGHTS.functions * (best[file] ?? 0),
    ),
  );
}

/** Joins two lists of files by rank; of equals in a list the first comes first. */
export function joinRanks(scores: ArrayLike<number>, others: ArrayLike<number>): Float32Array {
  const [ranks, otherRanks] = [ranksOf(scores), ranksOf(others)];
  return ranks.map((rank, file) => -Math.log(RANK_OFFSET + rank) - Math.log(RANK_OFFSET + (otherRanks[file] ?? 0)));
}

/** Likelihood of each function to hold the fault: by its own score, its length and its file. */
export function scoreFunctions(functions: FunctionColumns, own: Float32Array, files: Float32Array): Float32Array {
  const best = files.reduce((most, score) => Math.max(most, score), -Infinity);
  return own.map(
    (score, at) =>
      score +
      LENGTH_WEIGHT * Math.log1p(functions.length[at] ?? 0) +
      FILE_WEIGHT * Math.max(DEEPEST, (files[functions.file[at] ?? 0] ?? -Infinity) - best),
  );
}

/** Parts of the score of a function, and of a file, by feature. */
export function partsOfFunction(functions: FunctionColumns, at: number): [FunctionFeature, number][] {
  return FUNCTION_FEATURES.map((name) => [name, FUNCTION_WEIGHTS[name] * (functions[name][at] ?? 0)]);
}

export function partsOfFile(files: FileColumns, file: number): [TextFeature, number][] {
  return TEXT_FEATURES.map((name) => [name, FILE_WEIGHTS[name] * (files[name][file] ?? 0)]);
}

/** Divides by the greatest, so that the best of all has 1. */
export function divideByMost(values: Float32Array): Float32Array {
  const most = values.reduce((best, value) => Math.max(best, value), 0);
  return most === 0 ? values : values.map((value) => value / most);
}

function sumBestThree(files: number, fileOf: Int32Array, scores: Float32Array): Float32Array {
  const [firsts, seconds, thirds] = [new Float32Array(files), new Float32Array(files), new Float32Array(files)];
  for (const [at, score] of scores.entries()) {
    const file = fileOf[at] ?? 0;
    const [first = 0, second = 0, third = 0] = [firsts[file], seconds[file], thirds[file]];
    if (score > first) [firsts[file], seconds[file], thirds[file]] = [score, first, second];
    else if (score > second) [seconds[file], thirds[file]] = [score, second];
    else if (score > third) thirds[file] = score;
  }
  return firsts.map((first, file) => first + SECOND * (seconds[file] ?? 0) + THIRD * (thirds[file] ?? 0));
}

function ranksOf(scores: ArrayLike<number>): Float32Array {
  const order = Array.from({ length: scores.length }, (_, file) => file).toSorted(
    (a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b,
  );
  const ranks = new Float32Array(order.length);
  for (const [rank, file] of order.entries()) ranks[file] = rank;
  return ranks;
}
