import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { CODE_FORMAT } from '../code-index/format/shard-schema.ts';
import { findDefinitions, usages } from '../code/queries/store.ts';
import type { BlobStore } from '../platform/blobs.ts';
import { addRepository, getRepository, removeRepository, type Repository } from '../repositories/repositories.ts';
import { sweep } from '../repositories/runs/runs.ts';
import { openShard } from '../indexes/shards/shards.ts';
import { testAccount } from '../testing/account.ts';
import type { TestRepository } from '../testing/git.ts';
import { indexParts } from '../testing/index-worker.ts';
import { type RepositoryBench, repositoryBench, sourceRepository } from '../testing/repositories.ts';
import { scipIndex } from '../testing/scip.ts';
import { indexRepository, type IndexParts } from './index-repository.ts';
import { refineRepository, type RefineParts } from './refine-repository.ts';
import { type ScipReceipt, uploadScip, type UploadParts } from './upload-scip.ts';

/** A call that only the type of `boxes` resolves, which no annotation says. */
const FILES = {
  'box.py': 'class Box:\n    def open(self): ...\n\nclass Door:\n    def open(self): ...\n',
  'app.py': 'from loader import boxes\n\nfor one in boxes():\n    one.open()\n',
};
const INDEX = scipIndex([
  { path: 'box.py', names: [{ symbol: 'p `box`/Box#open().', at: [1, 8, 12], roles: 1 }] },
  { path: 'app.py', names: [{ symbol: 'p `box`/Box#open().', at: [3, 8, 12], roles: 8 }] },
]);

interface Worker extends RepositoryBench {
  work: IndexParts & RefineParts & UploadParts;
  blobs: BlobStore;
  /** Repositories whose refinement was asked for. */
  refined: string[];
  source: TestRepository;
  added: Repository;
}

async function worker(): Promise<Worker> {
  const bench = await repositoryBench(() => new Date());
  const source = sourceRepository([{ files: FILES }]);
  const refined: string[] = [];
  const work: IndexParts & RefineParts & UploadParts = {
    ...(await indexParts(bench.context)),
    startRefining: async (_, id) => void refined.push(id),
  };
  const added = await addRepository(bench.context, bench.account, {
    source: source.path,
    name: 'shop',
    actor: 'system',
  });
  return { ...bench, work, blobs: work.blobs, refined, source, added };
}

const never = new AbortController().signal;
const index = ({ work, account, added }: Worker): Promise<void> =>
  indexRepository(work, { tenant: account, id: added.id, attempt: 3, signal: never });
const refine = ({ work, account, added }: Worker): Promise<void> =>
  refineRepository(work, { tenant: account, id: added.id, signal: never });
const upload = (
  { work, account }: Worker,
  more: { commit?: string; content?: Uint8Array } = {},
): Promise<ScipReceipt> =>
  uploadScip(work, { tenant: account, actor: account.actor, repository: 'shop', content: INDEX, ...more });

/** Uses of `Box.open`, as `path:line use grade`. */
async function usesOfOpen({ context, account, added, blobs }: Worker): Promise<string[]> {
  const { shardHash } = await getRepository(context, account, added.id);
  const db = openShard(await blobs.path(shardHash ?? ''), CODE_FORMAT);
  try {
    const symbols = findDefinitions(db, { query: 'Box/open', limit: 10 }).rows.map(({ id }) => id);
    const { rows } = usages(db, { symbols, limit: 100, offset: 0 });
    return rows.map(({ path, line, use, grade }) => `${path}:${line} ${use} ${grade}`);
  } finally {
    db.close();
  }
}

test('an index of the commit that is served becomes exact uses, in any language', async () => {
  const bench = await worker();
  await index(bench);
  expect(await usesOfOpen(bench)).toEqual([]);

  const receipt = await upload(bench);

  const commit = bench.source.git('rev-parse', 'HEAD');
  const expected = { repository: 'shop', commit, tool: 'scip-test 1.0.0', documents: 2, occurrences: 2 };
  expect(receipt).toMatchObject({ ...expected, applies: true });
  expect(bench.refined).toEqual([bench.added.id]);
  await refine(bench);
  expect(await usesOfOpen(bench)).toEqual(['app.py:4 call exact']);
});

test('an index of another commit waits until that one is indexed', async () => {
  const bench = await worker();
  await index(bench);
  bench.source.commit({ files: { 'README.md': '# Shop\n' } });

  expect(await upload(bench, { commit: 'main' })).toMatchObject({ applies: false });
  await refine(bench);
  expect(await usesOfOpen(bench)).toEqual([]);

  await index(bench);
  await refine(bench);
  expect(await usesOfOpen(bench)).toEqual(['app.py:4 call exact']);
});

test('what does not fit the commit is refused and not kept', async () => {
  const bench = await worker();
  await index(bench);
  const other = scipIndex([{ path: 'gone.py', names: [] }]);

  await expect(upload(bench, { content: other })).rejects.toThrow('1 of 1 documents of the index are not files of');
  await expect(upload(bench, { content: new Uint8Array(Buffer.from('no index')) })).rejects.toThrow('not a SCIP index');
  await expect(upload(bench, { commit: 'nowhere' })).rejects.toMatchObject({ code: 'bad_argument' });

  await refine(bench);
  expect(await usesOfOpen(bench)).toEqual([]);
});

test('a repository of another account is unknown, and one without an index needs a commit', async () => {
  const bench = await worker();
  const stranger = await testAccount();

  await expect(upload({ ...bench, account: stranger })).rejects.toMatchObject({ code: 'unknown_repo' });
  await expect(upload(bench)).rejects.toMatchObject({ code: 'not_indexed' });
  expect(await upload(bench, { commit: 'main' })).toMatchObject({ applies: false });
});

test('an index is kept until its repository is removed', async () => {
  const bench = await worker();
  // Blobs that another account has too would stay.
  const content = scipIndex([{ path: 'box.py', names: [] }], bench.added.id);
  await upload(bench, { commit: 'main', content });
  const hash = createHash('sha256').update(content).digest('hex');
  await sweep(bench.context, -1);
  expect(bench.deleted).not.toContain(hash);

  await removeRepository(bench.context, bench.account, { id: bench.added.id, actor: 'system' });

  await sweep(bench.context, -1);
  expect(bench.deleted).toContain(hash);
});
