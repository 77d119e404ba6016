import { checkOutput } from './check-output.ts';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { indexCode } from '../code-index/code-index.ts';
import type { IndexedRepository } from '../indexes/indexes.ts';
import { writeHistory } from '../commits/mine/mine.ts';
import { uuidv7 } from '../kernel/ids.ts';
import type { BlobStore } from '../platform/blobs.ts';
import type { AnyOperation } from '../platform/operation/operation.ts';
import { type Plans, PlanTexts } from '../plans/plans.ts';
import type { ShardReaders } from '../indexes/shards/shards.ts';
import { testAccount, type TestAccount } from './account.ts';
import { withExtractors } from './extractors.ts';
import { testFolder, type TestCommit, type TestRepository, testRepository } from './git.ts';
import { NEVER_MS } from './limits.ts';
import { testShards } from './shard-store.ts';

/** A product with one indexed repository, `shop`, and plans over it. */
export interface PlanBench {
  account: TestAccount;
  plans: Plans;
  repository: TestRepository;
  repositoryId: string;
  /** Commits and makes this commit the indexed one. Gives its id. About half a second. */
  commitAndIndex: (change: TestCommit) => Promise<string>;
  /** Adds another repository to the product, at one commit with these files. About half a second. */
  addRepository: (name: string, files: Record<string, string>) => Promise<void>;
  /** The same repository and its indexes in a product of another account, at one of the commits that were indexed. */
  another: (commit: string) => Promise<PlanBench>;
  /** Makes a commit that was indexed before the indexed one. */
  serve: (commit: string) => void;
  /** Calls an operation as a client with a key does. */
  call: (tool: AnyOperation, args: Record<string, unknown>) => Promise<{ text: string; json: Record<string, unknown> }>;
  close: () => Promise<void>;
}

/** The time of everything that is written. */
export const NOW = new Date('2026-11-21T10:00:00Z');

/** Parts that benches of one repository share. */
interface Shared {
  repository: TestRepository;
  repositoryId: string;
  folder: string;
  blobs: BlobStore;
  readers: ShardReaders;
  texts: PlanTexts;
  /** By commit. */
  indexes: Map<string, IndexedRepository>;
  others: IndexedRepository[];
}

/** Nothing is indexed before the first `commitAndIndex`. */
export async function openPlanBench(): Promise<PlanBench> {
  const folder = testFolder();
  const { blobs, readers } = await testShards();
  const shared = {
    repository: testRepository(),
    repositoryId: uuidv7(NOW),
    folder,
    blobs,
    readers,
    texts: new PlanTexts({ limitMs: NEVER_MS }),
    indexes: new Map(),
    others: [],
  };
  return benchOf(shared, await testAccount(), undefined);
}

function benchOf(shared: Shared, account: TestAccount, at: string | undefined): PlanBench {
  const { repository, repositoryId, folder, readers, texts, indexes, others } = shared;
  const { accountId, productId } = account;
  const added: TestRepository[] = [];
  let served = at;
  const plans: Plans = {
    db: account.db,
    readers,
    texts,
    indexed: async (tenant) => {
      const index = indexes.get(served ?? '');
      return index === undefined || tenant.productId !== productId ? [] : [index, ...others];
    },
    indexPast: async (task) => void (await withExtractors((extractors) => indexCode(task, { ...RUN, extractors }))),
    now: () => NOW,
  };
  return {
    account,
    plans,
    repository,
    repositoryId,
    commitAndIndex: async (change) => {
      const commit = repository.commit(change);
      indexes.set(commit, await indexRepository(shared, commit));
      served = commit;
      return commit;
    },
    addRepository: async (name, files) => {
      const other = testRepository([{ files }]);
      added.push(other);
      const own = { ...shared, repository: other, repositoryId: uuidv7(NOW) };
      const index = await indexRepository(own, other.git('rev-parse', 'HEAD'));
      others.push({ ...index, provenance: { ...index.provenance, repo: name } });
    },
    another: async (commit) => benchOf(shared, await testAccount(), commit),
    serve: (commit) => void (served = commit),
    call: async (tool, args) => {
      const answer = await tool.run(
        {
          caller: { accountId, productId, keyId: 'test', scopes: ['read', 'decisions:write'] },
          now: () => NOW,
          signal: RUN.signal,
          progress: () => undefined,
        },
        tool.input.parse(args),
      );
      checkOutput(tool, answer.json);
      return answer;
    },
    close: async () => {
      await texts.close();
      for (const each of [repository, ...added]) each.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const RUN = { signal: new AbortController().signal, onProgress: (): void => undefined };

async function indexRepository(
  { repository, repositoryId, folder, blobs }: Shared,
  commit: string,
): Promise<IndexedRepository> {
  const gitDir = repository.git('rev-parse', '--absolute-git-dir');
  const [targetFile, historyFile] = [join(folder, 'code'), join(folder, 'history')];
  const task = { gitDir, commit, repository: repositoryId, factsCache: join(folder, 'facts') };
  await withExtractors((extractors) => indexCode({ ...task, targetFile }, { ...RUN, extractors }));
  await writeHistory({ gitDir, commit, targetFile: historyFile }, RUN);
  const provenance = { repo: 'shop', ref: 'main', commit, index: { state: 'fresh' as const, behind: 0 } };
  const [shard, history] = [await blobs.put(targetFile), await blobs.put(historyFile)];
  return { id: repositoryId, provenance, shard, history, gitDir: async () => gitDir };
}

/** A function of some length whose words are its own. */
export function functionText(name: string, word: string): string {
  return [
    `export function ${name}(items: string[]): string[] {`,
    `  const ${word}s: string[] = [];`,
    `  for (const item of items) {`,
    `    if (item.startsWith('${word}')) ${word}s.push(item.trim());`,
    `    else console.log('no ${word}', item, ${word}s.length);`,
    `  }`,
    `  return ${word}s.toSorted();`,
    `}`,
    '',
  ].join('\n');
}
