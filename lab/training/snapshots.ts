import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CODE_FORMAT } from '../../src/code-index/format/shard-schema.ts';
import { HISTORY_FORMAT } from '../../src/commits/mine/history-schema.ts';
import { canOpenShard, openShard, type ShardDatabase } from '../../src/indexes/shards/shards.ts';
import type { GitObjects } from '../../src/platform/git/git-objects.ts';
import { runIndexProcess } from '../../src/worker/index-process.ts';

/** Folders of a repository and of its shards. */
export interface CaseSource {
  project: string;
  gitDir: string;
  /** Shards are kept here: the second run takes minutes less. */
  cache: string;
}

/** The repository of a project in a folder of bare ones, `<owner>+<name>/repo`. */
export function sourceIn(mirror: string, project: string, cache: string): CaseSource {
  const gitDir = join(mirror, project.replace('/', '+'), 'repo');
  if (!existsSync(gitDir)) throw new Error(`${project} is not in ${mirror}`);
  return { project, gitDir, cache };
}

/** The first parent that was the newest so many months before a commit; '' where there is none. */
export async function snapshotBefore(objects: GitObjects, tip: string, months: number): Promise<string> {
  const newest = (await objects.run(['log', '-1', '--format=%cI', tip])).toString().slice(0, 10);
  const date = new Date(newest);
  date.setUTCMonth(date.getUTCMonth() - months);
  const before = `--before=${date.toISOString().slice(0, 10)}T00:00:00Z`;
  return (await objects.run(['log', '-1', '--first-parent', before, '--format=%H', tip])).toString().trim();
}

/** The code shard of a commit, made where there is none of this format yet. Snapshots of a project share what is known of unchanged files. */
export async function codeShardAt({ project, gitDir, cache }: CaseSource, commit: string): Promise<ShardDatabase> {
  const targetFile = shardFile(cache, project, commit);
  const factsCache = join(cache, `${project.replace('/', '+')}.facts`);
  const task = { gitDir, commit, repository: project, factsCache, targetFile };
  if (!canOpenShard(targetFile, CODE_FORMAT)) await runIndexProcess({ kind: 'code', ...task }, newRun());
  return openShard(targetFile, CODE_FORMAT);
}

/** The history shard of a commit, made where there is none of this format yet. */
export async function historyShardAt({ project, gitDir, cache }: CaseSource, commit: string): Promise<ShardDatabase> {
  const targetFile = shardFile(cache, project, commit).replace(/db$/, 'history.db');
  if (!canOpenShard(targetFile, HISTORY_FORMAT))
    await runIndexProcess({ kind: 'history', gitDir, commit, targetFile }, newRun());
  return openShard(targetFile, HISTORY_FORMAT);
}

function shardFile(cache: string, project: string, commit: string): string {
  mkdirSync(cache, { recursive: true });
  return join(cache, `${project.replace('/', '+')}@${commit.slice(0, 10)}.db`);
}

const newRun = (): { signal: AbortSignal; onProgress: () => void } => ({
  signal: new AbortController().signal,
  onProgress: () => undefined,
});

/** At most so many of a list, drawn by chance that is the same on every run. */
export function drawSome<Item>(items: readonly Item[], most: number, random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ item }) => item);
}
