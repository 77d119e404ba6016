import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createProduct } from './accounts/accounts.ts';
import { ProductLimits } from './accounts/product-limits.ts';
import { ModelUsage } from './answers/model/model-usage.ts';
import { addSpending } from './answers/model/store-usage.ts';
import { Runs } from './answers/runs/runs.ts';
import { insertRun } from './answers/runs/store-runs.ts';
import { openDocuments, saveUploads } from './documents/documents.ts';
import { insertKey } from './keys/store.ts';
import { hashSecret } from './keys/token.ts';
import { uuidv7 } from './kernel/ids.ts';
import { openBlobStore } from './platform/blobs.ts';
import { createLog } from './platform/log.ts';
import type { Caller } from './platform/operation/operation.ts';
import { addRepository } from './repositories/repositories.ts';
import { KeyQuotaLimits } from './keys/keys.ts';
import { callLimits, serviceQuotas } from './service-quotas.ts';
import { testFolder } from './testing/git.ts';
import { indexRepository, NOW, repositoryBench, sourceRepository } from './testing/repositories.ts';

/** By the settings. */
const config = {
  rateLimitPerMinute: 600,
  productRequestsPerMinute: undefined,
  productStorageBytes: 30,
  productDailyRuns: 9,
  llmProductDailyCost: 0.5,
};
const DAY = NOW.toISOString().slice(0, 10);

/** An account with two products; the first one is busy. */
async function twoProducts() {
  const bench = await repositoryBench();
  const { db, accountId, productId, actor } = bench.account;
  const other = await createProduct(db, { accountId, name: 'Other', actor }, NOW);
  const limits = await ProductLimits.open(bench.account.database, (error) => expect.unreachable(String(error)));
  onTestFinished(() => limits[Symbol.asyncDispose]());
  const keyLimits = await KeyQuotaLimits.open(bench.account.database, (error) => expect.unreachable(String(error)));
  onTestFinished(() => keyLimits[Symbol.asyncDispose]());
  const keys = { recentRequests: () => 0 };
  const quotas = serviceQuotas({ config, db, limits, keyLimits, keys, now: () => NOW });
  bench.context.requireRoom = (tenant) => quotas.quotas.require('storage', tenant);
  return {
    ...bench,
    limits,
    keyLimits,
    ...quotas,
    db,
    busy: { accountId, productId },
    other: { accountId, productId: other.id },
    actor,
  };
}

test('a product whose uploads and indexes take what they may takes no more of either, and another one does', async () => {
  const { account, context, db, limits, quotas, busy, other, actor } = await twoProducts();
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const documents = openDocuments({
    db,
    blobs: await openBlobStore(folder),
    workDir: join(folder, 'work'),
    readers: 1,
    requireRoom: (tenant) => quotas.require('storage', tenant),
    now: () => NOW,
  });
  onTestFinished(() => documents.close());
  const upload = (tenant: typeof busy, text: string) =>
    saveUploads(documents, { ...tenant, actor, tags: [] }, [{ name: `${text}.md`, content: [Buffer.from(text)] }]);
  await upload(busy, 'twelve bytes');
  expect(await quotas.read(busy)).toContainEqual({ quota: 'storage', used: 12, limit: 30, default: 30 });
  const [first, second] = [sourceRepository([{ files: { a: '1' } }]), sourceRepository([{ files: { b: '2' } }])];
  const repository = await addRepository(context, busy, { source: first.path, name: 'first', actor });
  // 30 bytes by the bench.
  await indexRepository({ context, account, deleted: [] }, repository, 'a');

  expect(await quotas.read(busy)).toContainEqual(expect.objectContaining({ quota: 'storage', used: 42 }));
  const refusal = { code: 'quota_reached' };
  await expect(upload(busy, 'more')).rejects.toMatchObject(refusal);
  const add = { source: second.path, name: 'second', actor };
  await expect(addRepository(context, busy, add)).rejects.toMatchObject(refusal);
  expect(await upload(other, 'more')).toMatchObject([{ outcome: 'added' }]);
  await addRepository(context, other, add);
  // Room that somebody gives this product is there at once.
  await limits.change({ ...busy, actor }, { storage: 1_000 }, NOW);
  expect(await upload(busy, 'more')).toMatchObject([{ outcome: 'added' }]);
});

test('runs and costs of a product end for today at its limits, whatever key asks, and those of another one do not', async () => {
  const { db, limits, quotas, busy, other, actor } = await twoProducts();
  await limits.change({ ...busy, actor }, { runs: 1 }, NOW);
  const yesterday = new Date(NOW.getTime() - 1);
  for (const now of [yesterday, NOW]) {
    const run = { ...busy, id: uuidv7(now), keyId: 'one', kind: 'test', input: {} };
    await insertRun(db, run, { holder: uuidv7(now), now, until: now });
  }
  const runs = new Runs({
    db,
    now: () => NOW,
    log: createLog('silent'),
    requireRun: (caller) => quotas.require('runs', caller),
  });
  onTestFinished(() => runs.close());
  runs.define({ kind: 'test', steps: [], run: async () => ({}) });
  const callerOf = (tenant: typeof busy): Caller => ({ ...tenant, keyId: 'two', scopes: ['read'] });
  await expect(runs.start(callerOf(busy), 'test', {})).rejects.toMatchObject({ code: 'quota_reached' });
  expect(await runs.start(callerOf(other), 'test', {})).toEqual(expect.any(String));

  const spent = { answers: 1, inputTokens: 0, outputTokens: 0, costMicros: 400_000 };
  await addSpending(db, { ...busy, keyId: 'one', day: DAY, model: 'm' }, spent);
  const usage = new ModelUsage({
    db,
    now: () => NOW,
    leftByQuotas: (caller) => quotas.remaining('model_cost', caller),
  });
  const left = (tenant: typeof busy, dailyCost?: number) =>
    usage.left(callerOf(tenant), { dailyCost } as Parameters<ModelUsage['left']>[1]);
  expect(await left(busy, 0.05)).toBe(0.05);
  expect(await left(busy)).toBeCloseTo(0.1);
  await addSpending(db, { ...busy, keyId: 'three', day: DAY, model: 'm' }, spent);
  expect([await left(busy, 1), await left(other, 1), await left(other)]).toEqual([0, 0.5, 0.5]);
});

test('a key that has used what it may begins nothing more, and another key of its product does', async () => {
  const { account, db, keyLimits, keyQuotas, quotas, busy, actor } = await twoProducts();
  const make = async (name: string): Promise<string> => {
    const id = uuidv7(NOW);
    const made = { id, productId: busy.productId, name, scopes: ['read'], createdBy: actor, personId: null };
    await insertKey(db, busy.accountId, { ...made, createdAt: NOW, expiresAt: null, hash: hashSecret(id) });
    return id;
  };
  const [one, two] = [await make('one'), await make('two')];
  await keyLimits.change({ ...busy, keyId: one, actor }, { runs: 1, model_cost: 0.7 }, NOW);
  // As after a restart, or in another replica: read from the database.
  const reopened = await KeyQuotaLimits.open(account.database, (error) => expect.unreachable(String(error)));
  onTestFinished(() => reopened[Symbol.asyncDispose]());
  expect([reopened.of(one), reopened.of(two)]).toEqual([{ runs: 1, model_cost: 0.7 }, {}]);

  const { requireRun, leftByQuotas } = callLimits({ quotas, keyQuotas });
  const callerOf = (keyId: string): Caller => ({ ...busy, keyId, scopes: ['read'] });
  const run = { ...busy, id: uuidv7(NOW), keyId: one, kind: 'test', input: {} };
  await insertRun(db, run, { holder: one, now: NOW, until: NOW });
  await expect(requireRun(callerOf(one))).rejects.toMatchObject({
    message: 'The API key has begun as many runs of agents today as it may: 1.',
    fix: `Wait until midnight (UTC), or have an owner or admin raise the limit: svc key limit ${one} --runs <most>.`,
    policy: 'key_runs',
  });
  await requireRun(callerOf(two));

  const spent = { answers: 1, inputTokens: 0, outputTokens: 0, costMicros: 400_000 };
  const [thisMonth, before] = [`${DAY.slice(0, 7)}-01`, '2026-02-28'];
  for (const day of [thisMonth, before]) await addSpending(db, { ...busy, keyId: one, day, model: 'm' }, spent);
  expect(await keyQuotas.remaining('model_cost', callerOf(one))).toBeCloseTo(0.3);
  // The product may spend .5 a day.
  expect(await leftByQuotas(callerOf(two))).toBeCloseTo(0.1);
  expect(await keyQuotas.read({ ...busy, keyId: one })).toContainEqual({
    quota: 'model_cost',
    used: 0.4,
    limit: 0.7,
    default: null,
  });
});
