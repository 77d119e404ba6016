import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type ClientRequest, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { percentile, processorSeconds, residentBytes } from './measure.ts';
import type { Row } from './report.ts';
import { type Call, sampleCalls, sequence } from './sample.ts';
import { type ServiceChild, startService } from './service-child.ts';

const SESSIONS = 50;
const IDLE_SESSIONS = 1_000;
const CALLS_OF_EACH = 200;
const SECONDS = 6;
/** Of the calls that were possible one after the other: the service has room, so what is measured is waiting, not overload. */
const OPEN_SHARE = 0.5;
/** Node.js gives memory back about eight seconds after the last work. */
const SETTLE_MS = 12_000;
const TOPIC = 'mcp';
/** Both ways of the protocol, with their paths. */
const TRANSPORTS = {
  SSE: { path: '/v1/mcp/sse', make: SSEClientTransport },
  'Streamable HTTP': { path: '/v1/mcp', make: StreamableHTTPClientTransport },
} as const;
type TransportName = keyof typeof TRANSPORTS;

/** Share of each tool in the calls: agents look up uses and definitions most. */
const MIX: Record<string, number> = {
  usages: 3,
  definition: 3,
  search_symbols: 2,
  outline: 1,
  grep: 1,
  semantic_search: 1,
};

/**
 * A service in a process of its own: its idle memory, calls over sessions of the official client by both transports (as many as
 * go, and then at a fixed rate), and what an idle session holds.
 */
export async function benchService(gitDir: string, shardFile: string): Promise<Row[]> {
  const service = await startService(gitDir);
  try {
    await setTimeout(SETTLE_MS);
    const idle = residentBytes(service.pid);
    const rows: Row[] = [
      { topic: 'server', name: 'idle after indexing', value: megabytes(idle), unit: 'MB', goal: '<= 400' },
    ];
    // Before any load: memory that calls leave behind would take in the sessions unseen.
    rows.push(await idleSessions(service));
    const calls = mixCalls(sampleCalls(shardFile, CALLS_OF_EACH));
    for (const transport of ['SSE', 'Streamable HTTP'] as const)
      rows.push(...(await transportRows(service, transport, calls)));
    return rows;
  } finally {
    await service.stop();
  }
}

async function transportRows(service: ServiceChild, transport: TransportName, calls: readonly Call[]): Promise<Row[]> {
  const clients = await Promise.all(Array.from({ length: SESSIONS }, (_, at) => connect(service, at, transport)));
  await closedLoop(clients, calls, 1);
  const closed = await measureLoad(service, () => closedLoop(clients, calls, SECONDS));
  const rate = Math.floor((closed.times.length / closed.seconds) * OPEN_SHARE);
  const open = await measureLoad(service, () => openLoop(clients, calls, rate));
  await Promise.all(clients.map((client) => client.close()));
  return [
    ...loadRows(`${transport}, one after the other`, closed, '>= 1,000'),
    ...loadRows(`${transport}, at ${rate} calls/s`, open),
  ];
}

interface Load {
  /** Milliseconds of each call. */
  times: number[];
  seconds: number;
  /** Of the service. */
  cpuSeconds: number | undefined;
}

async function measureLoad(service: ServiceChild, work: () => Promise<number[]>): Promise<Load> {
  const before = processorSeconds(service.pid);
  const startedAt = performance.now();
  const times = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const after = processorSeconds(service.pid);
  return { times, seconds, cpuSeconds: before === undefined || after === undefined ? undefined : after - before };
}

function loadRows(how: string, { times, seconds, cpuSeconds }: Load, goal = ''): Row[] {
  const cpu = cpuSeconds === undefined ? undefined : (cpuSeconds / times.length) * 1e6;
  return [
    { topic: TOPIC, name: `${SESSIONS} sessions, ${how}`, value: times.length / seconds, unit: 'calls/s', goal },
    { topic: TOPIC, name: `${how}: p50`, value: percentile(times, 0.5), unit: 'ms' },
    { topic: TOPIC, name: `${how}: p99`, value: percentile(times, 0.99), unit: 'ms' },
    { topic: TOPIC, name: `${how}: processor of the service`, value: cpu, unit: 'us a call', note: 'all its threads' },
    { topic: TOPIC, name: `${how}: calls per processor second`, value: cpu && 1e6 / cpu, unit: '', goal: '>= 400' },
  ];
}

/** The calls in the order of a dealt deck: the same on every run. */
function mixCalls(calls: Record<string, Call[]>): Call[] {
  const next = sequence(11);
  const deck = Object.entries(MIX).flatMap(([action, weight]) => {
    const list = calls[action] ?? [];
    return list.slice(0, Math.floor((list.length * weight) / 3));
  });
  return deck
    .map((call) => ({ call, place: next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ call }) => call);
}

/** A session of the official client. Sessions share the keys in turn. */
async function connect({ url, keys }: ServiceChild, at: number, transport: TransportName): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${keys[at % keys.length]}` } };
  const { path, make: Transport } = TRANSPORTS[transport];
  await client.connect(new Transport(new URL(path, url), { requestInit }));
  return client;
}

/** An answer that says why there is none would be a fast one: it must not pass for a call. */
async function ask(client: Client, call: Call): Promise<void> {
  const { isError, content } = await client.callTool({ name: 'code-tool', arguments: call });
  if (isError === true && !/error (unknown|ambiguous)_symbol/.test(JSON.stringify(content)))
    throw new Error(`${JSON.stringify(call)} was refused: ${JSON.stringify(content)}`);
}

/** Every session asks as soon as it has its answer. */
async function closedLoop(clients: readonly Client[], calls: readonly Call[], seconds: number): Promise<number[]> {
  const endAt = performance.now() + seconds * 1000;
  const times: number[] = [];
  let next = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < endAt) {
        const startedAt = performance.now();
        await ask(client, calls[next++ % calls.length] ?? { action: 'outline' });
        times.push(performance.now() - startedAt);
      }
    }),
  );
  return times;
}

/** Calls come when their time is there, whether or not others have been answered; waiting counts from that time. */
async function openLoop(clients: readonly Client[], calls: readonly Call[], rate: number): Promise<number[]> {
  const startAt = performance.now();
  const total = rate * SECONDS;
  const times: number[] = [];
  const running: Promise<void>[] = [];
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - startAt) / 1000) * rate) + 1);
    for (; sent < due; sent++) {
      const dueAt = startAt + (sent / rate) * 1000;
      const client = clients[sent % clients.length];
      const call = calls[sent % calls.length];
      if (client === undefined || call === undefined) throw new Error('there is nothing to ask or nobody to ask it');
      running.push(ask(client, call).then(() => void times.push(performance.now() - dueAt)));
    }
    await setTimeout(1);
  }
  await Promise.all(running);
  return times;
}

/** Resident memory of one open session that says nothing. */
async function idleSessions(service: ServiceChild): Promise<Row> {
  const before = residentBytes(service.pid);
  const streams = await Promise.all(Array.from({ length: IDLE_SESSIONS }, (_, at) => openStream(service, at)));
  await setTimeout(SETTLE_MS);
  const after = residentBytes(service.pid);
  for (const stream of streams) stream.destroy();
  const value = before === undefined || after === undefined ? undefined : (after - before) / IDLE_SESSIONS / 1024;
  return { topic: TOPIC, name: 'idle session', value, unit: 'KiB', note: `${IDLE_SESSIONS} open streams` };
}

/** A stream that has got its first event. */
export function openStream({ url, keys }: Pick<ServiceChild, 'url' | 'keys'>, at: number): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${keys[at % keys.length]}`, Accept: 'text/event-stream' };
    const request = get(new URL('/v1/mcp/sse', url), { headers, agent: false }, (response) => {
      response.once('data', () => resolve(request));
      response.on('error', () => undefined);
      if (response.statusCode !== 200) reject(new Error(`The stream was answered with ${response.statusCode}.`));
    });
    request.on('error', reject);
  });
}

function megabytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : bytes / 1e6;
}
