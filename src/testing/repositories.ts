import { rmSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { getRepository, openRepositories, type Repositories, type Repository } from '../repositories/repositories.ts';
import { beginIndexing, publishSnapshot, type Snapshot, syncRepository } from '../repositories/runs/runs.ts';
import { setPending } from '../repositories/store.ts';
import { testAccount, type TestAccount } from './account.ts';
import { testFolder, type TestRepository, testRepository } from './git.ts';

/** Folders and every public address may be added. */
export const TEST_POLICY = { allowsFiles: true, privateHosts: new Set<string>() };

/** The time of every bench, unless given otherwise. */
export const NOW = new Date('2026-03-01T00:00:00Z');

/** A place where repositories can be added: an account, a data folder, and what was deleted from the blob store. */
export interface RepositoryBench {
  account: TestAccount;
  context: Repositories;
  deleted: string[];
}

/** Removed after the test. */
export async function repositoryBench(now: () => Date = () => NOW): Promise<RepositoryBench> {
  const account = await testAccount();
  const dataDir = testFolder();
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const deleted: string[] = [];
  const blobs = { delete: async (hash: string): Promise<void> => void deleted.push(hash) };
  return { account, deleted, context: openRepositories({ db: account.db, dataDir, blobs, policy: TEST_POLICY, now }) };
}

/** A repository that is removed after the test. */
export function sourceRepository(...changes: Parameters<typeof testRepository>): TestRepository {
  const made = testRepository(...changes);
  onTestFinished(() => made.remove());
  return made;
}

/** A snapshot of no content: its blobs are named by `mark`. */
export function snapshotOf(commit: string, mark: string, more: Partial<Snapshot> = {}): Snapshot {
  const hash = (kind: string): string => Buffer.from(`${kind}${mark}`).toString('hex').padEnd(64, '0');
  return {
    commit,
    branch: 'main',
    shard: { hash: hash('s'), sizeBytes: 10 },
    history: { hash: hash('h'), sizeBytes: 20 },
    indexedAt: NOW,
    files: 3,
    symbols: 7,
    lines: 90,
    languages: { TypeScript: 0.9, CSS: 0.1 },
    unparsed: 0,
    gaps: [],
    exact: null,
    lastRun: { parsed: 3, reused: 0, failed: 0, seconds: 0.1 },
    ...more,
  };
}

/** Runs an index that finds nothing but the commit, and gives the repository after it. */
export async function indexRepository(
  { context, account }: RepositoryBench,
  { id }: Repository,
  mark: string,
  more: Partial<Snapshot> = {},
): Promise<Repository> {
  // As if somebody asked for it: a remote one is fetched.
  await setPending(context.db, account, id);
  const run = await beginIndexing(context, account, id);
  if (run === undefined) throw new Error('it is gone');
  const { commit } = await syncRepository(context, run, { signal: new AbortController().signal });
  await publishSnapshot(context, account, run, snapshotOf(commit, mark, more));
  return getRepository(context, account, id);
}
