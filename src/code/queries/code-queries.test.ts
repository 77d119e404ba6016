import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ShardReaders } from '../../indexes/shards/shards.ts';
import { shop, withShard } from '../../testing/code-shard.ts';
import { CODE_QUERIES } from './code-queries.ts';

test('the queries answer the same through reader threads, and their errors arrive whole', () =>
  withShard(shop(), async (_, file) => {
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
    const ref = { hash, sizeBytes: statSync(file).size };
    const blobs = { put: () => Promise.resolve(ref), path: () => file };
    await using readers = new ShardReaders({ blobs, threads: 1, cacheBytes: 8_000_000 });

    const definitions = await readers.query(ref, CODE_QUERIES, ['findDefinitions', { query: 'sendMail', limit: 5 }]);
    const symbols = definitions.rows.map(({ id }) => id);
    const page = await readers.query(ref, CODE_QUERIES, ['usages', { symbols, limit: 5, offset: 0 }]);

    expect(page.rows.map(({ path, use }) => `${path} ${use}`)).toEqual([
      'src/orders/notify.ts import',
      'src/orders/notify.ts call',
      'test/mail.test.ts import',
      'test/mail.test.ts test',
    ]);
    await expect(
      readers.query(ref, CODE_QUERIES, ['grep', { pattern: 'a(?=b)', limit: 5, offset: 0 }]),
    ).rejects.toMatchObject({ name: 'ServiceError', code: 'bad_argument' });
  }));
