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
 * Ranks pairs by how surely one file changes with the other: the degree, held down where few commits say so. Highest first,
 * then by path.
 */
export function rankCoupling(pairs: readonly FilePair[], commits: number): Coupling[] {
  return pairs
    .map((pair): Coupling => {
      const { shared, weight, revisionsOfA, revisionsOfB } = pair;
      const degreePercent = (200 * shared) / Math.max(1, revisionsOfA + revisionsOfB);
      return {
        ...pair,
        degreePercent,
        support: shared / Math.max(1, commits),
        score: degreePercent * Math.log1p(weight),
      };
    })
    .toSorted((a, b) => b.score - a.score || (`${a.a}\n${a.b}` < `${b.a}\n${b.b}` ? -1 : 1));
}
