import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { fileMask } from '../files/store-files.ts';
import { FileDescriber, describeFunction, type SuspectFile, type SuspectFunction } from './describe-suspects.ts';
import { featuresOf, type LocaliseSearch, readSignals } from './file-features.ts';
import { readCandidates, readFileColumns } from './function-features.ts';
import { ownFrames } from './named-places.ts';
import { namedFiles } from './named-symbols.ts';
import { likelihoodsOf, weighFiles, weighStated } from './rank-files.ts';
import { joinRanks, scoreFilesByFormula, scoreFunctions, scoreFunctionTexts } from './rank-functions.ts';
import { subjectShares } from './subject-shares.ts';

export interface Localised {
  /** Functions and files, each likeliest first. */
  functions: SuspectFunction[];
  files: SuspectFile[];
  /** Frames of the report that are code of this repository. */
  ownFrames: number;
  /** Names of the report that a symbol of the index has. */
  knownNames: number;
}

/**
 * The functions and the files that a bug report points at. Functions are ranked over the whole repository; for them two lists of
 * files, one by learnt weights and one by the formula of `rank-functions.ts`, are joined by rank. Files are listed by learnt weights.
 */
export function localise(db: ShardDatabase, search: LocaliseSearch): Localised {
  const signals = readSignals(db, search);
  const features = featuresOf(db, search, signals);
  const learnt = weighFiles(features);
  const candidates = readCandidates(db, search, signals);
  const { columns, texts } = candidates;
  const files = readFileColumns(db, search, { files: texts.files, stated: weighStated(features) });
  const own = scoreFunctionTexts(columns);
  const joined = joinRanks(learnt, scoreFilesByFormula(files, columns, own));
  const scores = scoreFunctions(columns, own, joined);
  const isInside = insideOf(db, search.within);
  const isCandidate = (file: number): boolean => (learnt[file] ?? 0) > 0 && isInside(file);
  const rankedFiles = rankBest(learnt, search.limit, isCandidate);
  const rankedFunctions = rankBest(scores, search.limit, (at) => {
    return (own[at] ?? 0) > 0 && isCandidate(columns.file[at] ?? 0);
  });
  const likelihoods = likelihoodsOf(learnt);
  const describer = new FileDescriber(db, {
    signals,
    features,
    files,
    scores: learnt,
    likelihoods,
    first: rankedFiles[0],
  });
  const most = scores[rankedFunctions[0] ?? 0] ?? 0;
  const ids = rankedFunctions.map((at) => candidates.rows[at]?.id ?? -1);
  const shares = search.subject === undefined ? [] : subjectShares(db, search.subject, ids);
  return {
    functions: rankedFunctions.map((at, index) => ({
      ...describeFunction(db, { candidates, at }, { score: (scores[at] ?? 0) - most, describer }),
      ...(shares[index] !== undefined && { subject: shares[index] }),
    })),
    files: rankedFiles.map((file) => describer.describe(file)),
    ownFrames: signals.frames.length,
    knownNames: signals.named.known.size,
  };
}

/** Frames of a report that are code of this repository, and names of it that a symbol has. */
export function countMentions(
  db: ShardDatabase,
  { frames, names }: Pick<LocaliseSearch, 'frames' | 'names'>,
): { frames: number; names: number } {
  return { frames: ownFrames(db, frames).length, names: namedFiles(db, names).known.size };
}

/** Positions of the greatest scores among candidates; of equals the first. */
function rankBest(scores: Float32Array, limit: number, isCandidate: (at: number) => boolean): number[] {
  return Array.from(scores.keys())
    .filter(isCandidate)
    .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, limit);
}

/** Returns a predicate: true for a file in one of some files, folders or globs; for every file where there are none. */
function insideOf(db: ShardDatabase, scopes: readonly string[]): (file: number) => boolean {
  const masks = scopes.map((path) => fileMask(db, { path }));
  return (file) => masks.length === 0 || masks.some((mask) => mask?.[file] !== 0);
}
