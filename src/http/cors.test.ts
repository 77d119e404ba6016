import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, TestKeys, type TestService } from '../testing/http.ts';
import { testOperations } from '../testing/operations.ts';
import { allowedHosts } from './guards.ts';

const keys = new TestKeys();
const key = keys.add('one');
let service: TestService;

beforeAll(async () => {
  service = await startService({ operations: testOperations(), gate: keys, allowedHosts: ['app.example.com:8443'] });
});
afterAll(() => service.close());

const PAGE = 'http://localhost:6274';
const PATHS = ['/v1/mcp', '/v1/mcp/sse', '/v1/repositories', '/v1/tools/echo-tool', '/v1/openapi.json'];

function send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Response> {
  return fetch(service.url + path, { method, headers, ...(body !== undefined && { body }) });
}

test.each([...PATHS, '/.well-known/oauth-protected-resource', '/register'])(
  'the preflight of a page of an allowed host for %s is answered without a key',
  async (path) => {
    const answer = await send('OPTIONS', path, {
      origin: PAGE,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,mcp-protocol-version,mcp-session-id,mcp-param-repo',
      'access-control-request-private-network': 'true',
    });

    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(answer.headers.get('access-control-allow-methods')).toMatch(/GET.*POST.*DELETE/);
    const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'mcp-protocol-version',
        'mcp-session-id',
        'last-event-id',
        'x-api-key',
        'mcp-param-repo',
      ]),
    );
    expect(answer.headers.get('access-control-allow-private-network')).toBe('true');
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0);
    expect(answer.headers.get('vary')).toContain('Origin');
    // A browser sends its cookies only where this header allows them.
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  },
);

test('a page may read answers, refusals and the session id', async () => {
  const headers = { origin: PAGE, authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'page', version: '1' } };
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const introduced = await send('POST', '/v1/mcp', headers, message);
  const refused = await send('POST', '/v1/mcp', { origin: PAGE, authorization: 'Bearer wrong' }, message);
  const called = await send('POST', '/v1/tools/echo-tool', { origin: PAGE, 'x-api-key': key }, '{"action":"say"}');
  const stream = await send('GET', '/v1/mcp/sse', { origin: PAGE, authorization: `Bearer ${key}` });
  await stream.body?.cancel();

  expect([introduced.status, refused.status, called.status, stream.status]).toEqual([200, 401, 200, 200]);
  expect(introduced.headers.get('mcp-session-id')).not.toBeNull();
  for (const answer of [introduced, refused, called, stream]) {
    expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(answer.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('mcp-session-id');
    expect(answer.headers.get('vary')).toContain('Origin');
  }
});

test('pages of other hosts are allowed nothing, and learn what would allow them', async () => {
  for (const [origin, help] of [
    ['https://evil.example', 'adds evil.example to SVC_ALLOWED_HOSTS'],
    ['https://localhost.evil.example', 'adds localhost.evil.example to SVC_ALLOWED_HOSTS'],
    ['null', 'http://localhost:'],
  ] as const) {
    const preflight = { origin, 'access-control-request-method': 'POST' };
    const preflightAnswer = await send('OPTIONS', '/v1/mcp', preflight);
    const posted = await send('POST', '/v1/mcp', { origin, authorization: `Bearer ${key}` }, '{}');

    for (const answer of [preflightAnswer, posted]) {
      expect(answer.status).toBe(403);
      for (const name of answer.headers.keys()) expect(name).not.toContain('access-control');
    }
    const { error } = (await posted.json()) as { error: { fix: string } };
    expect(error.fix).toContain(help);
  }
});

test('a host of SVC_ALLOWED_HOSTS may be written as in an address bar, and its pages are allowed', async () => {
  const answer = await send('OPTIONS', '/v1/mcp', {
    origin: 'https://app.example.com',
    'access-control-request-method': 'POST',
  });

  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, 'https://app.example.com']);
  expect(allowedHosts({ host: '::', more: ['HTTPS://A.example/', 'b.example', '10.0.0.7:80'] })).toEqual(
    new Set(['localhost', '127.0.0.1', '[::1]', '::', 'a.example', 'b.example', '10.0.0.7']),
  );
});

test('OPTIONS of a program names the methods of an MCP path', async () => {
  const answers = await Promise.all(['/v1/mcp', '/v1/mcp/sse'].map((path) => send('OPTIONS', path, {})));

  expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  expect(answers.map(({ headers }) => headers.get('allow'))).toEqual(['POST, OPTIONS', 'GET, POST, OPTIONS']);
});
