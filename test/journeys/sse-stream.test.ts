import { afterEach, expect, test } from 'vitest';
import { startService, TestKeys, type TestService, type TestServiceOptions } from '../../src/testing/http.ts';
import { connectClient, textOf } from '../../src/testing/mcp-client.ts';
import { NEVER_MS } from '../../src/testing/limits.ts';
import { testOperations } from '../../src/testing/operations.ts';
import { openRawStream, postMessage } from '../../src/testing/raw-stream.ts';

const running: TestService[] = [];

async function start(keys: TestKeys, more: Partial<TestServiceOptions> = {}): Promise<TestService> {
  const service = await startService({ operations: testOperations(), gate: keys, ...more });
  running.push(service);
  return service;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

const INITIALIZE = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

test('the first event of a stream names where messages go, and its answers come back on it', async () => {
  const keys = new TestKeys();
  const key = keys.add('one');
  const { url } = await start(keys);
  const stream = await openRawStream(url, key);

  const endpoint = await stream.endpoint();
  const status = await postMessage(url + endpoint, { id: 7, method: 'ping' }, key);
  await stream.until(/"id":7/);

  expect(stream.received).toContain('HTTP/1.1 200');
  expect(stream.received).toMatch(/content-type: text\/event-stream/i);
  expect(stream.received).toMatch(/x-accel-buffering: no/i);
  expect(endpoint).toMatch(/^\/v1\/mcp\/sse\?sessionId=[\w-]{32}$/);
  expect(stream.received).toMatch(/\r\n\r\n[^\r]*\r\nevent: endpoint\n/);
  expect(status).toBe(202);
  expect(keys.counted).toEqual(['one stream', 'one ping']);
  stream.cut();
});

test('a message for an unknown stream and one with the key of somebody else get the same 404', async () => {
  const keys = new TestKeys();
  const [key, foreign] = [keys.add('one'), keys.add('two')];
  const { url } = await start(keys);
  const stream = await openRawStream(url, key);
  const endpoint = url + (await stream.endpoint());
  const ping = { id: 1, method: 'ping' };

  const statuses = [
    await postMessage(endpoint, ping, foreign),
    await postMessage(`${url}/v1/mcp/sse?sessionId=unknown`, ping, key),
    await postMessage(endpoint, ping),
    await postMessage(endpoint, '{"jsonrpc":"2.0"}', key),
    await postMessage(endpoint, '{', key),
    await postMessage(endpoint, ping, key),
  ];

  expect(statuses).toEqual([404, 404, 401, 400, 400, 202]);
  stream.cut();
});

test('messages need no header of their own where the operator allows it, but never a foreign key', async () => {
  const keys = new TestKeys();
  const [key, foreign] = [keys.add('one'), keys.add('two')];
  const { url } = await start(keys, { ssePostAuth: 'session' });
  const stream = await openRawStream(url, key);
  const endpoint = url + (await stream.endpoint());
  const ping = { id: 1, method: 'ping' };

  const statuses = [
    await postMessage(endpoint, ping),
    await postMessage(endpoint, ping, foreign),
    await postMessage(endpoint, ping, 'svc_live_wrong'),
    await postMessage(`${url}/v1/mcp/sse?sessionId=unknown`, ping),
    await postMessage(`${url}/v1/mcp`, ping),
  ];

  expect(statuses).toEqual([202, 404, 401, 404, 401]);
  stream.cut();
});

test('an idle stream is kept alive by comments', async () => {
  const keys = new TestKeys();
  const { url } = await start(keys, { keepAliveMs: 30 });
  const stream = await openRawStream(url, keys.add('one'));

  await stream.until(/(: keep-alive\n\n[^:]*){3}/);

  expect(stream.received.match(/^: keep-alive$/gm)?.length).toBeGreaterThanOrEqual(3);
  stream.cut();
});

test('the streams of a key end soon after its death, and its calls are aborted', async () => {
  const keys = new TestKeys();
  const [key, other] = [keys.add('one'), keys.add('two')];
  const witness = { started: 0, cancelled: 0 };
  const service = await start(keys, { operations: testOperations(witness), keepAliveMs: NEVER_MS });
  const stream = await openRawStream(service.url, key);
  const survivor = await openRawStream(service.url, other);
  await survivor.endpoint();
  const endpoint = service.url + (await stream.endpoint());
  await postMessage(endpoint, INITIALIZE, key);
  await postMessage(endpoint, { id: 1, method: 'tools/call', params: { name: 'run_waitingWorkflow' } }, key);
  await expect.poll(() => witness.started).toBe(1);

  keys.end('one');
  await stream.ended;

  expect(stream.received).toContain(': the API key no longer works');
  expect(service.sessions.size).toBe(1);
  await expect.poll(() => witness.cancelled).toBe(1);
  expect(await postMessage(endpoint, { id: 2, method: 'ping' }, key)).toBe(401);
  survivor.cut();
});

test('a stream whose key died unnoticed ends with the next keep-alive', async () => {
  const keys = new TestKeys();
  const service = await start(keys, { keepAliveMs: 30 });
  const stream = await openRawStream(service.url, keys.add('one'));
  await stream.endpoint();

  keys.end('one', true);
  await stream.ended;

  expect(stream.received).toContain(': the API key no longer works');
  expect(service.sessions.size).toBe(0);
});

test('a key opens 20 streams and no more, and a closed one makes room', async () => {
  const keys = new TestKeys();
  const key = keys.add('one');
  const service = await start(keys);
  const streams = await Promise.all(Array.from({ length: 20 }, () => openRawStream(service.url, key)));
  await Promise.all(streams.map((stream) => stream.endpoint()));

  const refused = await fetch(`${service.url}/v1/mcp/sse`, { headers: { authorization: `Bearer ${key}` } });
  streams[0]?.cut();
  await expect.poll(() => service.sessions.size).toBe(19);
  const again = await openRawStream(service.url, key);
  await again.endpoint();

  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('15');
  for (const stream of [again, ...streams]) stream.cut();
  await expect.poll(() => service.sessions.size).toBe(0);
});

test('a reader that stops reading is dropped instead of filling the memory', async () => {
  const keys = new TestKeys(10_000);
  const key = keys.add('one');
  const service = await start(keys, { mostBufferedBytes: 1024 * 1024 });
  const stream = await openRawStream(service.url, key);
  const endpoint = service.url + (await stream.endpoint());
  await postMessage(endpoint, INITIALIZE, key);
  stream.stopReading();
  const large = { name: 'echo-tool', arguments: { action: 'say', query: 'x', size: 1_000_000 } };

  let status = 202;
  for (let id = 1; status === 202 && id < 100; id++)
    status = await postMessage(endpoint, { id, method: 'tools/call', params: large }, key);

  expect(status).toBe(404);
  expect(service.sessions.size).toBe(0);
  // The connection is cut, so what was buffered for it is free.
  stream.readOn();
  await stream.ended;
});

test('a restart ends the streams with a comment, and clients find back by themselves', async () => {
  const keys = new TestKeys();
  const key = keys.add('one');
  const first = await start(keys);
  const port = Number(new URL(first.url).port);
  const [v1, v2] = [await connectClient('v1 sse', first.url, key), await connectClient('v2 sse', first.url, key)];
  const stream = await openRawStream(first.url, key);
  await stream.endpoint();

  await first.close();
  const second = await start(keys, { port });
  await stream.ended;
  await expect.poll(() => second.sessions.size).toBe(2);

  expect(stream.received).toContain(': the service restarts');
  // The service knows of a stream before its client has read where messages go now; until then a call is refused.
  const call = { name: 'echo-tool', arguments: { action: 'say', query: 'again' } };
  for (const client of [v1, v2]) await expect.poll(async () => textOf(await client.callTool(call))).toContain('again');
  await Promise.all([v1.close(), v2.close()]);
});

test('a call in flight is answered before the process stops', async () => {
  const keys = new TestKeys();
  const key = keys.add('one');
  const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const [echo] = testOperations();
  if (echo === undefined) throw new Error('no test operation');
  const slow = {
    ...echo,
    async run() {
      begun.resolve();
      await go.promise;
      return { text: 'answered', json: {} };
    },
  };
  const service = await start(keys, { operations: [slow] });
  const client = await connectClient('v1 sse', service.url, key);
  const answer = client.callTool({ name: 'echo-tool', arguments: { action: 'say' } });
  await begun.promise;

  const closed = service.close();
  expect(service.sessions.isDraining).toBe(true);
  go.resolve();

  expect(textOf(await answer)).toBe('answered');
  await client.close();
  await closed;
});
