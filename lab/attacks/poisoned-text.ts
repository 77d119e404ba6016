import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { serve, type Serving } from '../serving.ts';
import type { Attack, AttackContext } from './attack.ts';

/** 19 MB of signals whose words occur once. */
const SIGNALS = 4_700;
const SIGNAL_WORDS = 400;
const BATCH = 100;
const LOG_BYTES = 26_000_000;
/** A search that takes longer counts as delayed: the attack shares the processor with its own service. */
const SEARCH_LIMIT_MS = 20_000;
/** A search of the poisoned product waits 2 s for what was written before it. */
const OWN_LIMIT_MS = 8_000;
const POLL_MS = 500;
const OTHERS = ['first', 'second'];

/** Texts of words that occur once, in one product, while two others search. */
export const attack: Attack = {
  name: 'poisoned-text',
  purpose: 'No text of a product ends the search of what people wrote, or delays that of another product.',
  minutes: 20,
  run: async (context) => {
    const dataDir = join(context.folder, 'poisoned');
    mkdirSync(dataDir);
    let service = await serve(dataDir);
    try {
      const others = await Promise.all(OTHERS.map((name) => createProduct(service, name)));
      for (const key of others)
        await send(service, { key, path: '/v1/signals', body: signalsOf(['the walrus swims']) });
      const isOver = new AbortController();
      const searching = Promise.all(others.map((key) => searchOn(service, { key, signal: isOver.signal })));
      const poisoning = poison(context, service);
      // Both end by themselves: a failure reaches the code that waits for it.
      await Promise.allSettled([poisoning]);
      isOver.abort();
      const searches = (await searching).flat();
      await poisoning;
      const failed = searches.filter(({ hasHit }) => !hasHit);
      const slowest = Math.max(...searches.map(({ tookMs }) => tookMs));
      const detail = `${searches.length} searches, ${failed.length} failed, ${Math.round(slowest)} ms at most`;
      context.check('the other products find their signals meanwhile', failed.length === 0, detail);
      context.check('none of them waits long', slowest < SEARCH_LIMIT_MS, detail);
      await checkPoisoned(context, service, 'before');
      await service.end('SIGKILL');
      service = await serve(dataDir);
      await checkPoisoned(context, service, 'after');
    } finally {
      await service.end('SIGTERM');
    }
  },
};

/** Sends the signals and the log files to the first product, and waits until they are read. */
async function poison(context: AttackContext, service: Serving): Promise<void> {
  const word = (): string => `${Math.floor(context.random() * 2 ** 48).toString(36)}x`;
  for (let at = 0; at < SIGNALS; at += BATCH) {
    context.signal.throwIfAborted();
    const texts = Array.from({ length: Math.min(BATCH, SIGNALS - at) }, (_, number) =>
      [`needle${at + number}`, ...Array.from({ length: SIGNAL_WORDS }, word)].join(' '),
    );
    await service.owner('POST', '/v1/signals', signalsOf(texts));
    // A search indexes what was sent before it.
    await search(service, { query: 'needle0' });
  }
  for (const name of ['one.log', 'two.log']) {
    const lines: string[] = [`begin needle${name.slice(0, 3)}`];
    for (let bytes = 0; bytes < LOG_BYTES; bytes += lines.at(-1)?.length ?? 0)
      lines.push(`2026-11-28T19:02:14.${lines.length} INFO request ${word()} of ${word()} took ${word()} ms`);
    await upload(service, { name, text: lines.join('\n') });
  }
  for (;;) {
    await search(service, { query: 'needle0' });
    const { counts } = await service.owner<{ counts: { waiting: number } }>('GET', '/v1/documents');
    if (counts.waiting === 0) return;
    await setTimeout(POLL_MS, undefined, { signal: context.signal });
  }
}

async function checkPoisoned({ check, signal }: AttackContext, service: Serving, when: string): Promise<void> {
  let slowest = 0;
  for (const id of ['needle0', `needle${SIGNALS - 1}`, 'needleone', 'needletwo']) {
    const startMs = performance.now();
    for (;;) {
      signal.throwIfAborted();
      const searchMs = performance.now();
      const { total, notes = [] } = await search(service, { query: id });
      slowest = Math.max(slowest, performance.now() - searchMs);
      // A search that comes before all is read says so.
      if (total === 0 && notes.some((note) => note.includes('not read yet'))) continue;
      check(`${id} is found ${when} a kill`, total > 0, `${Math.round(performance.now() - startMs)} ms`);
      break;
    }
  }
  check(
    `no search waits until all is read ${when} a kill`,
    slowest < OWN_LIMIT_MS,
    `${Math.round(slowest)} ms at most`,
  );
  const ready = await fetch(`${service.url}/readyz`);
  check(`the service is ready ${when} a kill`, ready.status === 200, `status ${ready.status}`);
  const faults = service.log().filter((line) => /\b(?:warn|error|fatal)\b/.test(line));
  check(`no fault was logged ${when} a kill`, faults.length === 0, faults.slice(0, 3).join(' | ').slice(0, 600));
}

interface Sent {
  key?: string;
  path: string;
  body: object;
}

interface Answer {
  total: number;
  notes?: string[];
}

function search(service: Serving, { key, query }: { key?: string; query: string }): Promise<Answer> {
  const body = { action: 'search', query, format: 'json' };
  const path = '/v1/tools/document-search-tool';
  return send<Answer>(service, { path, body, ...(key !== undefined && { key }) });
}

async function searchOn(
  service: Serving,
  { key, signal }: { key: string; signal: AbortSignal },
): Promise<{ hasHit: boolean; tookMs: number }[]> {
  const searches: { hasHit: boolean; tookMs: number }[] = [];
  while (!signal.aborted) {
    const startMs = performance.now();
    const hasHit = await search(service, { key, query: 'walrus' }).then(
      ({ total, notes = [] }) => total === 1 || notes.some((note) => note.includes('not read yet')),
      () => false,
    );
    searches.push({ hasHit, tookMs: performance.now() - startMs });
    await setTimeout(POLL_MS);
  }
  return searches;
}

async function send<Body>(service: Serving, { key, path, body }: Sent): Promise<Body> {
  if (key === undefined) return service.owner<Body>('POST', path, body);
  const headers = { 'x-api-key': key, 'content-type': 'application/json', connection: 'close' };
  const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  // Whoever asks knows what the route answers.
  return (await answer.json()) as Body;
}

async function upload(service: Serving, { name, text }: { name: string; text: string }): Promise<void> {
  const { key } = await service.owner<{ key: string }>('POST', '/v1/api-keys', {
    name,
  });
  const url = `${service.url}/v1/documents?name=${name}`;
  const answer = await fetch(url, { method: 'POST', headers: { 'x-api-key': key }, body: text });
  if (!answer.ok) throw new Error(`The upload was answered with ${answer.status}: ${await answer.text()}`);
}

/** Creates a product as its owner does in a browser, and gives a key of it. */
async function createProduct(service: Serving, name: string): Promise<string> {
  const { url } = await service.owner<{ url: string }>('POST', '/v1/login-link');
  const token = new URL(url).searchParams.get('token') ?? /token=([^&]+)/.exec(url)?.[1] ?? '';
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const post = (path: string, body: object, cookie = ''): Promise<Response> =>
    fetch(`${service.url}${path}`, { method: 'POST', headers: { ...headers, cookie }, body: JSON.stringify(body) });
  const signedIn = await post('/app/api/sign-in/link', { token });
  const cookie = signedIn.headers.getSetCookie().map((line) => line.split(';')[0]);
  const made = await post('/app/api/products', { name }, cookie.join('; '));
  if (!made.ok) throw new Error(`The product was answered with ${made.status}: ${await made.text()}`);
  const { key } = await service.owner<{ key: string }>('POST', '/v1/api-keys', {
    name,
    product: name,
  });
  return key;
}

function signalsOf(texts: readonly string[]): { signals: object[] } {
  return { signals: texts.map((text) => ({ text, source: 'attack' })) };
}
