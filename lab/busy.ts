import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ownProcessorSeconds, percentile } from './measure.ts';
import { callAtRate, longestStallMs } from './paced.ts';
import type { Row } from './report.ts';
import { type Call, sampleCalls, sequence } from './sample.ts';
import { type ServiceChild, startService } from './service-child.ts';

const TOPIC = 'busy';
const ACTIONS = ['usages', 'definition', 'search_symbols'];
const CALLS_OF_EACH = 200;
/** A rate at which an idle service has nothing to wait for. */
const CALLS_PER_SECOND = 20;
const IDLE_SECONDS = 30;
const BUSY_LIMIT_SECONDS = 10 * 60;
const SETTLE_MS = 5_000;

/** Signals that are imported, as many a request as may be. */
const SIGNALS = 8_000;
const SIGNALS_A_REQUEST = 2_000;
const SIGNAL_WORDS = 40;
/** Signals are about the product, so they have words of its code. */
const WORD = /[a-z]{4,}/gi;

/** Milliseconds of the calls of each action. */
type Times = Map<string, number[]>;

interface Phase {
  times: Times;
  /** Longest time that the thread which serves could not be reached. */
  stallMs: number;
  seconds: number;
  /** Of the process that serves, with its threads. */
  cpuSeconds: number | undefined;
}

/**
 * Questions to a service that does nothing else, and the same while it indexes another repository (a copy of this one, from
 * nothing), takes in 8,000 signals and gives them themes. They come at a fixed rate; waiting counts from the time a
 * call was due.
 */
export async function benchBusy(gitDir: string, shardFile: string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-copy-'));
  const service = await startService(gitDir);
  try {
    const calls = dealCalls(sampleCalls(shardFile, CALLS_OF_EACH));
    const repo = await nameOfRepository(service);
    await phase(service, { calls, repo, work: setTimeout(SETTLE_MS) });
    const idle = await phase(service, { calls, repo, work: setTimeout(IDLE_SECONDS * 1_000) });
    const copy = join(folder, 'copy.git');
    execFileSync('git', ['clone', '--quiet', '--bare', gitDir, copy]);
    const work = Promise.all([indexRepository(service, copy), importSignals(service, calls)]);
    const busy = await phase(service, { calls, repo, work });
    return rowsOf(idle, busy);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

function rowsOf(idle: Phase, busy: Phase): Row[] {
  const rows = ACTIONS.flatMap((action): Row[] => {
    const [alone, beside] = [idle, busy].map(({ times }) => times.get(action) ?? []);
    const p99 = [percentile(alone ?? [], 0.99), percentile(beside ?? [], 0.99)] as const;
    return [
      { topic: TOPIC, name: `${action}, idle: p99`, value: p99[0], unit: 'ms' },
      { topic: TOPIC, name: `${action}, busy: p99`, value: p99[1], unit: 'ms', note: `${beside?.length ?? 0} calls` },
      { topic: TOPIC, name: `${action}: busy / idle`, value: p99[1] / p99[0], unit: '', goal: '<= 3' },
    ];
  });
  const { cpuSeconds } = busy;
  return [
    ...rows,
    { topic: TOPIC, name: 'longest stall, idle', value: idle.stallMs, unit: 'ms' },
    { topic: TOPIC, name: 'longest stall, busy', value: busy.stallMs, unit: 'ms', goal: '<= 50' },
    { topic: TOPIC, name: 'run, import and themes', value: busy.seconds, unit: 's' },
    { topic: TOPIC, name: 'processor of the service meanwhile', value: cpuSeconds, unit: 's', note: 'all its threads' },
  ];
}

/** Asks until the work is done, at a fixed rate. */
async function phase(
  service: ServiceChild,
  { calls, repo, work }: { calls: readonly Call[]; repo: string; work: Promise<unknown> },
): Promise<Phase> {
  await longestStallMs(service);
  const before = ownProcessorSeconds(service.pid);
  const next = async (number: number): Promise<string> => {
    const call = calls[number % calls.length] ?? { action: 'outline' };
    await ask(service, { ...call, repo });
    return call.action;
  };
  const { times, seconds } = await callAtRate(next, { perSecond: CALLS_PER_SECOND, work });
  const after = ownProcessorSeconds(service.pid);
  const cpuSeconds = before === undefined || after === undefined ? undefined : after - before;
  return { times, stallMs: await longestStallMs(service), seconds, cpuSeconds };
}

/** The calls of all actions in the order of a dealt deck. */
function dealCalls(calls: Record<string, Call[]>): Call[] {
  const next = sequence(13);
  return ACTIONS.flatMap((action) => calls[action] ?? [])
    .map((call) => ({ call, place: next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ call }) => call);
}

/** An answer that says why there is none would be a fast one; that a name is not known, or not clear, is an answer. */
async function ask({ url, keys }: ServiceChild, call: Call): Promise<void> {
  const answer = await fetch(`${url}/v1/tools/code-tool`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/json' },
    body: JSON.stringify(call),
  });
  const text = await answer.text();
  if (!answer.ok && ![404, 409].includes(answer.status)) throw new Error(`${JSON.stringify(call)}: ${text}`);
}

interface Listed {
  repositories: { id: string; name: string; status: string }[];
}

async function nameOfRepository({ owner }: ServiceChild): Promise<string> {
  const { repositories } = await owner<Listed>('GET', '/v1/repositories');
  return repositories[0]?.name ?? '';
}

/** Adds a repository and waits until it is ready. */
async function indexRepository({ owner }: ServiceChild, gitDir: string): Promise<void> {
  const { id } = await owner<{ id: string }>('POST', '/v1/repositories', { url: gitDir });
  for (const endAt = performance.now() + BUSY_LIMIT_SECONDS * 1_000; performance.now() < endAt; await setTimeout(500)) {
    const { status } = await owner<{ status: string }>('GET', `/v1/repositories/${id}`);
    if (status === 'ready') return;
    if (status === 'failed') throw new Error('The copy could not be indexed.');
  }
  throw new Error('The copy was not indexed in time.');
}

/** Signals with the words of calls; each request asks for themes, too. Waits until all of them are kept. */
async function importSignals({ owner }: ServiceChild, calls: readonly Call[]): Promise<void> {
  const words = calls.flatMap(({ query }) => (typeof query === 'string' ? (query.match(WORD) ?? []) : []));
  const next = sequence(17);
  const text = (): string =>
    Array.from({ length: SIGNAL_WORDS }, () => words[Math.floor(next() * words.length)] ?? 'slow').join(' ');
  for (let from = 0; from < SIGNALS; from += SIGNALS_A_REQUEST) {
    const signals = Array.from({ length: SIGNALS_A_REQUEST }, (_, at) => ({
      external_id: `s${from + at}`,
      text: text(),
    }));
    await owner('POST', '/v1/signals', { signals });
  }
}
