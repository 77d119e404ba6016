import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, TestKeys, type TestService } from '../testing/http.ts';
import { testOperations } from '../testing/operations.ts';

const keys = new TestKeys(100_000);
const good = keys.add('one');
const bad = 'svc_live_nobody';
let service: TestService;

beforeAll(async () => {
  service = await startService({ operations: testOperations(), gate: keys });
});
afterAll(() => service.close());

interface Failure {
  code: string;
  message: string;
  fix: string;
}

async function ask(path: string, headers: Record<string, string>): Promise<[status: number, error: Failure]> {
  const response = await fetch(service.url + path, { method: 'POST', headers });
  const { error } = (await response.json()) as { error: Failure };
  return [response.status, error];
}

const PLACES: [string, string, (key: string) => { headers?: Record<string, string>; query?: string }, RegExp][] = [
  ['/v1/mcp', 'without the word Bearer', (key) => ({ headers: { authorization: key } }), /the word Bearer/],
  ['/v1/mcp', 'with another word', (key) => ({ headers: { authorization: `Token ${key}` } }), /the word Bearer/],
  ['/v1/mcp', 'as X-API-Key', (key) => ({ headers: { 'x-api-key': key } }), /MCP does not accept the header X-API-Key/],
  ['/v1/mcp/sse', 'in the address', (key) => ({ query: `?api_key=${key}` }), /keys in the address are not accepted/],
  ['/v1/tools/echo-tool', 'without Bearer', (key) => ({ headers: { authorization: key } }), /the word Bearer/],
  [
    '/v1/tools/echo-tool',
    'with Bearer twice',
    (key) => ({ headers: { 'x-api-key': `Bearer ${key}` } }),
    /contains more/,
  ],
  [
    '/v1/tools/echo-tool',
    'in the address',
    (key) => ({ query: `?token=${key}` }),
    /keys in the address are not accepted/,
  ],
];

test.each(PLACES)(
  'on %s a good key %s stays a 401 that says what is wrong',
  async (path, _how, requestWith, expectedMessage) => {
    const of = (key: string): Promise<[number, Failure]> => {
      const { headers = {}, query = '' } = requestWith(key);
      return ask(path + query, headers);
    };
    const nothing = requestWith(good).query === undefined ? { authorization: 'Bearer garbage' } : {};

    const [status, error] = await of(good);
    const [badStatus, badError] = await of(bad);
    const [, usual] = await ask(path, nothing);

    expect([status, badStatus]).toEqual([401, 401]);
    expect(error.message).toMatch(/^The API key is valid, but it was not sent correctly: /);
    expect(error.message).toMatch(expectedMessage);
    expect(error.fix).toContain('"Authorization: Bearer svc_live_…"');
    // A bad key is told what it is told everywhere.
    expect({ ...badError, request_id: '' }).toEqual({ ...usual, request_id: '' });
    expect(JSON.stringify([error, badError])).not.toContain(good);
  },
);
