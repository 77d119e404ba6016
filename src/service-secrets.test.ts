import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeForgotten, forgetSecrets } from './cli/forget-secrets.ts';
import { type Config, readConfig } from './platform/config.ts';
import type { Database } from './platform/db.ts';
import { createLog } from './platform/log.ts';
import { openDatabase } from './service-data.ts';
import { openService } from './service.ts';
import { serverDatabaseUrl } from './testing/database.ts';
import { testFolder } from './testing/git.ts';

const dataDir = testFolder();
let config: Config;

beforeAll(async () => {
  config = readConfig({ SVC_DATA_DIR: dataDir, DATABASE_URL: await serverDatabaseUrl(), SVC_ENCODER: 'off' });
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Starts a service on the data, asks it, and ends it. */
async function started(ask: (request: (path: string, init?: RequestInit) => Promise<Response>) => Promise<void>) {
  const context = { log: createLog('info', () => undefined), version: '0.0.0', now: () => new Date() };
  const service = await openService(config, { serve: false, work: false }, context);
  try {
    await ask(service.request);
  } finally {
    await service.close();
  }
}

async function withDatabase<T>(act: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(config);
  try {
    return await act(database);
  } finally {
    await database.close();
  }
}

/** The secrets in the database, as they stand there. */
async function storedSecrets(): Promise<string[]> {
  return withDatabase(async ({ db }) => {
    const { rows } = await sql<{ secret: string }>`
      select secret from signal_webhook union all
      select secret from competitor_digest union all
      select totp_secret from person where totp_secret is not null`.execute(db);
    return rows.map(({ secret }) => secret);
  });
}

test('without any setting secrets are encrypted, those of before too, and a lost key has a way out', async () => {
  await started(async (request) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ name: 'CI' }) };
    expect((await request('/v1/signal-webhooks', init)).status).toBe(201);
    const digest = { method: 'PUT', headers, body: JSON.stringify({ to: ['https://hooks.example/svc'] }) };
    expect((await request('/v1/competitor-digests/webhook', digest)).status).toBe(200);
  });
  expect(await storedSecrets()).toEqual([expect.stringMatching(/^v1\./), expect.stringMatching(/^v1\./)]);
  await withDatabase(async ({ db }) => {
    await sql`update signal_webhook set secret = 'whsec_in-clear'`.execute(db);
    await sql`update person set totp_secret = 'JBSWY3DPEHPK3PXP'`.execute(db);
  });

  await started(async () => undefined);

  const sealed = await storedSecrets();
  expect(sealed).toEqual([1, 2, 3].map(() => expect.stringMatching(/^v1\./)));
  expect(describeForgotten(await forgetSecrets({ openDatabase }, config))).toContain('none was forgotten');
  await started(async () => undefined);
  rmSync(join(dataDir, 'secret.key'));
  await expect(started(async () => undefined)).rejects.toMatchObject({ code: 'conflict' });
  expect(existsSync(join(dataDir, 'secret.key'))).toBe(false);
  expect(await forgetSecrets({ openDatabase }, config)).toEqual({
    authenticators: 1,
    webhooks: 1,
    sources: 0,
    organizations: 0,
    trackers: 0,
    digests: 1,
  });
  await started(async () => undefined);
  expect(await storedSecrets()).toEqual([]);
});
