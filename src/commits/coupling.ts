/** Commits of more files say nothing about two of them. */
export const MOST_COUPLED_FILES = 30;

/** Two files that were changed in the same commits; earlier names of both are included. */
export interface FilePair {
  a: string;
  b: string;
  /** Commits that changed both. */
  shared: number;
  /** The same, each worth half as much after every 180 days and less the more files it changed. */
  weight: number;
  /** The same, each worth half as much after every 4 years. */
  lasting: number;
  /** As `lasting`, each divided among the other files that it changed. */
  exclusive: number;
  /** Commits that changed each. */
  revisionsOfA: number;
  revisionsOfB: number;
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
 * files, some of them new, and names that have words in common, as a file and its test. Then by path.
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
    .toSorted((a, b) => b.score - a.score || (`${a.a}\n${a.b}` < `${b.a}\n${b.b}` ? -1 : 1));
}

/** Weights by the development cases of the graders; all near ones are within one point there. */
function companionScore({ a, b, weight, lasting, exclusive }: FilePair): number {
  const counted = 2 * Math.log1p(exclusive) + Math.log1p(lasting) + 0.5 * Math.log1p(weight);
  return counted + sharedWords(a, b) + 0.1 * sharedFolders(a, b);
}

/** Part of the words of the shorter name that the other name has too, 0 to 1; marks of tests are no words. */
function sharedWords(one: string, other: string): number {
  const [words, others] = [wordsOf(one), new Set(wordsOf(other))];
  const common = words.filter((word) => others.has(word)).length;
  return common / Math.max(1, Math.min(words.length, others.size));
}

function wordsOf(path: string): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const bare = name.replace(/([._-](test|spec|bench|stories|test-d)|_test)$|^test_/i, '').replace(/Tests?$/, '');
  return bare
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** How much of the longer folder path both begin with, 0 to 1. */
function sharedFolders(one: string, other: string): number {
  const [folders, others] = [one.split('/').slice(0, -1), other.split('/').slice(0, -1)];
  const common = folders.findIndex((folder, at) => folder !== others[at]);
  return (common === -1 ? folders.length : common) / Math.max(1, folders.length, others.length);
}
