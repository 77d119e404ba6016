import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { connectClient, textOf } from '../../src/testing/mcp-client.ts';
import { installedPackage, servedRepository, sharedSettings } from './installations.ts';
import { openRoundRobin, type RoundRobin } from './round-robin.ts';
import {
  type CommandOptions,
  descendants,
  eventually,
  killService,
  type ServiceProcess,
  startCommand,
  startSvc,
  svcJson,
  temporaryFolder,
} from './service-process.ts';
import { addRepository } from './standing-state.ts';

/** Each process is killed so often, one after another; `SVC_KILLS=20 npx vitest run test/journeys/replicas.test.ts` is the long run. */
const ROUNDS = Number(process.env['SVC_KILLS'] ?? 1);
/** Writes of each kind between two kills. */
const WRITES = 3;
/** Calls of a client while processes are killed. */
const STREAMED = 3;
/** Calls of a client; more than there are servers. */
const CALLS = 7;
const USAGES = { name: 'code-tool', arguments: { action: 'usages', query: 'sendMail' } };

/** Servers and workers of the packed program, which share a database and object storage, and no folder. */
class Installation {
  readonly #env: Record<string, string>;
  readonly #launcher: string;
  readonly #servers: { service: ServiceProcess; options: CommandOptions }[] = [];
  readonly #workers: { cwd: string; worker: ReturnType<typeof startCommand> }[] = [];
  /** Addresses of the servers, for a balancer. */
  readonly urls: string[] = [];

  constructor(env: Record<string, string>, launcher: string) {
    this.#env = env;
    this.#launcher = launcher;
  }

  async startServer(at: number): Promise<CommandOptions> {
    const options = this.#servers[at]?.options ?? { cwd: temporaryFolder(), env: this.#env, launcher: this.#launcher };
    const service = await startSvc(['serve', '--no-work', '--data-dir', join(options.cwd, '.svc-data')], options);
    this.#servers[at] = { service, options };
    this.urls[at] = service.url;
    return options;
  }

  startWorker(at: number): void {
    const cwd = this.#workers[at]?.cwd ?? temporaryFolder();
    const options = { cwd, env: this.#env, launcher: this.#launcher };
    const worker = startCommand(['worker', '--data-dir', join(cwd, '.svc-data')], options);
    const ended = once(worker, 'close');
    onTestFinished(async () => {
      worker.kill('SIGTERM');
      await ended;
    });
    this.#workers[at] = { cwd, worker };
  }

  /** Kills a server, and starts it again on another port. */
  async restartServer(at: number): Promise<void> {
    await this.killServer(at);
    await this.startServer(at);
  }

  /** Kills a server without a chance to tidy up. */
  async killServer(at: number): Promise<void> {
    const server = this.#servers[at];
    if (server !== undefined) await killService(server.service);
  }

  async restartWorker(at: number): Promise<void> {
    const worker = this.#workers[at]?.worker;
    const pid = worker?.pid ?? 0;
    for (const process of [...descendants(pid), pid]) kill(process);
    if (worker !== undefined && worker.exitCode === null && worker.signalCode === null) await once(worker, 'close');
    this.startWorker(at);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

/** A client that sends each request again until it is answered, as clients behind a balancer do. */
class Writer {
  readonly #url: string;
  readonly #token: string;
  retries = 0;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  async send<Answer>(method: string, path: string, body?: object | string): Promise<Answer> {
    for (;;) {
      const answer = await fetch(`${this.#url}/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': typeof body === 'string' ? 'text/markdown' : 'application/json',
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }).catch(() => undefined);
      const text = await answer?.text().catch(() => undefined);
      // The test says what the route promises, and looks at it.
      if (answer?.ok === true && text !== undefined) return (text === '' ? {} : JSON.parse(text)) as Answer;
      if (answer !== undefined && answer.status < 500) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      this.retries += 1;
      await setTimeout(100);
    }
  }
}

async function rowsOf(args: readonly string[], options: CommandOptions): Promise<object[]> {
  return (await svcJson<{ rows: object[] }>(args, options)).rows;
}

/** Starts two workers and three servers, of which two have nothing but the database and the object storage. Returns a key. */
async function start(installation: Installation): Promise<string> {
  const options = await installation.startServer(0);
  for (const at of [0, 1]) installation.startWorker(at);
  await addRepository(join(options.cwd, '.svc-data'), { url: await servedRepository() });
  writeFileSync(join(options.cwd, 'refunds.md'), '# Refunds\n\nA refund is paid within three walrus days.\n');
  await svcJson(['doc', 'add', 'refunds.md'], options);
  await eventually(async () => (await rowsOf(['texts', 'walrus'], options)).length > 0);
  const later = [await installation.startServer(1), await installation.startServer(2)];

  for (const each of [options, ...later])
    expect(await rowsOf(['usages', 'sendMail'], each)).toContainEqual(
      expect.objectContaining({ path: 'src/order.ts' }),
    );
  const [copies] = later.map(({ cwd }) => readdirSync(join(cwd, '.svc-data/blobs'), { recursive: true }));
  expect(copies).toContainEqual(expect.stringMatching(/[0-9a-f]{64}/));
  const { key } = await svcJson<{ key: string }>(['key', 'create', '--name', 'one'], options);
  return key;
}

/** Calls over streams, behind a balancer that knows nothing of streams, until one server is gone and after it. */
async function callOverStreams(installation: Installation, balancer: RoundRobin, key: string): Promise<void> {
  const answers = async (kind: 'v1 sse' | 'v2 sse'): Promise<string[]> =>
    (await ask(kind, { url: balancer.url, key, calls: CALLS })).filter((text) => text.includes('src/order.ts'));

  for (const kind of ['v1 sse', 'v2 sse'] as const) expect(await answers(kind)).toHaveLength(CALLS);
  expect(Math.min(...balancer.served)).toBeGreaterThan(CALLS / 2);
  await installation.killServer(2);
  expect(await answers('v1 sse')).toHaveLength(CALLS);
}

test('processes that share a database and object storage do the work of one; while one after another is killed nothing that was answered is lost, and nothing is there twice', async () => {
  const env = { ...(await sharedSettings()), SVC_RATE_LIMIT_PER_MINUTE: '100000' };
  const installation = new Installation(env, join(await installedPackage(), 'bin/svc.mjs'));
  const key = await start(installation);
  const balancer = await openRoundRobin(installation.urls);
  onTestFinished(() => balancer.close());
  await callOverStreams(installation, balancer, key);

  const writer = new Writer(balancer.url, key);
  const client = { url: balancer.url, key, calls: STREAMED };
  const state = { isOver: false };
  const streamed: string[] = [];
  const written = { signals: 0, documents: 0, decisions: 0, calls: 0 };
  const repeat = async (act: () => Promise<void>): Promise<void> => {
    while (!state.isOver) await act();
  };
  const writers = [
    repeat(async () => {
      const number = written.signals;
      const text = `Order ${number} of the walrus shop never came`;
      await writer.send('POST', '/signals', { signals: [{ external_id: `order-${number}`, text }] });
      written.signals += 1;
      await setTimeout(150);
    }),
    repeat(async () => {
      await writer.send(
        'POST',
        `/documents?name=note-${written.documents}.md`,
        `# Note ${written.documents}\n\nWalrus.\n`,
      );
      written.documents += 1;
      await setTimeout(200);
    }),
    repeat(async () => {
      const decision = { title: `Rule ${written.decisions} of the shop`, decision: `Keep rule ${written.decisions}.` };
      await writer.send('POST', '/decisions', decision);
      written.decisions += 1;
      await setTimeout(300);
    }),
    repeat(async () => {
      const texts = await ask('v2 http /v1/mcp', client).catch(() => []);
      expect(texts.filter((text) => !text.includes('src/order.ts'))).toEqual([]);
      written.calls += texts.length;
      await setTimeout(300);
    }),
  ];
  const writeMore = async (): Promise<void> => {
    const before = { ...written };
    await eventually(() =>
      Object.entries(written).every(([kind, count]) => count >= before[kind as keyof typeof before] + WRITES),
    );
  };

  for (let round = 0; round < ROUNDS; round += 1)
    for (const at of [0, 1]) {
      await writeMore();
      await installation.restartServer(at);
      // A stream that begins now is held by one server, and fed by both.
      streamed.push(...(await ask('v1 sse', client)));
      await writeMore();
      await installation.restartWorker(at);
    }
  state.isOver = true;
  await Promise.all(writers);

  expect(streamed.filter((text) => text.includes('src/order.ts'))).toHaveLength(STREAMED * 2 * ROUNDS);
  const signals = await writer.send<{ total: number }>('GET', '/signals?limit=1');
  const documents = await writer.send<{ total: number }>('GET', '/documents?limit=1&query=note-');
  const { decisions } = await writer.send<{ decisions: { title: string }[] }>('GET', '/decisions');
  expect([signals.total, documents.total]).toEqual([written.signals, written.documents]);
  expect(new Set(decisions.map(({ title }) => title)).size).toBe(decisions.length);
  expect(decisions).toHaveLength(written.decisions);
  expect(Math.min(written.signals, written.documents, written.decisions, written.calls)).toBeGreaterThan(10);
  await eventually(async () => {
    const themes = await writer.send<{ total: number }>('GET', '/themes?least=1');
    const ready = await writer.send<{ total: number }>('GET', '/documents?limit=1&query=note-&status=ready');
    return themes.total > 0 && ready.total === written.documents;
  });
});

/** Some calls of one official client. */
async function ask(
  kind: Parameters<typeof connectClient>[0],
  { url, key, calls }: { url: string; key: string; calls: number },
): Promise<string[]> {
  const client = await connectClient(kind, url, key);
  try {
    const texts: string[] = [];
    for (let call = 0; call < calls; call += 1) texts.push(textOf(await client.callTool(USAGES)));
    return texts;
  } finally {
    await client.close();
  }
}
