import { checkOutput } from './check-output.ts';
import type { Answer } from '../platform/operation/operation.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QuestionVectors } from '../text/encoder/question-vectors.ts';
import type { IndexedRepository } from '../indexes/indexes.ts';
import { codeTool } from '../code/code-tool.ts';
import type { ShardInput } from '../code-index/format/shard-input.ts';
import { writeCodeShard } from '../code-index/shard/shard-writer.ts';
import type { IndexState } from '../kernel/freshness.ts';
import { testShards } from './shard-store.ts';

/** The moment at which calls of tests are made: a year after the first commit of a test repository. */
const NOW = new Date(Date.UTC(2027, 0, 1));

/** `code-tool` over one repository `shop` whose index was made from a sketch. */
export interface TestCodeTool {
  text: (args: Record<string, unknown>) => Promise<string>;
  json: (args: Record<string, unknown>) => Promise<Record<string, unknown>>;
  close: () => Promise<void>;
}

/** Opens the tool. `gitDir` says where the objects of the commit are, for questions about who wrote what. */
export async function openCodeTool(
  input: ShardInput,
  more: { gitDir?: string; commit?: string; index?: IndexState; questionVectors?: QuestionVectors } = {},
): Promise<TestCodeTool> {
  const folder = mkdtempSync(join(tmpdir(), 'code-tool-'));
  const { blobs, readers } = await testShards();
  await writeCodeShard(join(folder, 'next'), { repository: 'shop', commit: 'abc' }, input);
  const { gitDir, commit = '28a9c128912de19f', index = { state: 'fresh', behind: 0 }, questionVectors } = more;
  const repository: IndexedRepository = {
    id: 'shop',
    provenance: { repo: 'shop', ref: 'main', commit, index },
    shard: await blobs.put(join(folder, 'next')),
    gitDir: async () => gitDir,
  };
  const tool = codeTool({
    readers,
    repositories: async () => [repository],
    ...(questionVectors !== undefined && { questionVectors }),
    rebuild: async () => {
      throw new Error('The shard of the test is damaged.');
    },
  });
  const run = async (args: Record<string, unknown>): Promise<Answer> => {
    const answer = await tool.run(
      {
        caller: { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read'] },
        now: () => NOW,
        signal: new AbortController().signal,
        progress: () => undefined,
      },
      tool.input.parse(args),
    );
    checkOutput(tool, answer.json);
    return answer;
  };
  return {
    text: async (args) => (await run(args)).text,
    json: async (args) => (await run(args)).json,
    close: async () => rmSync(folder, { recursive: true }),
  };
}
