import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { HANG_LIMIT_MS } from '../testing/limits.ts';
import { netRequest, type NetPolicy } from './net.ts';
import { isClosed } from './net-addresses.ts';

const STRICT: NetPolicy = { privateHosts: new Set(), timeoutMs: HANG_LIMIT_MS };
const LOCAL: NetPolicy = { privateHosts: new Set(['127.0.0.1']), timeoutMs: HANG_LIMIT_MS };

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['169.254.169.254', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:7f00:1', true],
  ['fd00::1', true],
  ['64:ff9b::7f00:1', true],
  ['64:ff9b:1::7f00:1', true],
  ['::127.0.0.1', true],
  ['::ffff:0:7f00:1', true],
  ['2001:0:7f00:1::', true],
  ['fec0::1', true],
  ['198.51.100.1', true],
  ['140.82.112.5', false],
  ['2606:4700::6810:1', false],
])('the address %s is closed: %s', (address, expected) => {
  expect(isClosed(address)).toBe(expected);
});

test.each([
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://127.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://169.254.169.254/latest/',
  'https://localhost/',
])('%s is refused before anything is sent', async (url) => {
  await expect(netRequest(STRICT, { method: 'GET', url })).rejects.toMatchObject({
    code: 'bad_argument',
    message: expect.stringContaining('private network'),
  });
});

test.each(['file:///etc/passwd', 'ftp://example.org/', 'https://me:secret@example.org/', 'http://example.org/', 'x'])(
  '%s is no address to call',
  async (url) => {
    await expect(netRequest(STRICT, { method: 'GET', url })).rejects.toMatchObject({ code: 'bad_argument' });
  },
);

test('a private host that the operator named is called, with headers and body', async () => {
  const url = await serve((request, response) => {
    request
      .setEncoding('utf8')
      .on('data', (body) => response.end(`${request.method} ${String(request.headers['x-a'])} ${body}`));
  });

  const answer = await netRequest(LOCAL, { method: 'POST', url, headers: { 'x-a': '1' }, body: 'hello' });

  expect(answer).toMatchObject({ status: 200, text: 'POST 1 hello' });
});

test('a redirect is checked like the first address, and secrets stay at home', async () => {
  const authorizations: (string | undefined)[] = [];
  const elsewhere = await serve((request, response) => {
    authorizations.push(request.headers.authorization);
    response.end('there');
  });
  const url = await serve((request, response) => {
    const [target = ''] = [{ '/in': 'https://127.0.0.2/secret', '/out': `${elsewhere}/` }[request.url ?? '']];
    response.writeHead(302, { location: target }).end();
  });
  const secretHeaders = { authorization: 'Bearer x' };

  await expect(netRequest(LOCAL, { method: 'GET', url: `${url}/in`, secretHeaders })).rejects.toMatchObject({
    code: 'bad_argument',
  });
  const followed = await netRequest(LOCAL, { method: 'GET', url: `${url}/out`, secretHeaders });
  const posted = await netRequest(LOCAL, { method: 'POST', url: `${url}/out`, secretHeaders, body: '' });

  expect([followed.text, posted.status]).toEqual(['there', 302]);
  expect(authorizations).toEqual([undefined]);
});

test('a POST is repeated where its own host says so', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/old') response.writeHead(307, { location: '/new' }).end();
    else request.setEncoding('utf8').on('data', (body) => response.end(`${request.url} ${body}`));
  });

  expect(await netRequest(LOCAL, { method: 'POST', url: `${url}/old`, body: 'hello' })).toMatchObject({
    text: '/new hello',
  });
});

test('what never answers is given up', async () => {
  const url = await serve(() => undefined);

  await expect(netRequest({ ...LOCAL, timeoutMs: 50 }, { method: 'GET', url })).rejects.toMatchObject({
    code: 'upstream_failed',
    message: expect.stringContaining('did not answer within 0.05 s'),
  });
});

test('a connection that is refused or cut says so', async () => {
  const cut = await serve((request) => request.socket.destroy());

  await expect(netRequest(LOCAL, { method: 'GET', url: cut })).rejects.toMatchObject({ code: 'upstream_failed' });
  await expect(netRequest(LOCAL, { method: 'GET', url: 'http://127.0.0.1:1' })).rejects.toMatchObject({
    code: 'upstream_failed',
  });
});
