import { expect, onTestFinished, test } from 'vitest';
import { type CannedAnswer, openTrackerServer, type ReceivedRequest } from '../../testing/tracker-server.ts';
import { type SignalBench, signalBench, SIGNALS_NOW } from '../../testing/signals.ts';
import { selectSignals } from '../signals.ts';
import type { SignalSources, SourceKind } from './context.ts';
import { connectSource, listSources, type NewSource, readDueSources, readNow, removeSource } from './sources.ts';

const { signal } = new AbortController();
const HANG_MS = 60_000;

interface Bench extends SignalBench {
  sources: SignalSources;
  requests: ReceivedRequest[];
  /** Connects the tool on this machine. */
  connect: (more?: Partial<NewSource>) => ReturnType<typeof connectSource>;
  texts: () => Promise<[string, string, string][]>;
  later: (minutes: number) => void;
}

/** A tool that answers what a test says, and what reads it. */
async function sourceBench(
  tool: { kind: SourceKind; project?: string },
  answer: (request: ReceivedRequest) => CannedAnswer | undefined,
): Promise<Bench> {
  const bench = await signalBench();
  const server = await openTrackerServer(answer);
  onTestFinished(server.close);
  let now = SIGNALS_NOW;
  const sources: SignalSources = {
    signals: { ...bench.signals, now: () => now },
    net: { privateHosts: new Set(['127.0.0.1']), timeoutMs: HANG_MS },
  };
  return {
    ...bench,
    sources,
    requests: server.requests,
    connect: (more = {}) =>
      connectSource(sources, bench, {
        ...tool,
        baseUrl: `${server.url}/api`,
        token: 'secret',
        everyMinutes: 60,
        ...more,
      }),
    texts: async () => {
      const { rows } = await selectSignals(bench.db, bench, { limit: 20, offset: 0, sort: 'oldest' });
      return rows.map(({ text, source, customer }) => [text, source, customer]);
    },
    later: (minutes) => (now = new Date(now.getTime() + minutes * 60_000)),
  };
}

function issue(number: number, more: object = {}) {
  return {
    number,
    html_url: `https://github.com/acme/shop/issues/${number}`,
    title: `Slow ${number}`,
    body: 'Very',
    user: { login: 'ada' },
    labels: [],
    created_at: '2026-01-01T00:00:00Z',
    updated_at: `2026-01-0${number}T00:00:00Z`,
    ...more,
  };
}

test('issues of GitHub are read when they are due, from where the last time ended', async () => {
  let issues = [issue(1), issue(2, { pull_request: {} })];
  const bench = await sourceBench({ kind: 'github', project: 'acme/shop' }, ({ path }) => {
    if (path === '/api/repos/acme/shop') return { status: 200, json: {} };
    return path.startsWith('/api/repos/acme/shop/issues?') ? { status: 200, json: issues } : undefined;
  });
  await bench.connect();
  await readDueSources(bench.sources, signal);
  issues = [issue(2, { pull_request: {} }), issue(3)];
  await readDueSources(bench.sources, signal);
  expect(bench.requests.length).toBe(2);
  bench.later(60);
  await readDueSources(bench.sources, signal);

  expect(bench.requests.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('since'))).toEqual([
    null,
    null,
    '2026-01-02T00:00:00Z',
  ]);
  expect(bench.requests.every(({ headers }) => headers.authorization === 'Bearer secret')).toBe(true);
  expect(await bench.texts()).toEqual([
    ['Slow 1\n\nVery', 'github:acme/shop', 'ada'],
    ['Slow 3\n\nVery', 'github:acme/shop', 'ada'],
  ]);
  expect(await listSources(bench.sources, bench)).toMatchObject([
    { fault: '', failures: 0, cursor: '2026-01-03T00:00:00Z' },
  ]);
});

test('issues of GitLab are read by their last change', async () => {
  const bench = await sourceBench({ kind: 'gitlab', project: 'a/b' }, ({ path, headers }) => {
    if (headers['private-token'] !== 'secret') return { status: 401 };
    if (path === '/api/projects/a/b') return { status: 200, json: { id: 1 } };
    const entry = { iid: 3, web_url: 'https://gitlab.com/a/b/-/issues/3', title: 'Slow', description: 'Very' };
    return {
      status: 200,
      json: [
        {
          ...entry,
          author: { username: 'ada' },
          labels: [],
          created_at: '2026-01-01T00:00:00Z',
          updated_at: '2026-01-02T00:00:00Z',
        },
      ],
    };
  });
  const { id } = await bench.connect();
  expect(await readNow(bench.sources, bench, { id, signal })).toMatchObject({
    fault: '',
    cursor: '2026-01-02T00:00:00Z',
  });
  expect(await bench.texts()).toEqual([['Slow\n\nVery', 'gitlab:a/b', 'ada']]);
});

function ticket(id: number, more: object = {}) {
  return {
    id,
    url: `https://acme.zendesk.com/api/v2/tickets/${id}.json`,
    subject: `Slow ${id}`,
    description: 'Very',
    requester_id: 5,
    organization_id: null,
    via: { channel: 'web' },
    tags: [],
    status: 'open',
    created_at: `2026-01-0${id}T00:00:00Z`,
    ...more,
  };
}

test('tickets of Zendesk are read to the end of its stream, with names, and deleted ones are none', async () => {
  const names = { users: [{ id: 5, name: 'Ada' }], organizations: [{ id: 9, name: 'Acme' }] };
  const bench = await sourceBench({ kind: 'zendesk' }, ({ path }) => {
    if (path.endsWith('/users/me.json')) return { status: 200, json: { user: { id: 1 } } };
    if (path.includes('cursor=two')) {
      return {
        status: 200,
        json: { ...names, tickets: [ticket(3, { status: 'deleted' })], after_cursor: 'three', end_of_stream: true },
      };
    }
    const tickets = [ticket(1), ticket(2, { organization_id: 9 })];
    return { status: 200, json: { ...names, tickets, after_cursor: 'two', end_of_stream: false } };
  });
  const { id } = await bench.connect({ userName: 'ada@acme.example' });
  expect(await readNow(bench.sources, bench, { id, signal })).toMatchObject({ fault: '', cursor: 'three' });
  expect(bench.requests[0]?.headers.authorization).toBe(`Basic ${btoa('ada@acme.example/token:secret')}`);
  expect(await bench.texts()).toEqual([
    ['Slow 1\n\nVery', 'zendesk:acme', 'Ada'],
    ['Slow 2\n\nVery', 'zendesk:acme', 'Acme'],
  ]);
});

function conversation(id: number, type: string) {
  return {
    id: String(id),
    created_at: 1_767_225_600 + id,
    updated_at: 1_767_225_600 + id,
    source: { subject: '', body: `<p>Slow ${id}</p>`, author: { type, email: 'ada@acme.example' } },
  };
}

test('conversations of Intercom are read by pages, without those that the team began', async () => {
  const bench = await sourceBench({ kind: 'intercom' }, ({ path, body }) => {
    if (path === '/api/me') return { status: 200, json: { type: 'admin' } };
    const after = (body as { pagination: { starting_after?: string } }).pagination.starting_after;
    return after === undefined
      ? { status: 200, json: { conversations: [conversation(1, 'user')], pages: { next: { starting_after: 'x' } } } }
      : { status: 200, json: { conversations: [conversation(2, 'admin'), conversation(3, 'lead')], pages: {} } };
  });
  const { id } = await bench.connect();
  expect(await readNow(bench.sources, bench, { id, signal })).toMatchObject({ fault: '', cursor: '1767225603' });
  expect(await bench.texts()).toEqual([
    ['Slow 1', 'intercom', 'acme.example'],
    ['Slow 3', 'intercom', 'acme.example'],
  ]);
});

function message(second: number, more: object = {}) {
  return {
    type: 'message',
    user: 'U1',
    text: `Slow &amp; ${second}`,
    ts: `${1_767_225_600 + second}.000100`,
    ...more,
  };
}

test('messages of a Slack channel are read newest first, and reading goes on behind the newest once all are saved', async () => {
  let isCut = true;
  const bench = await sourceBench({ kind: 'slack', project: 'C0123456' }, ({ path }) => {
    if (path.includes('users.list'))
      return { status: 200, json: { ok: true, members: [{ id: 'U1', name: 'ada', profile: { real_name: 'Ada' } }] } };
    if (path.includes('conversations.info')) return { status: 200, json: { ok: true, channel: { name: 'feedback' } } };
    if (!path.includes('&cursor='))
      return { status: 200, json: { ok: true, messages: [message(3)], response_metadata: { next_cursor: 'old' } } };
    return isCut
      ? { status: 429, headers: { 'retry-after': '900' } }
      : { status: 200, json: { ok: true, messages: [message(2, { subtype: 'channel_join' }), message(1)] } };
  });
  const { id } = await bench.connect();
  const cut = await readNow(bench.sources, bench, { id, signal });
  expect(cut).toMatchObject({
    failures: 1,
    cursor: '',
    fault: expect.stringContaining('Slack is refusing further requests until'),
  });
  expect(cut.dueAt.getTime() - SIGNALS_NOW.getTime()).toBe(900_000);
  isCut = false;

  expect(await readNow(bench.sources, bench, { id, signal })).toMatchObject({
    failures: 0,
    fault: '',
    cursor: '1767225603.000100',
  });
  expect(await bench.texts()).toEqual([
    ['Slow & 1', 'slack:feedback', 'Ada'],
    ['Slow & 3', 'slack:feedback', 'Ada'],
  ]);
});

test('replies in threads of a Slack channel are read, also those that come to a thread of before', async () => {
  const first = message(1, { reply_count: 1, latest_reply: message(5).ts });
  let replies = [message(5, { thread_ts: first.ts })];
  let newest = message(4);
  const bench = await sourceBench({ kind: 'slack', project: 'C0123456' }, ({ path }) => {
    if (path.includes('users.list')) return { status: 200, json: { ok: true, members: [] } };
    if (path.includes('conversations.info')) return { status: 200, json: { ok: true, channel: {} } };
    const query = new URLSearchParams(path.split('?')[1]);
    const since = Number(query.get('oldest') ?? 0);
    const isThread = path.includes('conversations.replies') && query.get('ts') === first.ts;
    const head = { ...first, latest_reply: replies.at(-1)?.ts };
    const messages = isThread ? [head, ...replies] : [newest, head];
    const sent = messages.filter(({ ts }) => Number(ts) > since || (isThread && ts === first.ts));
    return { status: 200, json: { ok: true, messages: sent } };
  });
  const { id } = await bench.connect();
  const texts = async (): Promise<string[]> => (await bench.texts()).map(([text]) => text);
  const countThreads = (): number => bench.requests.filter(({ path }) => path.includes('conversations.replies')).length;

  expect(await readNow(bench.sources, bench, { id, signal })).toMatchObject({ fault: '', cursor: message(5).ts });
  expect(await texts()).toEqual(['Slow & 1', 'Slow & 4', 'Slow & 5']);
  await readNow(bench.sources, bench, { id, signal });
  expect(countThreads()).toBe(1);
  replies = [...replies, message(7, { thread_ts: first.ts })];
  newest = message(6);
  expect(await readNow(bench.sources, bench, { id, signal })).toMatchObject({ cursor: message(7).ts });

  expect(await texts()).toEqual(['Slow & 1', 'Slow & 4', 'Slow & 5', 'Slow & 6', 'Slow & 7']);
  expect(countThreads()).toBe(2);
});

test('what a tool does not accept is said when it is connected, and nothing is kept', async () => {
  const bench = await sourceBench({ kind: 'slack', project: 'C0123456' }, () => ({
    status: 200,
    json: { ok: false, error: 'invalid_auth' },
  }));
  await expect(bench.connect()).rejects.toMatchObject({ code: 'conflict', message: 'Slack answers invalid_auth.' });
  await expect(bench.connect({ project: 'feedback' })).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(bench.connect({ kind: 'zendesk', project: '', baseUrl: '' })).rejects.toMatchObject({
    code: 'bad_argument',
  });
  await expect(bench.connect({ baseUrl: 'http://10.0.0.1/api' })).rejects.toMatchObject({ code: 'bad_argument' });
  expect(await listSources(bench.sources, bench)).toEqual([]);
});

test('a source that fails is tried later and later, is connected once, and leaves its signals when it is removed', async () => {
  let isDown = false;
  const bench = await sourceBench({ kind: 'github', project: 'acme/shop' }, ({ path }) => {
    if (isDown) return { status: 500 };
    return { status: 200, json: path.includes('/issues') ? [issue(1)] : {} };
  });
  const { id } = await bench.connect();
  await expect(bench.connect()).rejects.toMatchObject({ code: 'conflict' });
  await readNow(bench.sources, bench, { id, signal });
  isDown = true;
  const waits: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const { dueAt, cursor } = await readNow(bench.sources, bench, { id, signal });
    expect(cursor).toBe('2026-01-01T00:00:00Z');
    waits.push((dueAt.getTime() - SIGNALS_NOW.getTime()) / 60_000);
  }
  expect(waits).toEqual([5, 10, 20]);
  await removeSource(bench.sources, bench, id);
  expect(await listSources(bench.sources, bench)).toEqual([]);
  expect(await bench.texts()).toHaveLength(1);
  await expect(removeSource(bench.sources, bench, id)).rejects.toMatchObject({ code: 'unknown_id' });
});

test('more issues than a page has that changed at one moment are all read', async () => {
  const bulk = Array.from({ length: 101 }, (_, at) => issue(at + 1, { updated_at: '2026-02-01T00:00:00Z' }));
  const bench = await sourceBench({ kind: 'github', project: 'acme/shop' }, ({ path }) => {
    const [, query] = path.split('?');
    if (query === undefined) return { status: 200, json: {} };
    const page = Number(new URLSearchParams(query).get('page'));
    return { status: 200, json: bulk.slice((page - 1) * 100, page * 100) };
  });
  const { id } = await bench.connect();
  await readNow(bench.sources, bench, { id, signal });
  await readNow(bench.sources, bench, { id, signal });
  const { total } = await selectSignals(bench.db, bench, { limit: 1, offset: 0 });
  expect(total).toBe(101);
});
