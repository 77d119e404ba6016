import { expect, test } from 'vitest';
import type { Tenant } from '../kernel/tenant.ts';
import { type QuotaLimits, Quotas } from './quotas.ts';

const BUSY = { accountId: 'a', productId: 'busy' };
const OTHER = { accountId: 'a', productId: 'other' };
const EVENING = new Date('2026-01-10T23:59:00Z');

/** Quotas of which the product `busy` uses so much, and another nothing. */
function quotasAt(used: number, defaults: QuotaLimits, limitsOf: (tenant: Tenant) => QuotaLimits = () => ({})): Quotas {
  const read = async ({ productId }: Tenant): Promise<number> => (productId === 'busy' ? used : 0);
  const readers = { requests: read, storage: read, runs: read, model_cost: read };
  return new Quotas({ keyOf: () => undefined, defaults, limitsOf, readers, now: () => EVENING });
}

test('a product that uses what it may begins nothing more, and another one does', async () => {
  const quotas = quotasAt(1_000, { storage: 1_000, runs: 3, model_cost: 0.5 });
  for (const [quota, resetSeconds] of [
    ['storage', undefined],
    ['runs', 60],
    ['model_cost', 60],
  ] as const) {
    const fix: unknown = expect.stringMatching(/raise the limit: svc quotas --(?:storage|runs|model-cost) <most>\./);
    await expect(quotas.require(quota, BUSY)).rejects.toMatchObject({
      code: 'quota_reached',
      policy: quota,
      resetSeconds,
      fix,
    });
    await quotas.require(quota, OTHER);
  }
  expect([await quotas.remaining('storage', BUSY), await quotas.remaining('storage', OTHER)]).toEqual([0, 1_000]);
});

test('the last unit below the limit may be used, and nothing is limited without one', async () => {
  const quotas = quotasAt(2, { runs: 3 });
  await quotas.require('runs', BUSY);
  await quotas.require('storage', BUSY);
  expect(await quotas.remaining('model_cost', BUSY)).toBe(Infinity);
  const runs = { quota: 'runs', used: 2, limit: 3, default: 3 };
  expect(await quotas.read(BUSY, 'limited')).toEqual([runs]);
  expect(await quotas.read(BUSY)).toContainEqual({ quota: 'storage', used: 2, limit: null, default: null });
});

test('the limit that was chosen for a product counts instead of that of the settings, 0 too', async () => {
  const quotas = quotasAt(2, { runs: 3 }, ({ productId }) => (productId === 'busy' ? { runs: 2 } : { runs: 0 }));
  await expect(quotas.require('runs', BUSY)).rejects.toMatchObject({ limit: 2 });
  await expect(quotas.require('runs', OTHER)).rejects.toMatchObject({ limit: 0 });
  expect(await quotas.read(BUSY, 'limited')).toEqual([{ quota: 'runs', used: 2, limit: 2, default: 3 }]);
});

test('the cost of a key counts anew with the next month', async () => {
  const readers = { requests: async () => 0, runs: async () => 0, model_cost: async () => 2 };
  const parts = { defaults: {}, limitsOf: () => ({ model_cost: 2 }), readers, now: () => EVENING };
  const quotas = new Quotas({ ...parts, keyOf: () => 'k1' });
  const daysLeft = 21;
  await expect(quotas.require('model_cost', BUSY)).rejects.toMatchObject({
    policy: 'key_model_cost',
    resetSeconds: daysLeft * 86_400 + 60,
  });
});
