import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { percentile, processorSeconds, residentBytes } from './measure.ts';
import type { Row } from './report.ts';
import { makeWords, sequence } from './sample.ts';
import { type Serving, serve, untilIndexed } from './serving.ts';

const TOPIC = 'scale';
const FILES = 20;
const FUNCTIONS = 4;
const COMMITS = 20;
const VOCABULARY = 4_000;
const CALLS = 20;
const POLL_MS = 500;
const IDLE_MS = 3_000;
const INDEX_LIMIT_MS = 60 * 60_000;
const SIGNALS = 100_000;
const SIGNALS_A_REQUEST = 1_000;

/**
 * A service with so many generated repositories, one size after the other, and the given real ones: processor time of each that is added, memory, and
 * calls over all of them; then 100,000 signals. Words alone: no vectors are made.
 */
export async function benchScale(sizes: readonly number[], real: readonly string[]): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-scale-'));
  const service = await serve(join(folder, 'data'), { SVC_ENCODER: 'off', SVC_EXACT_PASS: 'off' });
  const scale = new Scale(service, folder);
  try {
    const rows: Row[] = [];
    for (const size of sizes) {
      const grown = await scale.grow(size, real);
      // It takes long: what stops it half-way leaves these.
      for (const { name, value, unit, note = '' } of grown)
        console.error(`${name}: ${value?.toFixed(2)} ${unit} ${note}`);
      rows.push(...grown);
    }
    return [...rows, ...(await scale.fillSignals())];
  } finally {
    await service.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}

class Scale {
  readonly #service: Serving;
  readonly #folder: string;
  readonly #next = sequence(17);
  readonly #words = makeWords(this.#next, VOCABULARY);
  #count = 0;
  #isReal = false;

  constructor(service: Serving, folder: string) {
    this.#service = service;
    this.#folder = folder;
    mkdirSync(join(folder, 'repositories'));
  }

  /** Adds repositories until there are as many, waits for their indexes, and calls over all. */
  async grow(size: number, real: readonly string[]): Promise<Row[]> {
    const paths = Array.from({ length: size - this.#count }, (_, at) => this.#make(this.#count + at));
    if (!this.#isReal) paths.push(...real);
    this.#isReal = true;
    const before = this.#processorSeconds();
    for (const url of paths) await this.#service.owner('POST', '/v1/repositories', { url });
    await this.#untilIndexed();
    const seconds = this.#processorSeconds() - before;
    this.#count = size;
    const head = `${size} repositories`;
    return [
      row(`${head}: processor time of each that was added`, seconds / paths.length, 's', { goal: '.2' }),
      row(`${head}: memory of the service`, (residentBytes(this.#service.pid) ?? 0) / 1e6, 'MB'),
      row(`${head}: data on disk`, this.#diskBytes() / 1e6, 'MB'),
      ...(await this.#prepare(head)),
      ...(await this.#calls(head)),
    ];
  }

  /** The first call over all, with what the service does after it for those that follow. */
  async #prepare(head: string): Promise<Row[]> {
    await this.#untilIdle();
    const before = this.#processorSeconds();
    const args = { action: 'search_symbols', query: this.#pick(), repo: '*' };
    await this.#service.owner('POST', '/v1/tools/code-tool', args);
    await this.#untilIdle();
    return [row(`${head}: the first call, and what it begins`, this.#processorSeconds() - before, 's')];
  }

  async #calls(head: string): Promise<Row[]> {
    const words = (count: number): string => Array.from({ length: count }, () => this.#pick()).join(' ');
    const kinds: [string, string, string, () => object][] = [
      ['names', '60', 'code-tool', () => ({ action: 'search_symbols', query: this.#pick(), repo: '*' })],
      ['text', '150', 'code-tool', () => ({ action: 'grep', query: `${this.#pick()} ${this.#pick()}`, repo: '*' })],
      ['meaning', '150', 'code-tool', () => ({ action: 'semantic_search', query: words(6), repo: '*' })],
      ['search-tool', '250', 'search-tool', () => ({ query: words(3) })],
    ];
    const rows: Row[] = [];
    for (const [kind, goal, tool, argumentsOf] of kinds)
      rows.push(
        await this.#measure(`${head}: ${kind}`, goal, () =>
          this.#service.owner('POST', `/v1/tools/${tool}`, argumentsOf()),
        ),
      );
    return rows;
  }

  /** Processor time of one call of many, after one that opens what is cached. */
  async #measure(name: string, goal: string, call: () => Promise<unknown>): Promise<Row> {
    await call();
    const before = this.#processorSeconds();
    const times: number[] = [];
    for (let done = 0; done < CALLS; done += 1) {
      const startedAt = performance.now();
      await call();
      times.push(performance.now() - startedAt);
    }
    const ms = ((this.#processorSeconds() - before) / CALLS) * 1_000;
    const note = `p95 ${percentile(times, 0.95).toFixed(0)} ms`;
    return row(`${name}, processor time of a call`, ms, 'ms', { goal, note });
  }

  async fillSignals(): Promise<Row[]> {
    const before = this.#processorSeconds();
    for (let sent = 0; sent < SIGNALS; sent += SIGNALS_A_REQUEST) {
      const signals = Array.from({ length: SIGNALS_A_REQUEST }, (_, at) => ({
        external_id: `s${sent + at}`,
        text: Array.from({ length: 20 }, () => this.#pick()).join(' '),
        customer: `customer ${(sent + at) % 5_000}`,
        rating: ((sent + at) % 5) + 1,
      }));
      await this.#service.owner('POST', '/v1/signals', { signals });
    }
    await this.#untilIdle();
    const seconds = this.#processorSeconds() - before;
    const tool = (args: object) => () => this.#service.owner('POST', '/v1/tools/document-search-tool', args);
    return [
      row(`${SIGNALS.toLocaleString('en')} signals: processor time of 1,000`, seconds / (SIGNALS / 1_000), 's'),
      await this.#measure('count by rating', '2,000', tool({ action: 'count', group_by: 'rating' })),
      await this.#measure('search', '', () => tool({ action: 'search', query: `${this.#pick()} ${this.#pick()}` })()),
      row('memory of the service with them', (residentBytes(this.#service.pid) ?? 0) / 1e6, 'MB'),
    ];
  }

  /** Waits for the indexes and what follows an index run. */
  async #untilIndexed(): Promise<void> {
    await untilIndexed(this.#service);
    while ((await this.#service.owner<{ jobs: unknown[] }>('GET', '/v1/jobs?limit=1')).jobs.length > 0)
      await setTimeout(POLL_MS);
  }

  /** Waits until the service takes a twentieth of a core at most. */
  async #untilIdle(): Promise<void> {
    for (const endAt = performance.now() + INDEX_LIMIT_MS; performance.now() < endAt;) {
      const before = this.#processorSeconds();
      await setTimeout(IDLE_MS);
      if (this.#processorSeconds() - before < IDLE_MS / 20_000) return;
    }
  }

  #diskBytes(): number {
    return Number.parseInt(execFileSync('du', ['-sk', join(this.#folder, 'data')], { encoding: 'utf8' }), 10) * 1024;
  }

  #processorSeconds(): number {
    return processorSeconds(this.#service.pid) ?? Number.NaN;
  }

  /** Makes a repository of some commits, whose functions are named and described by words of one vocabulary. */
  #make(number: number): string {
    const path = join(this.#folder, 'repositories', `team-${number}`);
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', path]);
    let stream = '';
    for (let commit = 1; commit <= COMMITS; commit += 1) {
      stream += `commit refs/heads/main\ncommitter Team <team@example.org> ${1_700_000_000 + commit * 86_400} +0000\n`;
      stream += dataOf(`feat: ${this.#pick()} ${this.#pick()}`);
      if (commit === 1)
        for (let file = 0; file < FILES; file += 1)
          stream += `M 100644 inline src/part-${file}.ts\n${dataOf(this.#file())}`;
      else stream += `M 100644 inline src/part-${commit % FILES}.ts\n${dataOf(this.#file())}`;
    }
    execFileSync('git', ['--git-dir', path, 'fast-import', '--quiet'], { input: stream });
    return path;
  }

  #file(): string {
    return Array.from({ length: FUNCTIONS }, () => {
      const [first, second, third] = [this.#pick(), this.#pick(), this.#pick()];
      const name = `${first}${second.charAt(0).toUpperCase()}${second.slice(1)}`;
      return `/** ${first} the ${second} of a ${third} */\nexport function ${name}(${third}: number): number {\n  return ${third} + ${Math.floor(this.#next() * 1_000)};\n}\n`;
    }).join('\n');
  }

  #pick(): string {
    return this.#words[Math.floor(this.#next() * VOCABULARY)] ?? 'word';
  }
}

function dataOf(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function row(name: string, value: number, unit: string, more: Partial<Row> = {}): Row {
  return { topic: TOPIC, name, value, unit, ...more };
}
