import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import type { OpenService } from './cli/command.ts';
import { readConfig } from './platform/config.ts';
import { openServer } from './platform/db-server.ts';
import { createLog } from './platform/log.ts';
import { openService } from './service.ts';
import { testFolder, testRepository, type TestRepository } from './testing/git.ts';
import { startPostgres, type PostgresServer } from './testing/postgres-server.ts';

/** Services on a PostgreSQL server of their own, which may be killed. */

/** The server is killed this often; every second time in the hardest way. */
const KILLS = inject('database').kind === 'server' ? 20 : 2;
const WRITERS = 6;

const dataDir = testFolder();
const opened: OpenService[] = [];
let server: PostgresServer;
let shop: TestRepository;
let databases = 0;
let logged = '';

beforeAll(async () => {
  server = await startPostgres();
  shop = testRepository([{ files: { 'mail.ts': 'export const mail = 1;\n' } }]);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((service) => service.close()));
});
afterAll(async () => {
  await server.stop();
  shop.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

async function emptyDatabase(): Promise<string> {
  databases += 1;
  const admin = openServer({ url: `${server.url}/postgres` });
  await admin.execute(`create database empty_${databases}`);
  await admin.close();
  return `${server.url}/empty_${databases}`;
}

/** A replica: all of them share the data folder. */
async function startReplica(databaseUrl: string): Promise<OpenService> {
  const config = readConfig({ SVC_DATA_DIR: dataDir, DATABASE_URL: databaseUrl, SVC_PORT: '0', SVC_ENCODER: 'off' });
  const log = createLog('info', (line) => (logged += line));
  const service = await openService(config, { serve: true, work: true }, { log, version: '0.0.0', now });
  opened.push(service);
  return service;
}

const now = (): Date => new Date();

function serverFile(): { url: string; token: string } {
  return JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8')) as { url: string; token: string };
}

/** Returns the status with which a service answers the owner's token over its socket. */
async function answerTo(token: string, { url = '' }: OpenService): Promise<number> {
  const response = await fetch(`${url}/v1/api-keys`, { headers: { authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
}

test('replicas that start together on an empty database share the work, and none fails', async () => {
  const url = await emptyDatabase();

  const replicas = await Promise.all([1, 2, 3, 4].map(() => startReplica(url)));

  const { token } = serverFile();
  expect(await Promise.all(replicas.map((replica) => answerTo(token, replica)))).toEqual([200, 200, 200, 200]);
});

test("one owner's token opens every replica, whichever started last, and after others end", async () => {
  const url = await emptyDatabase();
  const first = await startReplica(url);
  const { token } = serverFile();
  const second = await startReplica(url);

  expect(serverFile()).toMatchObject({ url: second.url, token });
  expect([await answerTo(token, first), await answerTo(token, second)]).toEqual([200, 200]);
  await second.close();
  expect(serverFile()).toMatchObject({ url: first.url, token });
  expect(await answerTo(token, first)).toBe(200);
  const third = await startReplica(url);
  await first.close();
  expect(serverFile()).toMatchObject({ url: third.url, token });
  expect(await answerTo(token, third)).toBe(200);
  await third.close();
  expect(serverFile).toThrow(/ENOENT/);
});

test(`a server that is killed under load ${KILLS} times never ends the service, and calls are told what happened`, async () => {
  const service = await startReplica(await emptyDatabase());
  const kinds = new Set<string>();
  const done = new AbortController();
  let good = 0;
  const ask = async (path: string, init: RequestInit = {}): Promise<void> => {
    const response = await service.request(path, init);
    const { error } = (await response.json()) as { error?: { code: string } };
    if (response.ok) good += 1;
    kinds.add(`${response.status} ${error?.code ?? 'done'}`);
  };
  const write = async (): Promise<void> => {
    while (!done.signal.aborted) {
      await ask('/v1/login-link', { method: 'POST' });
      await ask('/v1/api-keys');
      // The service and the server share this process's time.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const load = Promise.all(Array.from({ length: WRITERS }, write));

  for (let kill = 1; kill <= KILLS; kill += 1) {
    const before = good;
    await expect.poll(() => good).toBeGreaterThan(before + WRITERS);
    await server.kill(kill % 2 === 0 ? 'SIGKILL' : 'SIGQUIT');
    await expect.poll(async () => (await service.request('/readyz')).status).toBe(503);
    await server.start();
    await expect.poll(async () => (await service.request('/readyz')).status).toBe(200);
  }
  done.abort();
  await load;

  expect([...kinds].toSorted()).toEqual(['200 done', '201 done', '503 database_unavailable']);
  expect((await service.request('/healthz')).status).toBe(200);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ url: shop.path, name: 'shop' });
  await service.request('/v1/repositories', { method: 'POST', headers, body });
  const states = async (): Promise<string> => JSON.stringify(await (await service.request('/v1/repositories')).json());
  await expect.poll(states).toContain('"status":"ready"');
  expect(logged.length).toBeLessThan(2_000_000);
});
