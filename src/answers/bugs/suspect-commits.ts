import type { FileFacts } from '../../commits/commits.ts';
import { COMMIT_OUTPUTS } from '../../commits/outputs/outputs.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { AskOperation, CallContext } from '../../platform/operation/operation.ts';
import type { Suspect, SuspectCommit } from './analysis.ts';

/** Suspects whose lines are followed, commits of each, and commits that are listed. */
const MOST_FOLLOWED = 5;
/** Files whose commits since the last good state are listed. */
const MOST_PATHS = 10;
const MOST_OF_SUSPECT = 3;
const MOST_COMMITS = 6;

/** A repository as other operations are asked about it, by whom. */
export interface RepositoryCalls {
  ask: AskOperation;
  context: Pick<CallContext, 'caller' | 'signal'>;
  repo: string;
}

/**
 * Code that changed since a date or a ref, most changed first.
 *
 * @throws ServiceError as `commit-tool` does for a `since` that means nothing.
 */
export async function changedSince({ ask, context, repo }: RepositoryCalls, since: string): Promise<string[]> {
  const json = await ask('commit-tool', { action: 'hotspots', repo, since, limit: 100 }, context);
  return COMMIT_OUTPUTS.hotspots.parse(json).rows.map(({ path }) => path);
}

/** Source of the origins of lines. */
type LineFacts = Pick<FileFacts, 'lineOrigins'>;

interface Blamed {
  sha: string;
  score: number;
  touches: string[];
  why: string;
}

/**
 * The commits that wrote the suspected lines last, and since the last good state those that touched suspected files. Those
 * since the last good state come first; a commit is worth the likelihood of what it wrote.
 */
export async function suspectCommits(
  calls: RepositoryCalls,
  facts: LineFacts,
  { suspects, since }: { suspects: readonly Suspect[]; since: string | undefined },
): Promise<{ commits: SuspectCommit[]; gaps: string[] }> {
  const followed = suspects.slice(0, MOST_FOLLOWED);
  const gaps = new Set<string>();
  const blamed = new Map<string, Blamed>();
  const add = (sha: string, share: number, touch: string, why: string): void => {
    const existing = blamed.get(sha);
    if (existing === undefined) blamed.set(sha, { sha, score: share, touches: [touch], why });
    else if (!existing.touches.includes(touch))
      Object.assign(existing, { score: existing.score + share, touches: [...existing.touches, touch] });
  };
  const recent =
    since === undefined ? new Map<string, string[]>() : await commitsSince(calls, pathsOf(suspects), since);
  for (const [sha, paths] of recent)
    for (const path of paths) {
      const score = suspects.find((suspect) => suspect.path === path)?.score ?? 0;
      add(sha, score, path, `touched ${path} after ${since}`);
    }
  for (const { path, lines, symbol, score } of followed) {
    const place = `${path}:${lines[0]}-${lines[1]}`;
    const origins = await originsOf(facts, calls, { path, lines });
    if (origins === undefined) gaps.add(`git cannot say who wrote ${path}`);
    const all = (origins ?? []).reduce((sum, origin) => sum + origin.lines, 0);
    for (const { sha, lines: own } of (origins ?? []).slice(0, MOST_OF_SUSPECT))
      add(sha, (score * own) / all, place, `wrote ${own} of the ${all} lines of ${symbol === '' ? path : symbol}`);
  }
  const best = [...blamed.values()]
    .toSorted((a, b) => Number(recent.has(b.sha)) - Number(recent.has(a.sha)) || b.score - a.score)
    .slice(0, MOST_COMMITS);
  const described = await Promise.all(
    best.map((commit) => describe(calls, { ...commit, isRecent: recent.has(commit.sha) })),
  );
  return { commits: described.filter((commit) => commit !== undefined), gaps: [...gaps] };
}

async function originsOf(
  facts: LineFacts,
  { context, repo }: RepositoryCalls,
  { path, lines }: Pick<Suspect, 'path' | 'lines'>,
): ReturnType<LineFacts['lineOrigins']> {
  try {
    return await facts.lineOrigins({ ...context, repo, path, lines });
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function pathsOf(suspects: readonly Suspect[]): string[] {
  return [...new Set(suspects.map(({ path }) => path))].slice(0, MOST_PATHS);
}

/** By commit, the suspected files that it touched. */
async function commitsSince(
  { ask, context, repo }: RepositoryCalls,
  paths: readonly string[],
  since: string,
): Promise<Map<string, string[]>> {
  const pathsByCommit = new Map<string, string[]>();
  for (const path of paths) {
    const json = await ask('commit-tool', { action: 'search', repo, path, since, limit: MOST_COMMITS }, context);
    for (const { sha } of COMMIT_OUTPUTS.search.parse(json).rows)
      pathsByCommit.set(sha, [...(pathsByCommit.get(sha) ?? []), path]);
  }
  return pathsByCommit;
}

async function describe(
  { ask, context, repo }: RepositoryCalls,
  blamed: Blamed & { isRecent: boolean },
): Promise<SuspectCommit | undefined> {
  const { sha, touches, why, isRecent } = blamed;
  try {
    const json = await ask('commit-tool', { action: 'show', repo, query: sha }, context);
    const [row] = COMMIT_OUTPUTS.show.parse(json).rows;
    if (row === undefined || !('sha' in row)) return undefined;
    const { subject, author, date } = row;
    return { sha: row.sha, subject, author, date: date.slice(0, 10), why, isRecent, touches };
  } catch (error) {
    // A commit that an index of a shallow clone lacks.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
