import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type SecretKeys, secretKeysOf } from '../platform/secrets.ts';
import { ShardReaders } from '../shards/shards.ts';
import { testAccount } from '../testing/account.ts';
import type { Signals } from './context.ts';
import { authenticateWebhook, createWebhook } from './webhooks.ts';

const NOW = new Date('2026-03-01T00:00:00Z');
const [OLD = '', NEW = ''] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'));

test('the secret of a webhook that is used is kept with the first key from then on', async () => {
  const account = await testAccount();
  const blobs = { put: () => Promise.reject(new Error('Nothing is stored here.')), path: (hash: string) => hash };
  await using readers = new ShardReaders({ blobs, threads: 1, cacheBytes: 1 });
  const having = (secretKeys: SecretKeys): Signals => {
    return { db: account.db, readers, indexed: async () => [], secretKeys, now: () => NOW };
  };
  const { id, address, secret } = await createWebhook(having([]), account, 'CI');
  const body = Buffer.from('{}');
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const keptAfter = async (...keys: string[]): Promise<string | undefined> => {
    await authenticateWebhook(having(secretKeysOf(keys)), { address, body, signature });
    const { rows } = await sql<{ secret: string }>`select secret from signal_webhook where id = ${id}`.execute(
      account.db,
    );
    return rows[0]?.secret;
  };

  expect(await keptAfter()).toBe(secret);
  const first = await keptAfter(OLD);
  expect(first).toMatch(/^v1\./);
  expect(await keptAfter(OLD)).toBe(first);
  expect(await keptAfter(NEW, OLD)).not.toBe(first);
  expect(await keptAfter(NEW)).toMatch(/^v1\./);
  await expect(keptAfter(OLD)).rejects.toThrow('cannot be decrypted');
});
