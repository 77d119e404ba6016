import { dependencies } from '../../src/code/queries/store.ts';
import { pathKind } from '../../src/kernel/path-kinds.ts';
import { type CompanionFeature, companionFeatures } from '../../src/commits/queries/coupling.ts';
import { type LoggedCommit, readLog } from '../../src/commits/mine/git-log.ts';
import { filePairs } from '../../src/commits/queries/store.ts';
import { openObjects } from '../../src/platform/git/git-objects.ts';
import { resolveTip } from '../../src/platform/git/git-refs.ts';
import type { ShardDatabase } from '../../src/indexes/shards/shards.ts';
import { randomOf } from '../random.ts';
import { type CaseSource, codeShardAt, drawSome, historyShardAt, snapshotBefore } from '../training/snapshots.ts';

/** A file that may change with the one that is known, and whether it did. */
export interface Candidate {
  features: Record<CompanionFeature, number>;
  isChanged: boolean;
}

/** A commit after the snapshot; one of its files is given. */
export interface Case {
  project: string;
  sha: string;
  /** Files to be found, candidates or not. */
  relevant: number;
  candidates: Candidate[];
}

/** Age of the snapshot before the newest commit, and length of the time after it whose commits count. */
const MONTHS = 12;
const MOST_CASES = 30;
const LEAST_CASES = 10;
const MOST_LINKS = 1_000;
const CODE = /\.(?:ts|tsx|mts|cts|js|jsx|mjs|cjs|py|go|java|kt|rs|vue|svelte)$/;
const DATA = /\.d\.ts$|(?:^|\/)(?:fixtures?|__snapshots__|testdata|snapshots?|node_modules|dist|build|vendor)\//;
const HOUSEKEEPING = /^(?:release|bump|merge|revert|v?\d+\.\d+|(?:style|chore|ci)\b[^:]*:)/i;

/**
 * Cases of a repository, at most 30: commits of 2 to 8 files of code in the year after a snapshot, one file each known.
 * None where there are fewer than 10 such commits.
 */
export async function readCases(source: CaseSource): Promise<Case[]> {
  await using objects = await openObjects(source.gitDir);
  const { commit: tip } = await resolveTip(source.gitDir, source.project);
  const snapshot = await snapshotBefore(objects, tip, MONTHS);
  if (snapshot === '') return [];
  const later = await Array.fromAsync(
    readLog(objects, { commit: tip, after: [snapshot], signal: new AbortController().signal }),
  );
  const there = new Set((await objects.run(['ls-tree', '-r', '-z', '--name-only', snapshot])).toString().split('\0'));
  const changes = later.flat().flatMap((commit) => {
    const files = changedCode(commit, there);
    return files.length < 2 || files.length > 8 ? [] : [{ sha: commit.sha, files }];
  });
  const random = randomOf(31);
  const picked = drawSome(changes, MOST_CASES, random);
  if (picked.length < LEAST_CASES) return [];
  const shards = { code: await codeShardAt(source, snapshot), history: await historyShardAt(source, snapshot) };
  try {
    return picked.map(({ sha, files }): Case => {
      const given = files[Math.floor(random() * files.length)] ?? '';
      const relevant = new Set(files.filter((file) => file !== given));
      const candidates = candidatesOf(shards, given).map(({ b, features }) => ({
        features,
        isChanged: relevant.has(b),
      }));
      return { project: source.project, sha, relevant: relevant.size, candidates };
    });
  } finally {
    shards.code.close();
    shards.history.close();
  }
}

function isCode(path: string): boolean {
  return CODE.test(path) && !DATA.test(path) && pathKind(path) !== 'docs';
}

/** Files of code that a commit modified and that were there at the snapshot. None of commits that say nothing. */
function changedCode({ subject, changes }: LoggedCommit, there: ReadonlySet<string>): string[] {
  if (changes.length > 15 || HOUSEKEEPING.test(subject)) return [];
  return changes
    .filter(({ path, status }) => status === 'M' && isCode(path) && there.has(path))
    .map(({ path }) => path);
}

/** Returns the companions that `coupling` lists for the path at the snapshot. */
function candidatesOf(
  { code, history }: Shards,
  path: string,
): { b: string; features: Record<CompanionFeature, number> }[] {
  const search = { root: { path }, direction: 'both', depth: 1, offset: 0, limit: MOST_LINKS } as const;
  const links = dependencies(code, search).rows.map(({ from, to }) => [from.path, to.path] as const);
  const { pairs } = filePairs(history, { filter: { range: {}, path }, links });
  return pairs.filter(({ b }) => isCode(b)).map((pair) => ({ b: pair.b, features: companionFeatures(pair) }));
}

interface Shards {
  code: ShardDatabase;
  history: ShardDatabase;
}
