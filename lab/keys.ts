import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ensureFirstAccount } from '../src/accounts/accounts.ts';
import type { KeyGate } from '../src/http/auth.ts';
import { isMcpRequest } from '../src/http/mcp-routes.ts';
import { type Keys, openKeys } from '../src/keys/keys.ts';
import { keyRoutes } from '../src/keys/routes.ts';
import { openEmbedded } from '../src/platform/embedded/embedded.ts';
import { openServer } from '../src/platform/db-server.ts';
import type { Database, Db } from '../src/platform/db.ts';
import { migrate } from '../src/platform/migrate.ts';
import { newRoutes } from '../src/platform/web.ts';
import { keyQuotasUsed } from '../src/testing/quotas.ts';
import { startService, type TestService } from '../src/testing/http.ts';
import { startPostgres } from '../src/testing/postgres-server.ts';
import { type Load, type LoadResult, sendLoad } from './load.ts';
import { median, percentile } from './measure.ts';
import type { Row } from './report.ts';
import { serve, type Serving } from './serving.ts';

const TOPIC = 'keys';
const CHECKS = 100_000;
const MANY = 1_000_000_000;

/** Of requests with and without the check, in turn. */
const ROUTES = [
  { path: '/v1/cheap', name: 'route that does nothing' },
  // The database is queried twice.
  { path: '/v1/api-keys', name: 'list of API keys' },
];
const ROUNDS = 16;
const WARM_UPS = 2;
const ROUND_SECONDS = 0.5;
const LOAD_THREADS = 2;
/** More than are answered: then the rate is what the service can do. */
const TOO_MANY = 50_000;

const REGENERATIONS = 200;
const REFUSED_LIMIT_MS = 5_000;

const REQUESTS_PER_SECOND = 5_000;
const CONNECTIONS = 32;
/** Counts are written every second: the kills fall into different parts of it. */
const KILLS_AFTER_MS = [2_100, 2_300, 2_500, 2_700, 2_900];
const STOP_AFTER_MS = 2_500;
const LOAD_SECONDS = 5;

const now = (): Date => new Date();
const NO_FAULTS = { onFault: () => undefined };

/** Measures the cost of checking a key, the delay until other replicas use a new secret, and the counts that survive an end. */
export async function benchKeys(): Promise<Row[]> {
  return [...(await checks()), ...(await replicas()), ...(await counts())];
}

/** The check of a key that is known, by itself and as a part of the cheapest request that can be. */
async function checks(): Promise<Row[]> {
  await using opened = new AsyncDisposableStack();
  const database = await openEmbedded();
  opened.defer(() => database.close());
  await migrate(database.db);
  const { accountId, productId, ownerId } = await ensureFirstAccount(database.db, now());
  const keys = await openKeys(database, now, { ...NO_FAULTS, requestsPerMinute: MANY });
  opened.defer(() => keys.close());
  const actor = `person:${ownerId}` as const;
  const scopes = ['read', 'keys:write'];
  const { secret } = await keys.createKey({ accountId, product: productId, name: 'bench', actor, scopes });
  await checkUs(keys, secret);
  const us = await checkUs(keys, secret);
  const rows = await requests({ db: database.db, keys }, secret);
  return [{ topic: TOPIC, name: 'cached check', value: us, unit: 'us', goal: '<= 10' }, ...rows];
}

async function checkUs(keys: Keys, secret: string): Promise<number> {
  const startedAt = performance.now();
  for (let check = 0; check < CHECKS; check++) await keys.authenticate(secret);
  return ((performance.now() - startedAt) / CHECKS) * 1000;
}

/** Requests with the check and with one that knows the caller already, over all doors, to a route of each kind. */
async function requests(parts: { db: Db; keys: Keys }, secret: string): Promise<Row[]> {
  const { keys } = parts;
  const caller = await keys.authenticate(secret);
  const unchecked: KeyGate = {
    authenticate: async () => caller,
    take: (keyId) => keys.take(keyId),
    takeOfProduct: (productId) => keys.takeOfProduct(productId),
    allowFailure: () => true,
    count: (...counted) => keys.count(...counted),
    onDead: () => () => undefined,
    deadAmong: async () => [],
  };
  const services = [await openDoors(keys, parts), await openDoors(unchecked, parts)] as const;
  const rows: Row[] = [];
  for (const { path, name } of ROUTES) {
    const pairs: Pair[] = [];
    // The first rounds are a warm-up.
    for (let round = -WARM_UPS; round < ROUNDS; round++) {
      const first = round % 2 === 0 ? 0 : 1;
      const load = await underLoad(services[first].url + path, secret);
      const other = await underLoad(services[first === 0 ? 1 : 0].url + path, secret);
      if (round >= 0)
        pairs.push(first === 0 ? { checked: load, unchecked: other } : { checked: other, unchecked: load });
    }
    rows.push(...pairRows(name, pairs));
  }
  await Promise.all(services.map((service) => service.close()));
  return rows;
}

/** A round of each. */
interface Pair {
  checked: Measure;
  unchecked: Measure;
}

interface Measure {
  requestsPerSecond: number;
  /** Processor time of the serving thread for one request. */
  cpuUs: number;
}

function pairRows(route: string, pairs: readonly Pair[]): Row[] {
  const cpuUs = median(pairs.map(({ checked }) => checked.cpuUs));
  const added = pairs.map(({ checked, unchecked }) => checked.cpuUs - unchecked.cpuUs);
  const [low, high] = [percentile(added, 0.25), percentile(added, 0.75)];
  const without = Math.round(median(pairs.map(({ unchecked }) => unchecked.requestsPerSecond)));
  const rate = median(pairs.map(({ checked }) => checked.requestsPerSecond));
  const half = `middle half of ${pairs.length} rounds: ${low.toFixed(1)} to ${high.toFixed(1)} us`;
  return [
    { topic: TOPIC, name: route, value: rate, unit: 'requests/s', note: `without the check ${without}` },
    { topic: TOPIC, name: `${route}: processor`, value: cpuUs, unit: 'us a request', note: 'of the serving thread' },
    { topic: TOPIC, name: `${route}: the check adds`, value: median(added), unit: 'us a request', note: half },
    {
      topic: TOPIC,
      name: `${route}: share of the check`,
      value: (median(added) / cpuUs) * 100,
      unit: '%',
      goal: '<= 5',
    },
  ];
}

/** The doors, and behind them the routes of the keys and one that does nothing. */
function openDoors(gate: KeyGate, parts: { db: Db; keys: Keys }): Promise<TestService> {
  const routes = newRoutes();
  routes.get('/cheap', (c) => c.json({ ok: true }));
  return startService({
    operations: [],
    gate,
    routes: [
      { routes, v1: '/' },
      keyRoutes({ ...parts, ...keyQuotasUsed({}), operations: [], isMcpRequest, now: () => new Date() }),
    ],
  });
}

/** The load comes from threads of its own, so that the time of this one is that of the service. */
async function underLoad(url: string, key: string): Promise<Measure> {
  const workerData: Load = {
    url,
    key,
    status: 200,
    connections: CONNECTIONS,
    requestsPerSecond: TOO_MANY,
    seconds: ROUND_SECONDS,
  };
  const threads = Array.from(
    { length: LOAD_THREADS },
    () => new Worker(new URL('./load-thread.ts', import.meta.url), { workerData }),
  );
  const before = process.threadCpuUsage();
  const results = await Promise.all(threads.map(resultOf));
  const { user, system } = process.threadCpuUsage(before);
  await Promise.all(threads.map((thread) => thread.terminate()));
  const answered = results.reduce((sum, result) => sum + result.answered, 0);
  const requestsPerSecond = answered / Math.max(...results.map(({ seconds }) => seconds));
  return { requestsPerSecond, cpuUs: (user + system) / answered };
}

function resultOf(thread: Worker): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

/** Measures how long a replica that has cached a key goes on accepting its former secret after another replica renewed it. */
async function replicas(): Promise<Row[]> {
  await using opened = new AsyncDisposableStack();
  const server = await startPostgres();
  opened.defer(() => server.stop());
  const open = (): Database =>
    opened.adopt(openServer({ url: `${server.url}/postgres` }), (database) => database.close());
  const [first, second] = [open(), open()];
  await migrate(first.db);
  const { accountId, productId, ownerId } = await ensureFirstAccount(first.db, now());
  const here = opened.adopt(await openKeys(first, now, NO_FAULTS), (keys) => keys.close());
  const there = opened.adopt(await openKeys(second, now, NO_FAULTS), (keys) => keys.close());
  const actor = `person:${ownerId}` as const;
  const made = await here.createKey({ accountId, product: productId, name: 'bench', actor });
  let { secret } = made;
  const [sinceAnswer, sinceCall]: [number[], number[]] = [[], []];
  for (let round = 0; round < REGENERATIONS; round++) {
    if ((await there.authenticate(secret)) === undefined) throw new Error('The replica does not know the key.');
    const refused = untilRefused(there, secret);
    const calledAt = performance.now();
    ({ secret } = await here.regenerateKey({ accountId, keyId: made.key.id, actor }));
    const answeredAt = performance.now();
    const refusedAt = await refused;
    sinceAnswer.push(Math.max(0, refusedAt - answeredAt));
    sinceCall.push(refusedAt - calledAt);
  }
  const note = `${REGENERATIONS} times, PostgreSQL 18 on this machine`;
  const row = { topic: TOPIC, unit: 'ms', note };
  return [
    { ...row, name: 'regenerated elsewhere, after its answer: p50', value: percentile(sinceAnswer, 0.5) },
    {
      ...row,
      name: 'regenerated elsewhere, after its answer: p99',
      value: percentile(sinceAnswer, 0.99),
      goal: '<= 50',
    },
    { ...row, name: 'regenerated elsewhere, after the call: p50', value: percentile(sinceCall, 0.5) },
    { ...row, name: 'regenerated elsewhere, after the call: p99', value: percentile(sinceCall, 0.99) },
  ];
}

/** Returns the time until the secret is first refused, checked once per turn of the event loop. */
async function untilRefused(keys: Keys, secret: string): Promise<number> {
  const startedAt = performance.now();
  while ((await keys.authenticate(secret)) !== undefined) {
    if (performance.now() - startedAt > REFUSED_LIMIT_MS) throw new Error('The replica goes on taking the old secret.');
    await setImmediate();
  }
  return performance.now();
}

/** Returns the counts that survive when a whole service ends under load: stopped, and killed. */
async function counts(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-counts-'));
  let service = await serve(dataDir);
  try {
    const round = async (signal: 'SIGTERM' | 'SIGKILL', afterMs: number): Promise<Ended> => {
      const ended = await endUnderLoad(service, signal, afterMs);
      service = await serve(dataDir);
      const usage = await service.owner<{ total: number }>('GET', `/v1/api-keys/${ended.keyId}/usage`);
      return { ...ended, lost: ended.answered - usage.total };
    };
    const stopped = await round('SIGTERM', STOP_AFTER_MS);
    const killed: Ended[] = [];
    for (const afterMs of KILLS_AFTER_MS) killed.push(await round('SIGKILL', afterMs));
    return countRows(stopped, killed);
  } finally {
    await service.end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Ended extends LoadResult {
  keyId: string;
  /** Answered requests that are not in the total after the next start; below 0 when more were counted than answered. */
  lost: number;
}

/** Uses a new key at the wanted rate, and ends the service in the middle of it. */
async function endUnderLoad(
  service: Serving,
  signal: 'SIGTERM' | 'SIGKILL',
  afterMs: number,
): Promise<Omit<Ended, 'lost'>> {
  const { id, key } = await service.owner<{ id: string; key: string }>('POST', '/v1/api-keys', { name: 'bench' });
  const load = sendLoad({
    // Authenticated, limited and counted like all, and then nothing: what asks the database cannot be asked that often.
    url: `${service.url}/v1/nothing`,
    key,
    status: 404,
    connections: CONNECTIONS,
    requestsPerSecond: REQUESTS_PER_SECOND,
    seconds: LOAD_SECONDS,
  });
  const [result] = await Promise.all([load, setTimeout(afterMs).then(() => service.end(signal))]);
  return { ...result, keyId: id };
}

function countRows(stopped: Ended, killed: readonly Ended[]): Row[] {
  const rate = ({ answered, seconds }: Ended): number => answered / seconds;
  const lostSeconds = killed.map((ended) => ended.lost / rate(ended));
  const answered = `of ${stopped.answered.toLocaleString('en')} answered; ${stopped.failed} failed after the signal`;
  const note = `${killed.length} kills: ${lostSeconds.map((seconds) => seconds.toFixed(2)).join(', ')} s`;
  const rows = { topic: TOPIC, unit: 'requests/s' };
  return [
    { ...rows, name: 'rate until SIGTERM', value: rate(stopped), goal: '5,000' },
    { topic: TOPIC, name: 'counts lost on SIGTERM', value: stopped.lost, unit: '', goal: '0', note: answered },
    { ...rows, name: 'rate until kill -9, slowest', value: Math.min(...killed.map(rate)), goal: '5,000' },
    {
      topic: TOPIC,
      name: 'counts lost on kill -9, most',
      value: Math.max(...lostSeconds),
      unit: 's',
      goal: '<= 1',
      note,
    },
  ];
}
