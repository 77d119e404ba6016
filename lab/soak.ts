import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { percentile } from './measure.ts';
import { longestStallMs } from './paced.ts';
import type { Row } from './report.ts';
import { type Call, sampleCalls, sequence } from './sample.ts';
import { type ServiceChild, startService } from './service-child.ts';

const TOPIC = 'soak';
const CALLS_OF_EACH = 100;
const CALLS_PER_SECOND = 5;
const SIGNALS_A_REQUEST = 100;
const SIGNALS_PAUSE_MS = 15_000;
const DOCUMENT_PAUSE_MS = 20_000;
const DECISION_PAUSE_MS = 30_000;
const SAMPLE_MS = 5 * 60_000;
/** On a machine that does much else, an index of a small repository takes ten minutes. */
const INDEX_LIMIT_MS = 60 * 60_000;
const POLL_MS = 500;
/** Time that an open stream or a request may take at the end. */
const SETTLE_MS = 10_000;

/** Answers, and acknowledged writes, which must be there at the end. */
interface Ledger {
  times: number[];
  /** Number of answers by status; 0 stands for no answer. */
  statuses: Map<number, number>;
  /** The first bodies of answers of 500 and above. */
  faults: string[];
  /** Reasons why callers stopped before the time was over. */
  stopped: string[];
  signals: number;
  documents: number;
  decisions: number;
  runs: number;
  /** Functions that commits added, and that a call must find after the index run. */
  missed: string[];
  stallMs: number;
  /** Memory of the process that serves, every five minutes: now, and the most so far. */
  memory: { minutes: number; bytes: number; peakBytes: number }[];
}

/**
 * Everything at once for some minutes: questions at a fixed rate, commits that are indexed, a second repository that comes and
 * goes, signals, documents and decisions. Tells what was answered, what of the acknowledged is missing at the end, and whether
 * anybody else may enter the data folder.
 */
export async function benchSoak(gitDir: string, shardFile: string, minutes: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-soak-'));
  const checkout = join(folder, 'checkout');
  execFileSync('git', ['clone', '--quiet', gitDir, checkout]);
  const service = await startService(checkout);
  const ledger: Ledger = {
    times: [],
    statuses: new Map(),
    faults: [],
    stopped: [],
    signals: 0,
    documents: 0,
    decisions: 0,
    runs: 0,
    missed: [],
    stallMs: 0,
    memory: [],
  };
  const soak = new Soak(service, ledger, performance.now() + minutes * 60_000);
  try {
    soak.sampleMemory(0);
    const calls = Object.values(sampleCalls(shardFile, CALLS_OF_EACH)).flat();
    const callers = [
      soak.ask(calls),
      soak.commit(checkout),
      soak.comeAndGo(checkout, join(folder, 'copy.git')),
      soak.importSignals(calls),
      soak.repeat(DOCUMENT_PAUSE_MS, () => soak.upload()),
      soak.repeat(DECISION_PAUSE_MS, () => soak.decide()),
      soak.watchMemory(minutes),
    ];
    // One that stops does not take what the others counted along.
    await Promise.all(callers.map((caller) => caller.catch((error: unknown) => ledger.stopped.push(String(error)))));
    await setTimeout(SETTLE_MS);
    return await rowsOf(soak);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The callers of one run; each of them goes on until the time is over. */
class Soak {
  readonly service: ServiceChild;
  readonly ledger: Ledger;
  readonly #endAt: number;
  readonly #next = sequence(29);
  #number = 0;

  constructor(service: ServiceChild, ledger: Ledger, endAt: number) {
    this.service = service;
    this.ledger = ledger;
    this.#endAt = endAt;
  }

  /** Questions of every kind, at a fixed rate whatever the answers take. */
  async ask(calls: readonly Call[]): Promise<void> {
    const running = new Set<Promise<unknown>>();
    while (this.#goesOn()) {
      const call = calls[Math.floor(this.#next() * calls.length)] ?? { action: 'outline' };
      const answer = this.#timed('POST', '/v1/tools/code-tool', { ...call, repo: 'checkout' });
      const request: Promise<unknown> = answer.finally(() => running.delete(request));
      running.add(request);
      if (this.#number++ % 10 === 0) await this.#timed('POST', '/v1/tools/search-tool', { query: queryOf(call) });
      await setTimeout(1_000 / CALLS_PER_SECOND);
    }
    await Promise.all(running);
  }

  /** Adds a function by a commit, indexes, and looks for it as a user does. */
  async commit(checkout: string): Promise<void> {
    const { id } = await this.#repository('checkout');
    const git = (...args: string[]): void => {
      execFileSync('git', ['-C', checkout, '-c', 'user.name=soak', '-c', 'user.email=soak@example.org', ...args]);
    };
    for (let round = 1; this.#goesOn(); round += 1) {
      const name = `soakedFunction${round}`;
      writeFileSync(
        join(checkout, `soaked-${round % 7}.ts`),
        `export function ${name}(): number { return ${round}; }\n`,
      );
      git('add', '.');
      git('commit', '--quiet', '-m', `feat: add ${name}`);
      await this.#timed('POST', `/v1/repositories/${id}/index`, {});
      await this.#untilReady(id);
      const answer = await this.#timed('POST', '/v1/tools/code-tool', {
        action: 'definition',
        symbol: name,
        repo: 'checkout',
      });
      if (!answer.includes(`soaked-${round % 7}.ts`)) this.ledger.missed.push(name);
      this.ledger.runs += 1;
    }
  }

  /** A second repository is added, indexed from nothing and removed, again and again. */
  async comeAndGo(checkout: string, copy: string): Promise<void> {
    while (this.#goesOn()) {
      rmSync(copy, { recursive: true, force: true });
      execFileSync('git', ['clone', '--quiet', '--bare', checkout, copy]);
      const added = JSON.parse(await this.#timed('POST', '/v1/repositories', { url: copy })) as { id: string };
      await this.#untilReady(added.id);
      this.ledger.runs += 1;
      await this.#timed('DELETE', `/v1/repositories/${added.id}`);
    }
  }

  async importSignals(calls: readonly Call[]): Promise<void> {
    const words = calls.flatMap((call) => queryOf(call).match(/[a-z]{4,}/gi) ?? []);
    const text = (): string =>
      Array.from({ length: 20 }, () => words[Math.floor(this.#next() * words.length)] ?? 'slow').join(' ');
    await this.repeat(SIGNALS_PAUSE_MS, async () => {
      const from = this.ledger.signals;
      const signals = Array.from({ length: SIGNALS_A_REQUEST }, (_, at) => ({
        external_id: `s${from + at}`,
        text: text(),
      }));
      await this.#timed('POST', '/v1/signals', { signals });
      this.ledger.signals += SIGNALS_A_REQUEST;
    });
  }

  async upload(): Promise<void> {
    const name = `soak-${this.ledger.documents}.md`;
    const body = `# Soak ${this.ledger.documents}\n\n${'What is kept must be found again. '.repeat(200)}`;
    await this.#timed('POST', `/v1/documents?name=${name}`, body);
    this.ledger.documents += 1;
  }

  async decide(): Promise<void> {
    const title = `Keep soak number ${this.ledger.decisions}`;
    const decision = { title, decision: 'Keep it.', rationale: `Run ${this.ledger.decisions} asked for it.` };
    await this.#timed('POST', '/v1/tools/record-decision-tool', decision);
    this.ledger.decisions += 1;
  }

  async repeat(pauseMs: number, act: () => Promise<void>): Promise<void> {
    while (this.#goesOn()) {
      await act();
      await this.#watchStall();
      await setTimeout(pauseMs);
    }
  }

  /** Samples the memory, and prints each sample at once: what stops a soak half-way leaves the curve until then. */
  async watchMemory(minutes: number): Promise<void> {
    const startMs = performance.now();
    for (let at = SAMPLE_MS; at <= minutes * 60_000; at += SAMPLE_MS) {
      await setTimeout(startMs + at - performance.now());
      this.sampleMemory(at / 60_000);
    }
  }

  sampleMemory(minutes: number): void {
    const [bytes, peakBytes] = [memoryOf(this.service.pid, 'VmRSS'), memoryOf(this.service.pid, 'VmHWM')];
    this.ledger.memory.push({ minutes, bytes, peakBytes });
    const { times, runs, signals } = this.ledger;
    console.error(
      `${minutes} min: ${(bytes / 1e6).toFixed(0)} MB (at most ${(peakBytes / 1e6).toFixed(0)}), ${times.length} calls, ${runs} index runs, ${signals} signals`,
    );
  }

  /** Returns acknowledged writes that the service does not list. */
  async lost(): Promise<number> {
    const { owner } = this.service;
    const signals = await owner<{ total: number }>('GET', '/v1/signals?limit=1');
    const documents = await owner<{ total: number }>('GET', '/v1/documents?limit=1&query=soak-');
    const { decisions } = await owner<{ decisions: unknown[] }>('GET', '/v1/decisions');
    return (
      this.ledger.signals -
      signals.total +
      this.ledger.documents -
      documents.total +
      this.ledger.decisions -
      decisions.length
    );
  }

  #goesOn(): boolean {
    return performance.now() < this.#endAt;
  }

  async #repository(name: string): Promise<{ id: string }> {
    const { repositories } = await this.service.owner<{ repositories: { id: string; name: string }[] }>(
      'GET',
      '/v1/repositories',
    );
    const match = repositories.find((repository) => repository.name === name);
    if (match === undefined) throw new Error(`There is no repository ${name}.`);
    return match;
  }

  async #untilReady(id: string): Promise<void> {
    for (const endAt = performance.now() + INDEX_LIMIT_MS; performance.now() < endAt; await setTimeout(POLL_MS)) {
      const { status } = await this.service.owner<{ status: string }>('GET', `/v1/repositories/${id}`);
      if (status === 'ready') return;
      if (status === 'failed') throw new Error('An index run failed.');
    }
    throw new Error('A repository was not indexed in time.');
  }

  /** Counts the status and the time; gives the body. A connection that breaks counts as no answer. */
  async #timed(method: string, path: string, body?: object | string): Promise<string> {
    const { url, keys, token } = this.service;
    const isTool = path.startsWith('/v1/tools/');
    const startedAt = performance.now();
    try {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${isTool ? keys[0] : token}`,
          'content-type': typeof body === 'string' ? 'text/markdown' : 'application/json',
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      this.#count(answer.status, `${method} ${path}: ${text}`);
      this.ledger.times.push(performance.now() - startedAt);
      return text;
    } catch (error) {
      this.#count(0, `${method} ${path}: ${String(error)}`);
      return '';
    }
  }

  #count(status: number, answer: string): void {
    this.ledger.statuses.set(status, (this.ledger.statuses.get(status) ?? 0) + 1);
    if ((status === 0 || status >= 500) && this.ledger.faults.length < 5) this.ledger.faults.push(answer.slice(0, 300));
  }

  async #watchStall(): Promise<void> {
    this.ledger.stallMs = Math.max(this.ledger.stallMs, await longestStallMs(this.service));
  }
}

function row(name: string, value: number, unit: string, more: Partial<Row> = {}): Row {
  return { topic: TOPIC, name, value, unit, ...more };
}

async function rowsOf(soak: Soak): Promise<Row[]> {
  const { ledger, service } = soak;
  const calls = [...ledger.statuses.values()].reduce((sum, count) => sum + count, 0);
  const failed = [...ledger.statuses].reduce((sum, [status, n]) => sum + (status === 0 || status >= 500 ? n : 0), 0);
  const statuses = Array.from(ledger.statuses, ([status, count]) => `${status}: ${count}`).join(', ');
  const lost = await soak.lost();
  return [
    row('calls', calls, '', { note: statuses }),
    row('answers of 500 and above, or none', failed, '', { goal: '0', note: ledger.faults.join(' | ') }),
    row('callers that stopped', ledger.stopped.length, '', { goal: '0', note: ledger.stopped.join(' | ') }),
    row('calls, p50', percentile(ledger.times, 0.5), 'ms'),
    row('calls, p99', percentile(ledger.times, 0.99), 'ms'),
    row('longest stall', ledger.stallMs, 'ms', { goal: '<= 50' }),
    row('index runs', ledger.runs, ''),
    row('functions not found after their run', ledger.missed.length, '', {
      goal: '0',
      note: ledger.missed.slice(0, 5).join(', '),
    }),
    row('signals, documents and decisions kept', ledger.signals + ledger.documents + ledger.decisions, ''),
    row('of these lost', lost, '', { goal: '0' }),
    row('files that others may read', openFiles(service.dataDir), '', { goal: '0' }),
    ...ledger.memory.map(({ minutes, bytes, peakBytes }) =>
      row(`memory after ${minutes} min`, bytes / 1e6, 'MB', { note: `${Math.round(peakBytes / 1e6)} MB at most` }),
    ),
  ];
}

/** A folder that only its owner may enter protects all that is in it. */
function openFiles(folder: string): number {
  if ((statSync(folder).mode & 0o077) === 0) return 0;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => (statSync(join(folder, file)).mode & 0o077) !== 0,
  ).length;
}

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return Number(kilobytes ?? Number.NaN) * 1024;
}

function queryOf(call: Call): string {
  const { query, symbol } = call as { query?: unknown; symbol?: unknown };
  return typeof query === 'string' ? query : typeof symbol === 'string' ? symbol : 'request handler';
}
