import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../platform/config.ts';
import { testFolder } from '../testing/git.ts';
import { type Client, type ClientNeeds, connect } from './client.ts';
import { writeLogin } from './login.ts';
import { serverFilePath } from './server-file.ts';

let folder = '';
beforeEach(() => {
  folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** A server that answers everything with this status, and the paths that it was asked for. */
async function serverOf(status: number): Promise<{ url: string; requestedPaths: string[]; close: () => void }> {
  const requestedPaths: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    requestedPaths.push(url);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  const close = (): void => void server.close();
  onTestFinished(close);
  await once(server, 'listening');
  // An address of a TCP listener, because a port was given.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requestedPaths, close };
}

/** Connects with a service that left its file under the number of a process; `printed` collects what is said about it. */
function connectWith(url: string, pid: number, printed: string[] = []): Promise<Client> {
  leaveServerFile(url, pid);
  return connectHere(printed);
}

function leaveServerFile(url: string, pid = process.pid): void {
  writeFileSync(serverFilePath(folder), JSON.stringify({ url, token: 'none', pid }), { mode: 0o600 });
}

/** Connects in the folder; `others` are the further data folders of the user. */
function connectHere(
  printed: string[] = [],
  { needs = {}, others = [] }: { needs?: ClientNeeds; others?: string[] } = {},
): Promise<Client> {
  const context = {
    configDir: folder,
    openService: () => Promise.reject(new Error('opened')),
    err: (text: string) => void printed.push(text),
  };
  const config = async () => readConfig({ SVC_DATA_DIR: folder });
  return connect(context, { dataDir: folder, others, isExplicit: false, config }, needs);
}

test('a command asks a service whose process lives nothing but its own question', async () => {
  const { url, requestedPaths } = await serverOf(200);

  const client = await connectWith(url, process.pid);
  await client.send('GET', '/v1/artifacts');
  await client.send('GET', '/v1/artifacts');

  expect(client.where).toBe(`the service at ${url}`);
  expect(requestedPaths).toEqual(['/v1/artifacts', '/v1/artifacts']);
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

  expect(login.requestedPaths).toEqual(['/v1/plans', '/v1/plans', '/v1/plans', '/v1/plans']);
});

test.each([
  ['is readable by others', () => chmodSync(serverFilePath(folder), 0o644)],
  ['is a link to a private file', () => linkTo(serverFilePath(folder))],
])('a file of a service is not used when it %s: nothing is sent to its address', async (_, change) => {
  const [planted, login] = [await serverOf(200), await serverOf(200)];
  writeLogin(folder, { url: login.url, key: 'key' });
  leaveServerFile(planted.url);
  change();
  const printed: string[] = [];

  const client = await connectHere(printed);
  await client.send('POST', '/v1/documents', 'what nobody else may read');

  expect([planted.requestedPaths, login.requestedPaths]).toEqual([[], ['/v1/documents']]);
  expect(printed.join('')).toContain('server.json');
});

function linkTo(path: string): void {
  renameSync(path, `${path}.there`);
  symlinkSync(`${path}.there`, path);
}

test.each([
  'https://svc.example.com',
  'http://127.0.0.1.example.com:4000',
  'http://127.0.0.1@example.com',
  'http://192.0.2.7:4000',
  'file:///etc',
])('the file of a service that names %s is not used', async (url) => {
  const login = await serverOf(200);
  writeLogin(folder, { url: login.url, key: 'key' });
  const printed: string[] = [];

  const client = await connectWith(url, process.pid, printed);

  expect(client.where).toBe(`the service at ${login.url}`);
  expect(printed.join('')).toContain('no address of this machine');
});

test('where nothing is, a command that asks fails and makes nothing, and one that adds opens data', async () => {
  await expect(connectHere()).rejects.toMatchObject({ code: 'upstream_failed', fix: expect.stringContaining(' up, ') });
  await expect(connectHere([], { needs: { creates: true } })).rejects.toThrow('opened');
  expect(readdirSync(folder)).toEqual([]);

  mkdirSync(join(folder, 'postgres'));
  await expect(connectHere()).rejects.toThrow('opened');
});

test('a service on another data folder of the user is asked when none runs here, after the one of the login', async () => {
  const [elsewhere, login] = [await serverOf(200), await serverOf(200)];
  const other = join(folder, 'other');
  mkdirSync(other);
  writeFileSync(serverFilePath(other), JSON.stringify({ url: elsewhere.url, token: 'none', pid: 1 }), { mode: 0o600 });

  const signedOut = await connectHere([], { others: [other] });
  writeLogin(folder, { url: login.url, key: 'key' });
  const signedIn = await connectHere([], { others: [other] });

  expect(signedOut).toMatchObject({ where: `the service at ${elsewhere.url}`, dataDir: other });
  expect(signedIn).toMatchObject({ where: `the service at ${login.url}`, isLogin: true });
});
