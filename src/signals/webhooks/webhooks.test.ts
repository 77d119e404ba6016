import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type SecretKeys, secretKeysOf } from '../../platform/secrets.ts';
import { ShardReaders } from '../../indexes/shards/shards.ts';
import { testAccount } from '../../testing/account.ts';
import type { Signals } from '../context.ts';
import { resealColumn } from '../../platform/sealed-column.ts';
import { authenticateWebhook, createWebhook, WEBHOOK_SECRETS } from './webhooks.ts';

const now = (): Date => new Date('2026-03-01T00:00:00Z');
const [OLD = '', NEW = ''] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'));

test('secrets of webhooks are kept encrypted with the first key, those of before from the next start on', async () => {
  const account = await testAccount();
  const { db } = account;
  const blobs = { put: () => Promise.reject(new Error('Nothing is stored here.')), path: (hash: string) => hash };
  await using readers = new ShardReaders({ blobs, threads: 1, cacheBytes: 1 });
  const having = (secretKeys: SecretKeys): Signals => ({
    db,
    indexes: { readers, rebuild: async () => {} },
    knowledge: { rank: () => Promise.reject(new Error('Nothing is searched here.')) },
    indexed: async () => [],
    secretKeys,
    now,
  });
  const { id, address, secret } = await createWebhook(having(secretKeysOf([OLD])), account, 'CI');
  const body = Buffer.from('{}');
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const storedSecret = async (): Promise<string> => {
    const { rows } = await sql<{ secret: string }>`select secret from signal_webhook where id = ${id}`.execute(db);
    return rows[0]?.secret ?? '';
  };
  const use = async (...keys: [string, ...string[]]): Promise<unknown> =>
    authenticateWebhook(having(secretKeysOf(keys)), {
      address,
      body,
      header: (name) => (name === 'x-hub-signature-256' ? signature : undefined),
    });
  const resealed = async (...keys: [string, ...string[]]): Promise<string> => {
    await resealColumn(db, secretKeysOf(keys), WEBHOOK_SECRETS);
    await use(...keys);
    return storedSecret();
  };

  expect(await storedSecret()).toMatch(/^v1\./);
  await sql`update signal_webhook set secret = ${secret} where id = ${id}`.execute(db);
  const first = await resealed(OLD);
  expect(first).toMatch(/^v1\./);
  expect(await resealed(OLD)).toBe(first);
  const second = await resealed(NEW, OLD);
  expect(second).not.toBe(first);
  expect(await resealed(NEW)).toBe(second);
  await resealColumn(db, secretKeysOf([OLD]), WEBHOOK_SECRETS);
  expect(await storedSecret()).toBe(second);
  await expect(use(OLD)).rejects.toThrow('cannot be decrypted');
});
