import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, TestKeys, type TestService } from '../testing/http.ts';
import { testOperations } from '../testing/operations.ts';

const keys = new TestKeys();
const key = keys.add('one');
let service: TestService;

beforeAll(async () => {
  service = await startService({ operations: testOperations(), gate: keys });
});
afterAll(() => service.close());

const BOTH = 'application/json, text/event-stream';
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const SAY = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'echo-tool', arguments: { action: 'say', query: 'hi' } },
};

interface Posted {
  status: number;
  type: string;
  text: string;
}

/** Posts a message as a client that writes its own headers; `null` sends none where `fetch` would add one. */
async function post(body: unknown, headers: Record<string, string | null> = {}, path = '/v1/mcp'): Promise<Posted> {
  const { request } = await import('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<Posted>();
  const all = { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: BOTH, ...headers };
  const sent = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null));
  const outgoing = request(service.url + path, { method: 'POST', headers: sent }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text }),
    );
  });
  outgoing.on('error', reject);
  outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
  return promise;
}

async function statusOf(headers: Record<string, string>): Promise<number> {
  return (await post(PING, headers)).status;
}

for (const path of ['/v1/mcp', '/v1/mcp/sse']) {
  test.each([null, '*/*', 'application/json', 'application/*;q=0.8', 'text/html, */*;q=0.1'])(
    `a POST to ${path} with Accept %j gets one JSON answer`,
    async (accept) => {
      const answer = await post(SAY, { accept }, path);

      expect([answer.status, answer.type]).toEqual([200, 'application/json']);
      expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text' }] } });
    },
  );
}

test('a session id works for the key that it was made for and no other, however often it was used', async () => {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const introduced = await fetch(`${service.url}/v1/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: BOTH },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  const id = introduced.headers.get('mcp-session-id') ?? '';
  const other = `Bearer ${keys.add('other')}`;

  expect(await statusOf({ 'mcp-session-id': id, authorization: other })).toBe(404);
  expect(await statusOf({ 'mcp-session-id': id })).toBe(200);
  expect(await statusOf({ 'mcp-session-id': id })).toBe(200);
  expect(await statusOf({ 'mcp-session-id': id, authorization: other })).toBe(404);
  expect(await statusOf({ 'mcp-session-id': `${id}x` })).toBe(404);
});

test('a client of JSON alone gets the result of a call that reports progress, without the progress', async () => {
  const params = { name: 'echo-tool', arguments: { action: 'say', steps: 3 }, _meta: { progressToken: 'p' } };
  const answer = await post({ ...SAY, params }, { accept: 'application/json', 'mcp-name': 'run_x' });

  expect([answer.status, answer.type]).toEqual([200, 'application/json']);
  expect(JSON.parse(answer.text)).toMatchObject({ id: 2, result: { content: [{}] } });
});

test.each(['text/event-stream', 'application/json;q=0.2, text/event-stream'])(
  'a client that prefers streams gets one with Accept %j',
  async (accept) => {
    const answer = await post(PING, { accept });

    expect([answer.status, answer.type]).toEqual([200, 'text/event-stream']);
    expect(answer.text).toContain('"result":{}');
  },
);

test.each([BOTH, 'application/*, text/*'])(
  'a client that reads both gets JSON with Accept %j, and a stream where it asks for progress or the call runs long',
  async (accept) => {
    const answer = await post(PING, { accept });
    expect([answer.status, answer.type, JSON.parse(answer.text)]).toMatchObject([
      200,
      'application/json',
      { result: {} },
    ]);

    const params = { name: 'echo-tool', arguments: { action: 'say', steps: 3 }, _meta: { progressToken: 'p' } };
    for (const message of [
      { ...SAY, params },
      { ...SAY, params: { name: 'ask_nothing' } },
    ])
      expect((await post(message, { accept })).type).toBe('text/event-stream');
  },
);

test('an Accept that allows no answer is a 406 that names it and what to send', async () => {
  const answer = await post(PING, { accept: 'text/html' });

  expect(answer.status).toBe(406);
  expect(JSON.parse(answer.text)).toMatchObject({
    jsonrpc: '2.0',
    error: { message: 'Accept "text/html" allows no answer; send Accept: application/json, text/event-stream.' },
  });
});

test.each([
  ['text/plain', 'Content-Type "text/plain" is not read here.'],
  ['application/x-www-form-urlencoded', 'Content-Type "application/x-www-form-urlencoded" is not read here.'],
  ['text/json; charset=utf-8', 'Content-Type "text/json; charset=utf-8" is not read here.'],
  [null, 'The body was sent without a Content-Type.'],
])('a body of type %j is a 415 that names the type, before the body is read', async (type, message) => {
  const answer = await post('no JSON', { 'content-type': type });

  expect(answer.status).toBe(415);
  expect(JSON.parse(answer.text)).toMatchObject({
    error: { message: `${message} Send Content-Type: application/json.` },
  });
});

test.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'])(
  'a body of type %s is read',
  async (type) => {
    expect((await post(PING, { 'content-type': type })).status).toBe(200);
  },
);

test('fields of the protocol that are null count as absent', async () => {
  const listed = await post({ ...PING, method: 'tools/list', params: { cursor: null } }, { accept: '*/*' });
  const bare = await post({ ...PING, method: 'tools/list', params: null }, { accept: '*/*' });
  const introduced = await post(
    {
      ...PING,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: { roots: null },
        clientInfo: { name: 'c', version: '1', title: null },
        _meta: null,
      },
    },
    { accept: '*/*' },
  );
  const call = { ...SAY, params: { name: 'echo-tool', arguments: { action: 'say', query: null }, _meta: null } };
  const called = await post(call, { accept: '*/*' });

  for (const answer of [listed, bare]) expect(JSON.parse(answer.text)).toMatchObject({ result: { tools: {} } });
  expect(JSON.parse(introduced.text)).toMatchObject({ result: { protocolVersion: '2025-06-18' } });
  expect(JSON.parse(called.text)).toMatchObject({ result: { content: [{}] } });
});

test('a batch of 2025-03-26 gets all its answers, and each message counts', async () => {
  const before = keys.counted.length;
  const notice = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const json = await post([PING, SAY, notice], { accept: 'application/json' });
  const streamed = await post([PING, SAY], { 'mcp-protocol-version': '2025-03-26' });
  const silent = await post([notice, notice]);

  const answers = JSON.parse(json.text) as { id: number }[];
  expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([1, 2]));
  expect(streamed.text).toContain('"id":1');
  expect(streamed.text).toContain('"id":2');
  expect([silent.status, silent.text]).toEqual([202, '']);
  expect(keys.counted.slice(before).toSorted()).toEqual(
    [
      ...Array<string>(3).fill('one notifications/initialized'),
      ...Array<string>(2).fill('one ping'),
      ...Array<string>(2).fill('one echo-tool'),
    ].toSorted(),
  );
});

test.each([
  [[PING], '2025-06-18', 'Revision 2025-06-18 has no batches'],
  [[], undefined, 'The batch is empty'],
  [[PING, PING], undefined, 'the same id'],
  [[{ ...PING, method: 'initialize' }], undefined, 'initialize cannot be part of a batch'],
  [Array.from({ length: 101 }, (_, id) => ({ ...PING, id })), undefined, 'at most 100 messages, not 101'],
])('a batch that cannot be answered is refused as a whole, with the reason (%#)', async (batch, revision, reason) => {
  const answer = await post(batch, revision === undefined ? {} : { 'mcp-protocol-version': revision });

  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text)).toMatchObject({ error: { code: -32_600, message: expect.stringContaining(reason) } });
});

test('a batch takes as many requests from the limit as it has messages', async () => {
  const limited = new TestKeys(2);
  const small = limited.add('small');
  const other = await startService({ operations: testOperations(), gate: limited });
  const headers = { authorization: `Bearer ${small}`, 'content-type': 'application/json' };
  const body = JSON.stringify([1, 2, 3].map((id) => ({ ...PING, id })));

  const answer = await fetch(`${other.url}/v1/mcp`, { method: 'POST', headers, body });
  await other.close();

  expect(answer.status).toBe(429);
});
