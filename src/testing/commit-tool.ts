import { checkOutput } from './check-output.ts';
import type { Answer } from '../platform/operation/operation.ts';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { CODE_QUERIES } from '../code/code.ts';
import type { IndexedRepository, Indexes } from '../indexes/indexes.ts';
import type { ShardInput } from '../code-index/format/shard-input.ts';
import { indexCode } from '../code-index/code-index.ts';
import { writeCodeShard } from '../code-index/shard/shard-writer.ts';
import { commitTool } from '../commits/commit-tool.ts';
import { writeHistory } from '../commits/mine/mine.ts';
import { writeRemovedExports } from '../commits/removals/removals.ts';
import { assessIndex } from '../kernel/freshness.ts';
import { ServiceError } from '../kernel/errors.ts';
import { readCommitName, resolveCommitName } from '../platform/git/git-names.ts';
import { shardInput } from './code-shard.ts';
import { withExtractors } from './extractors.ts';
import { partialClone, testFolder, type TestRepository } from './git.ts';
import { testShards } from './shard-store.ts';

/** The moment at which calls of tests are made: a month after the first commit of a test repository. */
const NOW = new Date(Date.UTC(2026, 1, 1));

/** `commit-tool` over one repository `shop`. */
export interface TestCommitTool {
  /** Parts with which the tool was made. */
  parts: Indexes;
  text: (args: Record<string, unknown>) => Promise<string>;
  json: (args: Record<string, unknown>) => Promise<Record<string, unknown>>;
  close: () => Promise<void>;
}

/** The tool on the history of a repository, and on a partial clone of it, whose contents are not there. */
export interface ToolAndPartial {
  tool: TestCommitTool;
  poor: TestCommitTool;
  /** Closes both, and removes the repository and its clone. */
  remove: () => Promise<void>;
}

/** Opens the tool on a commit of a repository and of a partial clone of it. */
export async function openToolAndPartial(
  repository: TestRepository,
  commit: string,
  code: ShardInput | 'indexed',
): Promise<ToolAndPartial> {
  const partial = partialClone(repository);
  const tool = await openCommitTool({ gitDir: join(repository.path, '.git'), commit }, code);
  // Nothing can be parsed there.
  const poor = await openCommitTool({ gitDir: partial.path, commit }, code === 'indexed' ? shardInput([]) : code);
  return {
    tool,
    poor,
    remove: async () => {
      await Promise.all([tool.close(), poor.close()]);
      repository.remove();
      partial.remove();
    },
  };
}

/**
 * Opens the tool on the real history of a commit; the index of its code is made from a sketch, by indexing, or empty. With `isNew` nothing
 * of what follows an index run was done yet.
 */
export async function openCommitTool(
  {
    gitDir,
    commit,
    isNew = false,
    contentLimitMs,
  }: { gitDir: string; commit: string; isNew?: boolean; contentLimitMs?: number },
  code: ShardInput | 'indexed' = shardInput([]),
): Promise<TestCommitTool> {
  const folder = testFolder();
  const { blobs, readers } = await testShards();
  const { signal } = new AbortController();
  const run = { signal, onProgress: (): void => undefined };
  await writeCode(folder, { gitDir, commit, code });
  const { gaps } = await writeHistory({ gitDir, commit, targetFile: join(folder, 'history') }, run);
  const shard = await blobs.put(join(folder, 'code'));
  const offered = isNew ? undefined : await readers.query(shard, CODE_QUERIES, ['offeredFiles', {}]);
  const historyFile = offered === undefined ? join(folder, 'history') : await lookedInto(folder, gitDir, offered);
  const repository: IndexedRepository = {
    id: 'shop',
    fullName: 'acme/shop',
    provenance: { repo: 'shop', ref: 'main', commit, index: assessIndex({ behind: 0, gaps }) },
    shard,
    history: await blobs.put(historyFile),
    gitDir: async () => gitDir,
    named: async (name) => namedHere(gitDir, name),
  };
  const parts: Indexes = {
    readers,
    repositories: async () => [repository],
    rebuild: async () => {
      throw new Error('The shard of the test is damaged.');
    },
  };
  const tool = commitTool(parts, contentLimitMs);
  const runTool = async (args: Record<string, unknown>): Promise<Answer> => {
    const answer = await tool.run(
      {
        caller: { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read'] },
        now: () => NOW,
        signal,
        progress: () => undefined,
      },
      tool.input.parse(args),
    );
    checkOutput(tool, answer.json);
    return answer;
  };
  return {
    parts,
    text: async (args) => (await runTool(args)).text,
    json: async (args) => (await runTool(args)).json,
    close: async () => rmSync(folder, { recursive: true }),
  };
}

/** The history of the folder with the removed exports of all its commits. */
async function lookedInto(folder: string, gitDir: string, offered: readonly string[]): Promise<string> {
  const [historyFile, targetFile] = [join(folder, 'history'), join(folder, 'history-whole')];
  const task = { gitDir, historyFile, offered, targetFile, most: 1_000 };
  await writeRemovedExports(task, new AbortController().signal);
  return targetFile;
}

/** Writes the code shard of a commit to `code` in a folder. */
async function writeCode(
  folder: string,
  { gitDir, commit, code }: { gitDir: string; commit: string; code: ShardInput | 'indexed' },
): Promise<void> {
  const targetFile = join(folder, 'code');
  if (code !== 'indexed') {
    await writeCodeShard(targetFile, { repository: 'shop', commit }, code);
    return;
  }
  const task = { gitDir, commit, repository: 'shop', factsCache: join(folder, 'facts'), targetFile };
  const signal = new AbortController().signal;
  await withExtractors((extractors) => indexCode(task, { signal, extractors, onProgress: () => undefined }));
}

/** As of a local repository. */
async function namedHere(gitDir: string, name: string): Promise<string | undefined> {
  try {
    return await resolveCommitName(gitDir, 'shop', readCommitName(name));
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
