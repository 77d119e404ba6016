import { fileStem, folderPrefix } from '../../kernel/paths.ts';
import { pathKind } from '../../kernel/path-kinds.ts';
import { compareTexts } from '../../kernel/text-order.ts';
import trained from './coupling-weights.json' with { type: 'json' };
import { wordsOf } from '../../text/words.ts';

/** Commits of more files say nothing about two of them. */
export const MOST_COUPLED_FILES = 30;

/** Two files that were changed in the same commits, or of which one uses the other; earlier names of both are included. */
export interface FilePair {
  a: string;
  b: string;
  /** Commits that changed both. */
  shared: number;
  /** The same, each worth half as much after every 180 days and less the more files it changed. */
  weight: number;
  /** The same, each worth half as much after every 4 years and divided among the other files that it changed. */
  exclusive: number;
  /** True if one of them uses the other, as far as that was requested. */
  linked: boolean;
  /** Commits that changed each. */
  revisionsOfA: number;
  revisionsOfB: number;
  /** Those of `b`, each worth half as much after every 180 days. */
  decayedRevisionsOfB: number;
}

export interface Coupling extends FilePair {
  /** Shared commits in percent of the mean revisions of both. */
  degreePercent: number;
  /** Shared commits as part of all commits that were looked at, 0 to 1. */
  support: number;
  score: number;
}

/**
 * Ranks pairs. Of all pairs, those come first where one file most surely changes with the other: the degree, held down where
 * few commits say so. Asked about a path, those come first that are likeliest to change with it: many shared commits, of few
 * files, a use of one in the other, names with words in common, as of a file and its test, and many commits lately. What no
 * commit changed together comes last, whatever else speaks for it. Then by path.
 */
export function rankCoupling(
  pairs: readonly FilePair[],
  { commits, isAboutPath }: { commits: number; isAboutPath: boolean },
): Coupling[] {
  return pairs
    .map((pair): Coupling => {
      const { shared, weight, revisionsOfA, revisionsOfB } = pair;
      const degreePercent = (200 * shared) / Math.max(1, revisionsOfA + revisionsOfB);
      return {
        ...pair,
        degreePercent,
        support: shared / Math.max(1, commits),
        score: isAboutPath ? companionScore(pair) : degreePercent * Math.log1p(weight),
      };
    })
    .toSorted(
      (a, b) =>
        Number(a.shared === 0) - Number(b.shared === 0) ||
        b.score - a.score ||
        compareTexts(`${a.a}\n${a.b}`, `${b.a}\n${b.b}`),
    );
}

/**
 * Learnt by `lab/coupling/train.ts` from later commits of other repositories, as a softmax over the files that share
 * commits or uses with one of theirs.
 */
const COMPANION_WEIGHTS: Readonly<Record<CompanionFeature, number>> = trained.weights;
/** Value of a file without shared commits, so that a logarithm can be taken: well under one commit of 30 files. */
const NO_SHARED = 1e-3;

export type CompanionFeature = 'exclusive' | 'linked' | 'words' | 'isTest' | 'folder' | 'lately';

/** Returns the features that tell how likely `b` changes with `a`. */
export function companionFeatures(pair: FilePair): Record<CompanionFeature, number> {
  const { a, b, exclusive, linked, decayedRevisionsOfB } = pair;
  return {
    exclusive: Math.log(NO_SHARED + exclusive),
    linked: Number(linked),
    words: sharedWords(a, b),
    isTest: Number(isTestOf(a, b)),
    folder: Number(folderPrefix(a) === folderPrefix(b)),
    lately: Math.log1p(decayedRevisionsOfB),
  };
}

function companionScore(pair: FilePair): number {
  const features = companionFeatures(pair);
  return (
    COMPANION_WEIGHTS.exclusive * features.exclusive +
    COMPANION_WEIGHTS.linked * features.linked +
    COMPANION_WEIGHTS.words * features.words +
    COMPANION_WEIGHTS.isTest * features.isTest +
    COMPANION_WEIGHTS.folder * features.folder +
    COMPANION_WEIGHTS.lately * features.lately
  );
}

/** Words that half of all names have. */
const COMMON_WORDS = new Set(['test', 'tests', 'spec', 'src', 'lib', 'main', 'index', 'init', 'mod']);

/** Part of the words of the shorter name that the other name has too, 0 to 1. */
function sharedWords(path: string, otherPath: string): number {
  const [words, others] = [pathWords(path), pathWords(otherPath)];
  const common = [...words].filter((word) => others.has(word)).length;
  return common / Math.max(1, Math.min(words.size, others.size));
}

function pathWords(path: string): Set<string> {
  const words = wordsOf(
    fileStem(path)
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase(),
    'asciiPlain',
  );
  return new Set(words.filter((word) => !COMMON_WORDS.has(word)));
}

/** True if one is the test of the other, judged by their names. */
function isTestOf(path: string, otherPath: string): boolean {
  return (pathKind(path) === 'test') !== (pathKind(otherPath) === 'test') && subjectOf(path) === subjectOf(otherPath);
}

/** The name of a file without what makes it a test. */
function subjectOf(path: string): string {
  const bare = fileStem(path).replace(/([._-](test|spec|bench|stories|test-d)|_test)$|^test_/i, '');
  return bare.replace(/Tests?$/, '').toLowerCase();
}
