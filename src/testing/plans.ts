import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { indexCode, type IndexedRepository } from '../code/code.ts';
import { writeHistory } from '../commits/mining.ts';
import { uuidv7 } from '../kernel/ids.ts';
import { openBlobStore } from '../platform/blobs.ts';
import type { AnyOperation } from '../platform/operation.ts';
import type { Plans } from '../plans/plans.ts';
import { ShardReaders } from '../shards/shards.ts';
import { testAccount, type TestAccount } from './account.ts';
import { testFolder, type TestCommit, type TestRepository, testRepository } from './git.ts';

/** A product with one indexed repository, `shop`, and plans over it. */
export interface PlanBench {
  account: TestAccount;
  plans: Plans;
  repository: TestRepository;
  repositoryId: string;
  /** Commits and makes this commit the indexed one. Gives its id. About half a second. */
  commitAndIndex: (change: TestCommit) => Promise<string>;
  /** Calls an operation as a client with a key does. */
  call: (tool: AnyOperation, args: Record<string, unknown>) => Promise<{ text: string; json: Record<string, unknown> }>;
  close: () => Promise<void>;
}

/** The time of everything that is written. */
export const NOW = new Date('2026-11-21T10:00:00Z');

/** Nothing is indexed before the first `commitAndIndex`. */
export async function openPlanBench(): Promise<PlanBench> {
  const account = await testAccount();
  const repository = testRepository();
  const folder = testFolder();
  const blobs = await openBlobStore(join(folder, 'blobs'));
  const readers = new ShardReaders({ blobs, threads: 1, cacheBytes: 1e8 });
  const repositoryId = uuidv7(NOW);
  let indexed: IndexedRepository[] = [];
  const { accountId, productId } = account;
  const plans: Plans = {
    db: account.db,
    readers,
    indexed: async (scope) => (scope.productId === productId ? indexed : []),
    indexPast: async (task) => {
      await indexCode({ ...task, processes: 1 }, { signal: new AbortController().signal, onProgress: () => undefined });
    },
    now: () => NOW,
  };
  return {
    account,
    plans,
    repository,
    repositoryId,
    commitAndIndex: async (change) => {
      const commit = repository.commit(change);
      const gitDir = repository.git('rev-parse', '--absolute-git-dir');
      const run = { signal: new AbortController().signal, onProgress: (): void => undefined };
      const targetFile = join(folder, 'code');
      const task = { gitDir, commit, repository: repositoryId, factsCache: join(folder, 'facts'), processes: 1 };
      await indexCode({ ...task, targetFile }, run);
      await writeHistory({ gitDir, commit, targetFile: join(folder, 'history') }, run);
      const provenance = { repo: 'shop', ref: 'main', commit, index: { state: 'fresh' as const } };
      const [shard, history] = [await blobs.put(targetFile), await blobs.put(join(folder, 'history'))];
      indexed = [{ id: repositoryId, provenance, shard, history, gitDir: async () => gitDir }];
      return commit;
    },
    call: async (tool, args) =>
      tool.run(
        {
          caller: { accountId, productId, keyId: 'test', scopes: ['read', 'decisions:write'] },
          now: () => NOW,
          signal: new AbortController().signal,
          progress: () => undefined,
        },
        tool.input.parse(args),
      ),
    close: async () => {
      await readers.close();
      repository.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
