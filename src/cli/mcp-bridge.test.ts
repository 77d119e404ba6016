import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openKeys } from '../keys/keys.ts';
import { allOperations } from '../testing/all-operations.ts';
import { testFolder } from '../testing/git.ts';
import { openGraphBench } from '../testing/graph.ts';
import { startService, TestKeys, type TestService } from '../testing/http.ts';
import { connectOver, type TestClient, textOf } from '../testing/mcp-client.ts';
import { testOperations } from '../testing/operations.ts';
import { inProcess } from './client.ts';
import { writeLogin } from './login.ts';
import { bridge } from './mcp-bridge.ts';

const LAUNCHER = join(import.meta.dirname, '../../bin/svc.mjs');
const witness = { started: 0, cancelled: 0 };
const keys = new TestKeys();
let service: TestService;
let folder: string;

beforeAll(async () => {
  service = await startService({ operations: testOperations(witness), gate: keys });
  folder = testFolder();
  writeLogin(join(folder, 'svc'), { url: service.url, key: keys.add('laptop') });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Command with which clients start the bridge. */
function entry() {
  const env = { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: folder };
  return { command: process.execPath, args: [LAUNCHER, 'mcp'], env, cwd: folder, stderr: 'ignore' as const };
}

async function connectBridge(): Promise<TestClient> {
  const client = await connectOver(new StdioClientTransport(entry()));
  onTestFinished(() => client.close());
  return client;
}

test('an official client lists and calls through the bridge, and is told what fails', async () => {
  const client = await connectBridge();

  const { tools } = await client.listTools();
  const result = await client.callTool({ name: 'echo-tool', arguments: { action: 'shout', query: 'größer\u2028' } });
  const failed = await client.callTool({ name: 'failing-tool', arguments: { how: 'expected' } });

  expect(tools.map(({ name }) => name)).toEqual(testOperations().map(({ name }) => name));
  expect(textOf(result)).toBe('echo-tool shout · product-of-laptop\nGRÖSSER\\u2028');
  expect(failed).toMatchObject({ isError: true });
  expect(textOf(failed)).toMatch(/^error unknown_repo: /);
});

test('a call tells its progress; when the client then cancels it, it is cancelled in the service, and others go on', async () => {
  const client = await connectBridge();
  const stop = new AbortController();
  const before = { ...witness };

  const waiting = client.callTool(
    { name: 'run_waitingWorkflow' },
    { signal: stop.signal, onprogress: () => stop.abort() },
  );
  await expect(waiting).rejects.toThrow(/abort/i);
  const result = await client.callTool({ name: 'echo-tool', arguments: { action: 'say', query: 'still here' } });

  expect(textOf(result)).toContain('still here');
  await expect.poll(() => witness).toEqual({ started: before.started + 1, cancelled: before.cancelled + 1 });
});

test('all operations of a service stand behind svc mcp, and the graph is walked there', async () => {
  const bench = await openGraphBench();
  onTestFinished(() => bench.close());
  const { accountId, productId, actor, database } = bench.account;
  const own = await openKeys(database, () => new Date(), { onFault: (error) => expect.unreachable(String(error)) });
  onTestFinished(() => own.close());
  const { secret } = await own.createKey({ accountId, product: productId, name: 'mcp', scopes: ['read'], actor });
  const whole = await startService({ operations: allOperations(bench), gate: own });
  onTestFinished(() => whole.close());
  const home = testFolder();
  onTestFinished(() => rmSync(home, { recursive: true }));
  writeLogin(join(home, 'svc'), { url: whole.url, key: secret });
  const client = await connectOver(
    new StdioClientTransport({ ...entry(), env: { ...entry().env, XDG_CONFIG_HOME: home, SVC_DATA_DIR: home } }),
  );
  onTestFinished(() => client.close());

  const { tools } = await client.listTools();
  const walked = await client.callTool({
    name: 'entity-analysis-tool',
    arguments: { action: 'neighbors', entity: 'payCart', relations: ['tests'] },
  });

  expect(tools).toHaveLength(13);
  expect(textOf(walked)).toContain('in tests test file:test/pay-cart.test.ts');
});

test('a client of the revision of 2026 is served as well', async () => {
  const client = new ModernClient(
    { name: 'editor', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new ModernStdio(entry()));
  onTestFinished(() => client.close());

  const result = await client.callTool({ name: 'echo-tool', arguments: { action: 'say', query: 'hello' } });

  expect(result.content).toMatchObject([{ text: 'echo-tool say · product-of-laptop\nhello' }]);
});

/** Returns the messages that the client gets for these lines. */
async function exchange(
  lines: readonly string[],
  secret: string,
  url = service.url,
): Promise<Record<string, unknown>[]> {
  const request = async (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}${path}`, { ...init, headers: { ...(init.headers as object), authorization: `Bearer ${secret}` } });
  const client = inProcess({ url: undefined, request, close: () => Promise.resolve() });
  const got: Record<string, unknown>[] = [];
  const input = async function* () {
    yield Buffer.from(lines.join('\n'));
  };
  await bridge({
    request: client.request,
    input: input(),
    output: (line) => void got.push(JSON.parse(line) as Record<string, unknown>),
    err: () => undefined,
    stop: new AbortController().signal,
  });
  return got;
}

const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };

test('each request is answered under its id, whatever is wrong with it or with the service', async () => {
  const batch = JSON.stringify([CALL, { ...CALL, id: 'eight', method: 'ping' }]);
  const good = keys.add('other');

  const unreadable = await exchange(['{"jsonrpc":', ''], good);
  const unknown = await exchange([JSON.stringify(CALL)], 'svc_live_unknown');
  const unreachable = await exchange([JSON.stringify(CALL)], good, 'http://127.0.0.1:9');
  const both = await exchange([batch], good);

  expect(unreadable).toMatchObject([{ id: null, error: { code: -32_700 } }]);
  expect(unknown).toMatchObject([
    { id: 7, error: { message: expect.stringMatching(/unknown, expired.+svc key create/s) } },
  ]);
  expect(unreachable).toMatchObject([{ id: 7, error: { message: expect.any(String) } }]);
  expect(both).toHaveLength(2);
  expect(both).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: 7, result: expect.anything() }),
      expect.objectContaining({ id: 'eight', result: {} }),
    ]),
  );
});
