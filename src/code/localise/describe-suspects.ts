import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import type { SubjectShare } from './subject-shares.ts';
import { symbolRows } from '../symbols/store-symbols.ts';
import type { Signals } from './file-features.ts';
import type { Candidates } from './function-features.ts';
import { pathFacts } from './path-features.ts';
import { type FileFeatures, weighStatedFeature } from './rank-files.ts';
import {
  type FileColumns,
  type FunctionFeature,
  partsOfFile,
  partsOfFunction,
  type TextFeature,
} from './rank-functions.ts';

/** A file that may hold the fault, and what the report and the history have to do with it. */
export interface SuspectFile {
  path: string;
  /** 1 for the best of the answer, less for others. */
  score: number;
  /** 0 to 1 over all files: how sure the report makes it, as calibrated on fixes. */
  likelihood: number;
  /** Parts of its score, those left out that are 0. */
  parts: Partial<Record<TextFeature | 'frame' | 'literal' | 'changed', number>>;
  /** Lines that a trace names, innermost first, with the frame's number among those of this repository from 1. */
  frames: { line: number | undefined; symbol: string | undefined; rank: number }[];
  /** Texts of the report that are verbatim in it, with how many files have them. */
  literals: { text: string; line: number; files: number }[];
  /** Names of the report that it defines. */
  names: string[];
}

/** A function that may hold the fault. Lines are 1-based, both ends included. */
export interface SuspectFunction {
  symbol: string;
  kind: string;
  line: number;
  end: number;
  /** 1 for the best of the answer, less for others. */
  score: number;
  parts: Partial<Record<FunctionFeature, number>>;
  /** The first of its twelve lines with most words of the report, and those words as the code has them. */
  best: { line: number; words: readonly string[] } | undefined;
  file: SuspectFile;
  /** Its share of the subject; absent where none is stated. */
  subject?: SubjectShare;
}

interface RankedFiles {
  signals: Signals;
  features: FileFeatures;
  files: FileColumns;
  /** Scores of all files as logarithms, and the best file. */
  scores: Float32Array;
  first: number | undefined;
  likelihoods: Float32Array;
}

/** Describes files of one answer. */
export class FileDescriber {
  readonly #db: ShardDatabase;
  readonly #ranked: RankedFiles;

  constructor(db: ShardDatabase, ranked: RankedFiles) {
    this.#db = db;
    this.#ranked = ranked;
  }

  describe(file: number): SuspectFile {
    const { signals, features, files, scores, first = file, likelihoods } = this.#ranked;
    const { frames, literals, named } = signals;
    const stated = (['frame', 'literal', 'changed'] as const).map(
      (name) => [name, weighStatedFeature(features, name, file)] as const,
    );
    return {
      path: pathFacts(this.#db)[file]?.path ?? '',
      score: Math.exp((scores[file] ?? 0) - (scores[first] ?? 0)),
      likelihood: likelihoods[file] ?? 0,
      parts: withoutZeros([...partsOfFile(files, file), ...stated]),
      frames: frames
        .map(({ line, symbol, ...frame }, at) => ({ file: frame.file, line, symbol, rank: at + 1 }))
        .filter((frame) => frame.file === file)
        .map(({ line, symbol, rank }) => ({ line, symbol, rank })),
      literals: literals
        .filter((literal) => literal.file === file)
        .map(({ text, line, worth }) => ({ text, line, files: Math.round(1 / worth) })),
      names: [...named.definedIn(file)],
    };
  }
}

/** Describes a function; `score` is the logarithm of its score beside the best one. */
export function describeFunction(
  db: ShardDatabase,
  { candidates, at }: { candidates: Candidates; at: number },
  { score, describer }: { score: number; describer: FileDescriber },
): SuspectFunction {
  const { rows, columns, lines } = candidates;
  const [row] = symbolRows(db, [rows[at]?.id ?? -1]);
  const best = lines.get(at);
  return {
    symbol: row?.qualified ?? '',
    kind: row?.kind ?? '',
    line: row?.line ?? 1,
    end: row?.end ?? 1,
    score: Math.exp(score),
    parts: withoutZeros(partsOfFunction(columns, at)),
    best: best === undefined || best.score === 0 ? undefined : { line: best.line, words: best.words },
    file: describer.describe(columns.file[at] ?? 0),
  };
}

function withoutZeros<Name extends string>(parts: readonly (readonly [Name, number])[]): Partial<Record<Name, number>> {
  // `Object.fromEntries` does not keep the type of keys.
  return Object.fromEntries(parts.filter(([, value]) => value !== 0)) as Partial<Record<Name, number>>;
}
