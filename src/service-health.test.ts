import { once } from 'node:events';
import { renameSync, rmSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { OpenService } from './cli/command.ts';
import { readConfig } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { openService } from './service.ts';
import { testFolder, testRepository } from './testing/git.ts';

const dataDir = testFolder();
const clock = { aheadMs: 0 };
/** Interval at which the service looks for what is due. */
const LOOK_MS = 5_000;
let logged = '';
let service: OpenService;
let adminPort = 0;

beforeAll(async () => {
  // What the service looks for at intervals it looks for when a test lets time pass.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  adminPort = await freePort();
  const config = readConfig({
    SVC_DATA_DIR: dataDir,
    SVC_ENCODER: 'off',
    SVC_EXACT_PASS: 'off',
    SVC_EXTRACT_PROCESSES: '1',
    SVC_ADMIN_PORT: String(adminPort),
  });
  const log = createLog('info', (line) => (logged += line));
  service = await openService(config, { serve: false, work: true }, { log, version: '0.0.0', now });
});
afterAll(async () => {
  await service.close();
  vi.useRealTimers();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const now = (): Date => new Date(Date.now() + clock.aheadMs);

async function ask(path: string, body?: object): Promise<{ status: number; answer: unknown }> {
  const headers = { 'content-type': 'application/json' };
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await service.request(path, init);
  return { status: response.status, answer: await response.json() };
}

/** Lets time pass, and writes something, without which nothing is looked for: what is due by then is looked for at once. */
async function letPass(minutes: number): Promise<void> {
  clock.aheadMs += minutes * 60_000;
  expect((await ask('/v1/api-keys', { name: `after ${minutes} minutes` })).status).toBe(201);
  vi.advanceTimersByTime(LOOK_MS);
}

/** Gives a part of the data folder another name, and returns the way back. */
function lose(part: string): () => void {
  const path = join(dataDir, part);
  renameSync(path, `${path}.lost`);
  return () => renameSync(`${path}.lost`, path);
}

test('a process that only works serves its metrics, with what the database and the disk hold', async () => {
  const answer = await fetch(`http://127.0.0.1:${adminPort}/metrics`);

  const body = await answer.text();
  expect(body).toMatch(/^database_seconds\{engine="embedded"\} \d/m);
  expect(body).toMatch(/^disk_used_bytes\{kind="database"\} [1-9]\d{5}/m);
});

test('a database that stops is told as one until it is open again, and the service goes on', async () => {
  const before = await ask('/v1/api-keys', { name: 'before' });
  const restore = lose('postgres/pg_wal');

  const inFlight = await ask('/v1/api-keys', { name: 'meanwhile' });
  const [waiting, after, ready, alive] = await Promise.all([
    ask('/v1/api-keys'),
    ask('/v1/api-keys'),
    ask('/readyz'),
    ask('/healthz'),
  ]);
  clock.aheadMs = 2 * 60_000;
  const failing = await ask('/healthz');
  restore();
  await expect.poll(async () => (await ask('/readyz')).status).toBe(200);

  expect(before.status).toBe(201);
  expect(inFlight).toMatchObject({ status: 503, answer: { error: { code: 'database_unavailable' } } });
  for (const health of [waiting, after]) {
    expect(health).toMatchObject({ status: 503, answer: { error: { code: 'database_unavailable' } } });
  }
  expect(ready).toMatchObject({
    status: 503,
    answer: {
      ready: false,
      waiting: ['The embedded database stopped and is being opened again.'],
      restarting: [{ part: 'database' }],
    },
  });
  expect(alive.status).toBe(200);
  expect(failing).toMatchObject({ status: 503, answer: { status: 'failing' } });
  expect(await ask('/healthz')).toMatchObject({ status: 200, answer: { status: 'ok' } });
  const keys = await ask('/v1/api-keys');
  expect(JSON.stringify(keys.answer)).toContain('"name":"before"');
  expect((await ask('/v1/api-keys', { name: 'after' })).status).toBe(201);
  expect(logged).toContain('the embedded database was opened again');
  expect(logged.length).toBeLessThan(100_000);
});

test('a folder that cannot take what is stored makes the service not ready', async () => {
  const restore = lose('blobs');
  const lost = await ask('/readyz');
  restore();

  expect(lost).toEqual({
    status: 503,
    answer: { ready: false, waiting: ['the folder of the blobs cannot be written'], restarting: [] },
  });
  expect((await ask('/readyz')).status).toBe(200);
});

/** Kills the next threads that are given a query of an index about a name, as many as `kills.remaining` says. */
function killReaders(name: string): { remaining: number } {
  const kills = { remaining: 0 };
  // Modules that import it from now on, and those that have, use what it is set to.
  const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Worker };
  const Original = threads.Worker;
  threads.Worker = class extends Original {
    override postMessage(...message: Parameters<Worker['postMessage']>): void {
      super.postMessage(...message);
      const [{ task }] = message as [{ task: { kind?: string } }];
      // Others are of work that follows an index run.
      if (kills.remaining === 0 || task.kind !== 'query' || !JSON.stringify(task).includes(name)) return;
      kills.remaining -= 1;
      this.terminate().catch(() => undefined);
    }
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    threads.Worker = Original;
    syncBuiltinESMExports();
  });
  return kills;
}

test('quick calls whose reader is killed are answered at once by another one, and the end is logged and counted', async () => {
  const kills = killReaders('walrus');
  const shop = testRepository();
  onTestFinished(() => shop.remove());
  shop.commit({ files: { 'a.ts': 'export function walrus() {}\nwalrus();\n' } });
  await ask('/v1/repositories', { url: shop.path, name: 'shop' });
  await expect.poll(async () => JSON.stringify(await ask('/v1/repositories'))).toContain('"status":"ready"');
  const before = logged.length;

  // A call is given to one more reader: a second kill might meet the same call.
  kills.remaining = 1;
  const call = { action: 'usages', query: 'walrus', repo: 'shop', format: 'json' };
  const answers = await Promise.all(Array.from({ length: 10 }, async () => ask('/v1/tools/code-tool', call)));

  expect(kills.remaining).toBe(0);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(logged.slice(before)).toContain('a worker for reading indexes ended');
  await expect.poll(async () => (await ask('/readyz')).answer).toMatchObject({ ready: true, restarting: [] });
});

test('answers about a repository by address follow its pushes, and state an old fetch while it cannot be fetched', async () => {
  const shop = testRepository([{ files: { 'a.ts': 'export function walrus() {}\n' } }]);
  const away = `${shop.path}.away`;
  onTestFinished(() => {
    shop.remove();
    rmSync(away, { recursive: true, force: true });
  });
  const listed = async () => {
    const { answer } = await ask('/v1/repositories');
    return (answer as { repositories: Record<string, unknown>[] }).repositories.find(({ name }) => name === 'mirrored');
  };
  const definition = async (query: string) => {
    const call = { action: 'definition', query, repo: 'mirrored', format: 'json' };
    return (await ask('/v1/tools/code-tool', call)).answer;
  };
  await ask('/v1/repositories', { url: `file://${shop.path}`, name: 'mirrored' });
  await expect.poll(listed).toMatchObject({ status: 'ready', freshness: 'fresh', fetch_result: 'new_commits' });

  renameSync(shop.path, away);
  await letPass(10);
  await expect
    .poll(async () => (await listed())?.['fetch_error'])
    .toMatchObject({ message: expect.any(String) as string });
  expect(await listed()).toMatchObject({ freshness: 'fetched 10 min ago' });
  expect(await definition('walrus')).toMatchObject({ index: { state: 'fetched' } });
  renameSync(away, shop.path);
  const commit = shop.commit({ files: { 'b.ts': 'export function narwhal() {}\n' } });
  await letPass(60);

  await expect.poll(async () => JSON.stringify(await definition('narwhal'))).toContain(commit);
  await expect
    .poll(listed)
    .toMatchObject({ commit, freshness: 'fresh', fetch_result: 'new_commits', fetch_error: null });
});
