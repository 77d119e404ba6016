import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, TestKeys, type TestService } from '../testing/http.ts';
import { testOperations } from '../testing/operations.ts';

const keys = new TestKeys(100_000);
const headers = { authorization: `Bearer ${keys.add('one')}`, accept: 'application/json, text/event-stream' };
let service: TestService;

beforeAll(async () => {
  service = await startService({ operations: testOperations(), gate: keys });
});
afterAll(() => service.close());

function post(path: string, body: string): Promise<Response> {
  const sent = { ...headers, 'content-type': 'application/json' };
  return fetch(service.url + path, { method: 'POST', headers: sent, body });
}

const call = (args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo-tool","arguments":${args}}}`;

test.each([
  ['U+0000', String.raw`{"action":"say","query":"a\u0000b"}`],
  ['half of a character', String.raw`{"action":"say","query":"\ud83dx"}`],
  ['the other half', String.raw`{"action":"say","query":["\uDE00"]}`],
  ['a key with U+0000', String.raw`{"action":"say","k\u0000":1}`],
])('%s is refused at the edge, over REST and MCP', async (_what, args) => {
  for (const [path, body] of [
    ['/v1/tools/echo-tool', args],
    ['/v1/mcp', call(args)],
    ['/v1/mcp/sse', call(args)],
  ] as const) {
    const response = await post(path, body);
    const { error } = (await response.json()) as { error: { code: string; message: string; fix: string } };

    expect([path, response.status, error.code]).toEqual([path, 400, 'bad_argument']);
    expect(error.message).toMatch(/^The body, at .+, contains U\+0000 or a lone surrogate\.$/);
  }
});

test('an escaped backslash, a whole character and JSON of a million levels are nothing to refuse', async () => {
  const say = await post('/v1/tools/echo-tool', String.raw`{"action":"say","query":"\\u0000 \ud83d\ude00"}`);
  const deep = await post('/v1/tools/echo-tool', `{"a":"\\\\u0000","b":${'['.repeat(1e6)}${']'.repeat(1e6)}}`);

  expect(await say.json()).toMatchObject({ rows: [{ said: '\\u0000 😀' }] });
  expect(deep.status).toBe(400);
  expect(((await deep.json()) as { error: { code: string } }).error.code).toBe('bad_argument');
});

test('U+0000 in a path or query is refused', async () => {
  for (const path of ['/v1/tools/echo%00tool', '/v1/repositories?cursor=%00', '/v1/openapi.json?a=b%00']) {
    const response = await fetch(service.url + path, { headers });
    expect([path, response.status]).toEqual([path, 400]);
  }
});
