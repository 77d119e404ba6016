import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startService, TestKeys, type TestService } from '../../src/testing/http.ts';
import { CLIENT_KINDS, connectClient, connectOver, textOf, type CallOptions } from '../../src/testing/mcp-client.ts';
import { testOperations } from '../../src/testing/operations.ts';

const MODULES = join(import.meta.dirname, '../../node_modules');
const run = promisify(execFile);

const keys = new TestKeys(100_000);
const key = keys.add('one');
const witness = { started: 0, cancelled: 0 };
let service: TestService;

beforeAll(async () => {
  service = await startService({
    operations: testOperations(witness),
    gate: keys,
    serving: { heartbeatMs: 40 },
  });
});
beforeEach(() => Object.assign(witness, { started: 0, cancelled: 0 }));
afterAll(() => service.close());

for (const kind of CLIENT_KINDS) {
  test(`${kind}: lists the tools and calls one, as text and as JSON`, async () => {
    const client = await connectClient(kind, service.url, key);

    const { tools } = await client.listTools();
    const text = await client.callTool({ name: 'echo-tool', arguments: { action: 'shout', q: 'hi' } });
    const json = await client.callTool({ name: 'echo-tool', arguments: { action: 'say', format: 'json' } });

    expect(tools.map(({ name }) => name)).toEqual(['echo-tool', 'run_waitingWorkflow', 'failing-tool']);
    expect(textOf(text)).toBe('echo-tool shout · product-of-one\nHI');
    expect(text.structuredContent).toBeUndefined();
    expect(json.structuredContent).toMatchObject({ op: 'echo-tool', product: 'product-of-one' });
    expect(JSON.parse(textOf(json))).toEqual(json.structuredContent);
    await client.close();
  });

  test(`${kind}: expected failures are tool errors with the next call, bugs are not told`, async () => {
    const client = await connectClient(kind, service.url, key);

    const argument = await client.callTool({ name: 'echo-tool', arguments: { action: 'whisper' } });
    const expected = await client.callTool({ name: 'failing-tool', arguments: { how: 'expected' } });
    const bug = await client
      .callTool({ name: 'failing-tool', arguments: { how: 'bug' } })
      .catch((error: unknown) => error);
    const unknown = client.callTool({ name: 'no-tool' });

    expect([argument.isError, textOf(argument)]).toEqual([
      true,
      'error bad_argument: action "whisper" is not one of say, shout | fix: echo-tool say',
    ]);
    expect([expected.isError, textOf(expected)]).toEqual([
      true,
      'error unknown_repo: There is no repository "shop". | fix: code-tool outline repo="store"',
    ]);
    expect(bug).toBeInstanceOf(Error);
    expect(String(bug)).toContain('fault in the service');
    expect(String(bug)).not.toContain('secret detail');
    await expect(unknown).rejects.toThrow('Unknown tool: no-tool');
    await client.close();
  });

  test(`${kind}: progress arrives, the last step too, and goes on while the operation is silent`, async () => {
    const client = await connectClient(kind, service.url, key);
    const quickBeats: number[] = [];
    const beats: number[] = [];
    const stop = new AbortController();

    const quick: CallOptions = { onprogress: ({ progress }) => void quickBeats.push(progress) };
    await client.callTool({ name: 'echo-tool', arguments: { action: 'say', steps: 1 } }, quick);
    const silent = client.callTool(
      { name: 'run_waitingWorkflow' },
      { signal: stop.signal, onprogress: ({ progress }) => void beats.push(progress) },
    );
    silent.catch(() => {});
    await expect.poll(() => beats.length).toBeGreaterThan(3);
    stop.abort();

    expect(quickBeats).toEqual([1]);
    expect(beats).toEqual(beats.toSorted((a, b) => a - b));
    expect(new Set(beats).size).toBe(beats.length);
    await expect(silent).rejects.toThrow(/abort/i);
    await expect.poll(() => witness.cancelled).toBe(1);
    await client.close();
  });

  test(`${kind}: a cancelled call stops the work`, async () => {
    const client = await connectClient(kind, service.url, key);
    const stop = new AbortController();
    const call = client.callTool({ name: 'run_waitingWorkflow' }, { signal: stop.signal });
    call.catch(() => {});
    await expect.poll(() => witness.started).toBe(1);

    stop.abort();

    await expect.poll(() => witness.cancelled).toBe(1);
    await client.close();
  });

  test(`${kind}: the death of the key stops the work`, async () => {
    const mortal = keys.add('mortal');
    const client = await connectClient(kind, service.url, mortal);
    const call = client.callTool({ name: 'run_waitingWorkflow' });
    call.catch(() => {});
    await expect.poll(() => witness.started).toBe(1);

    keys.end('mortal');

    await expect.poll(() => witness.cancelled).toBe(1);
    await client.close();
  });

  test(`${kind}: a bad key fails at once with the reason`, async () => {
    await expect(connectClient(kind, service.url, 'svc_live_wrong')).rejects.toThrow(/401|invalid_key|Unauthorized/);
  });
}

/** A message over Streamable HTTP, as no client would send it. */
function post(url: string, secret: string, headers: Record<string, string>, message: object): Promise<Response> {
  return fetch(`${url}/v1/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
}

test('a session id of Streamable HTTP belongs to its key, also after a restart', async () => {
  const foreign = keys.add('two');
  const initialized = await post(
    service.url,
    key,
    {},
    {
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    },
  );
  const session = { 'mcp-session-id': initialized.headers.get('mcp-session-id') ?? '' };
  const restarted = await startService({ operations: testOperations(), gate: keys });

  const own = await post(service.url, key, session, { method: 'ping' });
  const stolen = await post(service.url, foreign, session, { method: 'ping' });
  const forged = await post(service.url, key, { 'mcp-session-id': 'a.b' }, { method: 'ping' });
  const later = await post(restarted.url, key, session, { method: 'ping' });
  await restarted.close();

  expect([own.status, stolen.status, forged.status, later.status]).toEqual([200, 404, 404, 200]);
});

test('a subscription ends at once, because no list of this service changes', async () => {
  const meta = { 'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' } };
  const response = await post(
    service.url,
    key,
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    {
      method: 'subscriptions/listen',
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          ...meta,
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  );

  expect(await response.text()).toContain('"resultType":"complete"');
});

test.each(['sse-only', 'http-only', 'sse-first', 'http-first'])(
  'mcp-remote, %s, lists the tools and calls one with a static header',
  async (strategy) => {
    const client = await connectOver(
      new StdioClientTransport({
        command: process.execPath,
        args: [
          join(MODULES, 'mcp-remote/dist/proxy.js'),
          `${service.url}/v1/mcp/sse`,
          '--allow-http',
          '--transport',
          strategy,
          '--header',
          // oxlint-disable-next-line no-template-curly-in-string -- mcp-remote fills it in from the environment
          'Authorization:${AUTH}',
        ],
        env: { AUTH: `Bearer ${key}`, PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
        stderr: 'ignore',
      }),
    );

    const { tools } = await client.listTools();
    const answer = await client.callTool({ name: 'echo-tool', arguments: { action: 'say', query: 'through' } });

    expect(tools).toHaveLength(3);
    expect(answer.content).toEqual([{ type: 'text', text: 'echo-tool say · product-of-one\nthrough' }]);
    await client.close();
  },
);

test.each([
  ['sse', []],
  ['http', ['--protocol-era', 'legacy']],
  ['http', ['--protocol-era', 'modern']],
])('the Inspector, %s %j, finds no fault in the list and calls a tool', async (transport, era) => {
  const inspect = async (...args: string[]): Promise<string> => {
    const { stdout } = await run(
      join(MODULES, '.bin/mcp-inspector'),
      [
        '--cli',
        `${service.url}/v1/mcp/sse`,
        '--transport',
        transport,
        ...era,
        '--header',
        `Authorization: Bearer ${key}`,
        ...args,
      ],
      { env: { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env['PATH']}` } },
    );
    return stdout;
  };

  const list = await inspect('--method', 'tools/list', '--strict', '--format', 'json');
  const call = await inspect(
    '--method',
    'tools/call',
    '--tool-name',
    'echo-tool',
    '--tool-arg',
    'action=shout',
    'query=hi',
  );

  expect(list).toContain('echo-tool');
  expect(call).toContain('HI');
});
