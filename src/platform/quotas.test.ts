import { expect, test } from 'vitest';
import { Quotas } from './quotas.ts';

const BUSY = { accountId: 'a', productId: 'busy' };
const OTHER = { accountId: 'a', productId: 'other' };

/** Quotas of which one product uses so much, and another nothing. */
function quotasUsed(limits: ConstructorParameters<typeof Quotas>[0], used: number): Quotas {
  const read = async ({ productId }: { productId: string }): Promise<number> => (productId === 'busy' ? used : 0);
  return new Quotas(limits, { storage: read, runs: read, model_cost: read });
}

test('a product that uses what it may begins nothing more, and another one does', async () => {
  const quotas = quotasUsed({ storage: 1_000, runs: 3, model_cost: 0.5 }, 1_000);
  for (const quota of quotas.limited)
    await expect(quotas.require(quota, BUSY)).rejects.toMatchObject({
      code: 'quota_reached',
      fix: expect.stringMatching(/raise SVC_(?:PRODUCT|LLM_PRODUCT)_/),
    });
  for (const quota of quotas.limited) await quotas.require(quota, OTHER);
  expect(quotas.limited).toEqual(['storage', 'runs', 'model_cost']);
  expect([await quotas.remaining('storage', BUSY), await quotas.remaining('storage', OTHER)]).toEqual([0, 1_000]);
});

test('the last unit below the limit may be used, and nothing is limited without a setting', async () => {
  const quotas = quotasUsed({ runs: 3 }, 2);
  await quotas.require('runs', BUSY);
  await quotas.require('storage', BUSY);
  expect(await quotas.remaining('model_cost', BUSY)).toBe(Infinity);
  expect(await quotas.read(BUSY)).toEqual([
    { quota: 'storage', used: 2, limit: null },
    { quota: 'runs', used: 2, limit: 3 },
    { quota: 'model_cost', used: 2, limit: null },
  ]);
});
