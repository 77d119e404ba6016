import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { codeTool } from '../code/code-tool.ts';
import { openIndexes, RefIndexes } from '../indexes/indexes.ts';
import { ShardReaders } from '../indexes/shards/shards.ts';
import { indexNewest, indexWorker, type IndexWorker, testIndexer } from '../testing/index-worker.ts';
import { canReadRef, refIndexer } from './index-ref.ts';
import { refineRepository } from './refine-repository.ts';

const signal = new AbortController().signal;

/** `post` is a call that only a compiler resolves. */
const FILES = {
  'mail.ts': [
    'export interface Mail { post(): void }',
    'export type Opened<T> = T extends { body: infer Body } ? Body : never;',
    'export declare function open<T>(box: T): Opened<T>;',
    '',
  ].join('\n'),
  'app.ts': [
    "import { open, type Mail } from './mail.ts';",
    "import { log } from './log.ts';",
    'declare const box: { body: Mail };',
    'open(box).post();',
    'log();',
    '',
  ].join('\n'),
  'log.ts': "import { open } from './mail.ts';\nexport function log(): void { open({ body: 1 }); }\n",
};

/** The repository as `code-tool` answers for it. */
async function openTool({ work, account, context }: IndexWorker) {
  const refs = new RefIndexes({
    repositories: context,
    build: refIndexer(work, testIndexer),
    canRead: canReadRef,
    limitBytes: 1e9,
    patienceMs: 30_000,
  });
  const readers = new ShardReaders({ blobs: work.blobs, threads: 1, cacheBytes: 1e7 });
  onTestFinished(async () => {
    await refs.close();
    await readers.close();
  });
  const indexes = openIndexes({ readers, repositories: context, refs, rebuild: () => Promise.resolve() });
  const tool = codeTool(indexes);
  const caller = { accountId: account.accountId, productId: account.productId, keyId: 'k', scopes: ['read' as const] };
  return async (query: string, ref?: string): Promise<{ rows: string[]; index: unknown }> => {
    const call = { caller, now: () => new Date(), signal, progress: () => undefined };
    const { json } = await tool.run(
      call,
      tool.input.parse({ action: 'usages', query, ...(ref !== undefined && { ref }) }),
    );
    const rows = json['rows'] as { path: string; line: number; grade: string }[];
    return { rows: rows.map(({ path, line, grade }) => `${path}:${line} ${grade}`).toSorted(), index: json['index'] };
  };
}

test('what compilers know of unchanged files stays where others are not committed, and comes once they know it', async () => {
  const bench = await indexWorker([{ files: FILES }]);
  await indexNewest(bench);
  const usages = await openTool(bench);
  // Another name that app.ts sees: it is resolved again.
  const edited = FILES['log.ts'].replace('export', '\nexport const post = 1;\nexport');
  writeFileSync(join(bench.source.path, 'log.ts'), edited);

  expect(await usages('open')).toMatchObject({
    rows: ['app.ts:1 resolved', 'app.ts:4 resolved', 'log.ts:1 resolved', 'log.ts:4 resolved'],
    index: { state: 'exact_pending', exact: 'pending', uncommitted: 1, has_uncommitted: true },
  });
  await refineRepository(bench.work, { tenant: bench.account, id: bench.added.id, signal });

  expect(await usages('open')).toMatchObject({
    rows: ['app.ts:1 exact', 'app.ts:4 exact', 'log.ts:1 resolved', 'log.ts:4 resolved'],
    index: { state: 'fresh', exact: 'done', uncommitted: 1, has_uncommitted: true },
  });
  expect((await usages('mail.ts:1')).rows).toContain('app.ts:4 exact');

  // The function that app.ts calls is gone: nothing is said of it, and the others stay.
  writeFileSync(join(bench.source.path, 'log.ts'), 'export const post = 1;\n');
  expect((await usages('open')).rows).toEqual(['app.ts:1 exact', 'app.ts:4 exact']);
});
