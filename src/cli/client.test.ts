import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../testing/git.ts';
import { type Client, connect, serverFilePath } from './client.ts';
import { writeLogin } from './login.ts';

let folder = '';
beforeEach(() => {
  folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** A server that answers everything with this status, and the paths that it was asked for. */
async function serverOf(status: number): Promise<{ url: string; asked: string[]; close: () => void }> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  const close = (): void => void server.close();
  onTestFinished(close);
  await once(server, 'listening');
  // An address of a TCP listener, because a port was given.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, close };
}

/** Connects with a service that left its file under the number of a process. */
function connectWith(url: string, pid: number): Promise<Client> {
  writeFileSync(serverFilePath(folder), JSON.stringify({ url, token: 'none', pid }));
  const context = { configDir: folder, openService: () => Promise.reject(new Error('opened')) };
  const place = { dataDir: folder, isAsked: false, config: () => Promise.reject(new Error('configured')) };
  return connect(context, place, { work: false });
}

test('a command asks a service whose process lives nothing but its own question', async () => {
  const { url, asked } = await serverOf(200);

  const client = await connectWith(url, process.pid);
  await client.send('GET', '/v1/artifacts');
  await client.send('GET', '/v1/artifacts');

  expect(client.where).toBe(`the service at ${url}`);
  expect(asked).toEqual(['/v1/artifacts', '/v1/artifacts']);
});

test('where the process is another one by now, the first request goes to the service of the login', async () => {
  const [login, stranger, gone] = [await serverOf(200), await serverOf(401), await serverOf(200)];
  gone.close();
  writeLogin(folder, { url: login.url, key: 'key' });

  for (const { url } of [stranger, gone]) {
    const client = await connectWith(url, process.pid);
    await Promise.all([client.send('GET', '/v1/plans'), client.send('GET', '/v1/plans')]);
    await client.close();
  }

  expect(login.asked).toEqual(['/v1/plans', '/v1/plans', '/v1/plans', '/v1/plans']);
});
