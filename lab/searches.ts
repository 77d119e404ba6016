import { setTimeout } from 'node:timers/promises';
import { percentile } from './measure.ts';
import { callAtRate, longestStallMs } from './paced.ts';
import type { Row } from './report.ts';
import { makeWords, sequence } from './sample.ts';
import { type ServiceChild, startService } from './service-child.ts';
import { ownerOf } from './serving.ts';

const TOPIC = 'searches';
const SEARCHES_PER_SECOND = 10;
/** Until the first signals have their themes. */
const SETTLE_MS = 15_000;
const IDLE_MS = 15_000;
const THEMES_MS = 15_000;

/** Signals that are there before, so that the idle phase has something to find, and those that then come in. */
const SIGNALS_BEFORE = 1_000;
const SIGNALS = 10_000;
const SIGNALS_A_REQUEST = 1_000;
const SIGNAL_WORDS = 26;
const VOCABULARY = 3_000;
const CUSTOMERS = 400;

interface Phase {
  name: string;
  ms: readonly number[];
  seconds: number;
  stallMs: number;
}

/**
 * Searches of two words over everything, ten a second, of a service that does nothing else and while 10,000 signals come in.
 * Waiting counts from the time a search was due. For each request of signals, measures how soon a search finds the last one.
 */
export async function benchSearches(gitDir: string): Promise<Row[]> {
  const service = await startService(gitDir);
  try {
    const signals = new SignalTexts();
    await service.owner('POST', '/v1/signals', { signals: signals.next(SIGNALS_BEFORE) });
    await setTimeout(SETTLE_MS);
    const search = searcher(service, signals);
    const idle = await phase(service, { name: 'idle', search, work: setTimeout(IDLE_MS) });
    const delaysMs: number[] = [];
    const importing = await phase(service, {
      name: 'importing',
      search,
      work: importSignals(service, { signals, delaysMs }),
    });
    const themes = await phase(service, { name: 'making themes', search, work: setTimeout(THEMES_MS) });
    return rowsOf([idle, importing, themes], delaysMs);
  } finally {
    await service.stop();
  }
}

function rowsOf([idle, ...busy]: readonly [Phase, ...Phase[]], delaysMs: readonly number[]): Row[] {
  const idleP95 = percentile(idle.ms, 0.95);
  const rows = [idle, ...busy].flatMap(({ name, ms, stallMs, seconds }): Row[] => {
    const p95 = percentile(ms, 0.95);
    const note = `${ms.length} searches in ${seconds.toFixed(0)} s`;
    return [
      { topic: TOPIC, name: `${name}: p50`, value: percentile(ms, 0.5), unit: 'ms', note },
      { topic: TOPIC, name: `${name}: p95`, value: p95, unit: 'ms' },
      ...(name === idle.name
        ? []
        : [
            { topic: TOPIC, name: `${name}: p95 beyond idle`, value: p95 - idleP95, unit: 'ms', goal: '<= 50' },
            { topic: TOPIC, name: `${name}: p95 / idle`, value: p95 / idleP95, unit: '' },
          ]),
      { topic: TOPIC, name: `${name}: longest stall`, value: stallMs, unit: 'ms', goal: '<= 50' },
    ];
  });
  const slowest = Math.max(...delaysMs);
  return [...rows, { topic: TOPIC, name: 'acknowledged, then found', value: slowest, unit: 'ms', goal: '<= 1000' }];
}

async function phase(
  service: ServiceChild,
  { name, search, work }: { name: string; search: () => Promise<string>; work: Promise<unknown> },
): Promise<Phase> {
  await longestStallMs(service);
  const { times, seconds } = await callAtRate(search, { perSecond: SEARCHES_PER_SECOND, work });
  return { name, ms: [...times.values()].flat(), seconds, stallMs: await longestStallMs(service) };
}

/** Searches for two words that signals have. */
function searcher(service: ServiceChild, signals: SignalTexts): () => Promise<string> {
  return async () => {
    await searchFor(service, { query: signals.words(2) });
    return 'search';
  };
}

interface SearchAnswer {
  rows: readonly { snippet: string }[];
}

/** As an agent does, with an API key. */
async function searchFor({ url, keys: [key = ''] }: ServiceChild, args: object): Promise<SearchAnswer> {
  return ownerOf(url, key)<SearchAnswer>('POST', '/v1/tools/search-tool', args);
}

/** Sends all signals; after each request measures how soon a search finds the last of them. */
async function importSignals(
  service: ServiceChild,
  { signals, delaysMs }: { signals: SignalTexts; delaysMs: number[] },
): Promise<void> {
  for (let sent = 0; sent < SIGNALS; sent += SIGNALS_A_REQUEST) {
    const batch = signals.next(SIGNALS_A_REQUEST);
    const mark = `mark${sent}end`;
    const last = batch.at(-1);
    if (last !== undefined) last.text = `${last.text} ${mark}`;
    await service.owner('POST', '/v1/signals', { signals: batch });
    const startAt = performance.now();
    const { rows } = await searchFor(service, { query: mark, corpora: ['signals'] });
    if (!rows.some(({ snippet }) => snippet.includes(mark))) throw new Error('A signal that was saved is not found.');
    delaysMs.push(performance.now() - startAt);
  }
}

/** Signals in words of a made-up vocabulary in which, as in a language, few words are used most. */
class SignalTexts {
  readonly #next = sequence(23);
  readonly #vocabulary = makeWords(this.#next, VOCABULARY);
  #count = 0;

  next(count: number): { external_id: string; customer: string; text: string }[] {
    return Array.from({ length: count }, () => {
      this.#count += 1;
      const customer = `Customer ${Math.floor(this.#next() * CUSTOMERS)}`;
      return { external_id: `s${this.#count}`, customer, text: this.words(SIGNAL_WORDS) };
    });
  }

  words(count: number): string {
    const at = (): number => Math.floor(this.#next() ** 2 * VOCABULARY);
    return Array.from({ length: count }, () => this.#vocabulary[at()] ?? '').join(' ');
  }
}
