import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { insertBackup } from './backups/backups.ts';
import { uuidv7 } from './kernel/ids.ts';
import type { Database } from './platform/db.ts';
import { openBlobCache } from './platform/blob-cache.ts';
import { createMetrics } from './platform/metrics.ts';
import { addRepository } from './repositories/repositories.ts';
import { addStateMetrics } from './service-metrics.ts';
import { repositoryBench, sourceRepository } from './testing/repositories.ts';
import { keyQuotasUsed, quotasUsed } from './testing/quotas.ts';

const CONNECTIONS = (): ReturnType<Database['connections']> => ({ open: 3, idle: 2, waiting: 1 });
const WAITING = { name: 'repository.index', state: 'waiting', jobs: 2, oldestSeconds: 90 };

const offline = async (): Promise<never> => Promise.reject(new Error('No network.'));

test('a scrape says how the queue, the repositories, the database and the disk are, without a database what it can', async () => {
  const { account, context } = await repositoryBench();
  const source = sourceRepository([{ files: { a: '1' } }]);
  await addRepository(context, account, { source: source.path, name: 'shop', actor: 'system' });
  mkdirSync(join(context.dataDir, 'knowledge/product'), { recursive: true });
  writeFileSync(join(context.dataDir, 'knowledge/product/index.sqlite'), 'x'.repeat(1_234));
  const remote = { put: offline, read: offline, has: offline, delete: offline };
  const blobs = await openBlobCache(join(context.dataDir, 'copies'), remote, { limitBytes: 1_000 });
  await expect(blobs.path('0'.repeat(64))).rejects.toThrow('No network.');
  const startedAt = new Date(context.now().getTime() - 5_000);
  const backup = { id: uuidv7(startedAt), startedAt, finishedAt: context.now(), file: null, bytes: 77, error: null };
  // Tests share a database, and backups are of all products.
  await sql`delete from backup`.execute(context.db);
  await insertBackup(context.db, backup);
  const config = { dataDir: context.dataDir, blobUrl: join(context.dataDir, 'nowhere') };
  const scrape = async (execute: () => Promise<Record<string, unknown>[]>): Promise<string> => {
    const metrics = createMetrics();
    const database = { db: context.db, kind: 'embedded' as const, execute, connections: CONNECTIONS };
    const quotas = quotasUsed({ storage: 100 }, () => ({ storage: 400 }));
    const keys = keyQuotasUsed({ runs: 3 }, { runs: 4 }, [{ ...account, keyId: 'ci' }]);
    const readers = { traffic: { asked: 7, opened: 2 } };
    addStateMetrics({ metrics, database, config, blobs, readers, quotas, ...keys, now: context.now });
    return (await metrics.render()).body;
  };

  const body = await scrape(async () => [WAITING]);
  const broken = await scrape(async () => Promise.reject(new Error('The database does not answer.')));

  expect(body).toContain('queue_jobs{name="repository.index",state="waiting"} 2');
  expect(body).toContain('queue_oldest_seconds{name="repository.index",state="waiting"} 90');
  expect(body).toMatch(/^repositories\{status="pending"\} [1-9]/m);
  expect(body).toMatch(/^database_seconds\{engine="embedded"\} \d/m);
  expect(body).toMatch(/^backup_age_seconds 5$/m);
  expect(body).toContain(`product_quota_used_ratio{product="${account.productId}",quota="storage"} 0.25`);
  expect(body).toContain('api_key_quota_used_ratio{key="ci",quota="runs"} 0.75');
  expect(body).toMatch(/^backup_bytes 77$/m);
  expect(body).toContain('database_connections{state="waiting"} 1');
  expect(body).toContain('disk_used_bytes{kind="knowledge"} 1234');
  expect(body).toMatch(/^disk_free_bytes\{folder="data"\} \d{6}/m);
  expect(body).not.toContain('disk_free_bytes{folder="blobs"}');
  expect(body).toContain('object_storage_blobs{event="failed"} 1');
  expect(body).toContain('index_files{event="opened"} 2');
  expect(broken).not.toMatch(/^(?:queue_jobs|repositories|database_seconds)[{ ]/m);
  expect(broken).toMatch(/^process_resident_memory_bytes \d/m);
});
