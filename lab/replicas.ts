import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { testRepository } from '../src/testing/git.ts';
import { openTestStorage } from '../src/testing/object-storage.ts';
import { startPostgres } from '../src/testing/postgres-server.ts';
import type { Load, LoadResult } from './load.ts';
import { openStream } from './mcp.ts';
import { processorSeconds, residentBytes } from './measure.ts';
import type { Row } from './report.ts';
import { createKey } from './service-child.ts';
import { serve, type Serving, untilIndexed } from './serving.ts';

const TOPIC = 'replicas';
const REPLICAS = 3;
const STREAMS = 2_000;
const STREAMS_PER_KEY = String(STREAMS);
const CONNECTIONS = 16;
const SECONDS = 6;
/** More than are answered: then the rate is what the replicas can do. */
const TOO_MANY = 50_000;
const SETTLE_MS = 12_000;
const IDLE_MS = 20_000;

const FILES = {
  'src/mail.ts': 'export function sendMail(): void {}\n',
  'src/order.ts': "import { sendMail } from './mail.ts';\nexport function order(): void {\n  sendMail();\n}\n",
};
const USAGES = JSON.stringify({ action: 'usages', query: 'sendMail' });

/** Three replicas on one PostgreSQL server and one object storage: calls that one answers and all three, and idle streams. */
export async function benchReplicas(): Promise<Row[]> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-replicas-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startPostgres();
  opened.defer(() => postgres.stop());
  mkdirSync(join(folder, 'storage'));
  const { settings, close } = await openTestStorage(join(folder, 'storage'));
  opened.defer(close);
  const environment = {
    DATABASE_URL: `${postgres.url}/postgres`,
    SVC_SECRET_KEY: randomBytes(32).toString('base64'),
    SVC_BLOB_URL: settings.blobUrl,
    AWS_ENDPOINT_URL_S3: settings.s3Endpoint ?? '',
    AWS_ACCESS_KEY_ID: settings.s3AccessKeyId ?? '',
    AWS_SECRET_ACCESS_KEY: settings.s3SecretAccessKey ?? '',
    SVC_STREAMS_PER_KEY: STREAMS_PER_KEY,
    SVC_ENCODER: 'off',
    SVC_EXACT_PASS: 'off',
  };
  const replicas: Serving[] = [];
  for (let at = 0; at < REPLICAS; at += 1) {
    const replica = await serve(join(folder, `replica-${at}`), environment);
    opened.defer(() => replica.end('SIGTERM'));
    replicas.push(replica);
  }
  const repository = testRepository([{ files: FILES }]);
  opened.defer(() => repository.remove());
  return [...(await measureCalls(replicas, repository.path)), ...(await measureStreams(replicas))];
}

async function measureCalls(replicas: readonly Serving[], path: string): Promise<Row[]> {
  const [first] = replicas;
  if (first === undefined) return [];
  await first.owner('POST', '/v1/repositories', { url: path });
  const key = await createKey(first);
  await untilIndexed(first);
  // Each fetches the index first.
  await answerCalls(replicas, key);
  const rows: Row[] = [];
  for (const serving of [replicas.slice(0, 1), replicas]) {
    const { rate, cpuMs } = await answerCalls(serving, key);
    const who = `${serving.length} of ${replicas.length} replicas, usages over REST`;
    rows.push({ topic: TOPIC, name: who, value: rate, unit: 'calls/s', goal: serving.length > 1 ? '1,000' : '' });
    rows.push({ topic: TOPIC, name: `${who}: processor of the replicas`, value: cpuMs, unit: 'ms a call' });
  }
  return rows;
}

/** As many calls as these replicas answer in some seconds; the load comes from a thread for each. */
async function answerCalls(serving: readonly Serving[], key: string): Promise<{ rate: number; cpuMs: number }> {
  const before = processorSecondsOf(serving);
  const threads = serving.map(({ url }) => {
    const workerData: Load = {
      url: `${url}/v1/tools/code-tool`,
      key,
      body: USAGES,
      status: 200,
      connections: CONNECTIONS,
      requestsPerSecond: TOO_MANY,
      seconds: SECONDS,
    };
    return new Worker(new URL('./load-thread.ts', import.meta.url), { workerData });
  });
  const results = await Promise.all(
    threads.map(
      (thread) =>
        new Promise<LoadResult>((resolve, reject) => {
          thread.once('message', resolve);
          thread.once('error', reject);
        }),
    ),
  );
  await Promise.all(threads.map((thread) => thread.terminate()));
  const answered = results.reduce((sum, result) => sum + result.answered, 0);
  const cpuMs = ((processorSecondsOf(serving) - before) / answered) * 1_000;
  return { rate: answered / Math.max(...results.map(({ seconds }) => seconds)), cpuMs };
}

/** Memory of idle streams over all replicas, and what they cost while nothing happens. */
async function measureStreams(replicas: readonly Serving[]): Promise<Row[]> {
  const [first] = replicas;
  if (first === undefined) return [];
  const keys = [await createKey(first)];
  await setTimeout(SETTLE_MS);
  const before = bytesOf(replicas);
  const quiet = await idleShare(replicas);
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, (_, at) =>
      openStream({ url: replicas[at % replicas.length]?.url ?? '', keys }, at),
    ),
  );
  await setTimeout(SETTLE_MS);
  const share = await idleShare(replicas);
  const kib = (bytesOf(replicas) - before) / STREAMS / 1024;
  for (const stream of streams) stream.destroy();
  const what = `${STREAMS.toLocaleString('en')} idle streams over ${replicas.length} replicas`;
  return [
    { topic: TOPIC, name: `${what}: memory`, value: kib, unit: 'KiB a stream' },
    {
      topic: TOPIC,
      name: `${what}: processor`,
      value: share,
      unit: '% of a core',
      note: `${quiet.toFixed(1)} without`,
    },
  ];
}

async function idleShare(replicas: readonly Serving[]): Promise<number> {
  const before = processorSecondsOf(replicas);
  await setTimeout(IDLE_MS);
  return ((processorSecondsOf(replicas) - before) / IDLE_MS) * 100_000;
}

function processorSecondsOf(replicas: readonly Serving[]): number {
  return replicas.reduce((sum, { pid }) => sum + (processorSeconds(pid) ?? Number.NaN), 0);
}

function bytesOf(replicas: readonly Serving[]): number {
  return replicas.reduce((sum, { pid }) => sum + (residentBytes(pid) ?? Number.NaN), 0);
}
