import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../testing/git.ts';
import { writeLogin } from './login.ts';

/** A service whose files all say `state`. While `held` is there, the content of the last file begins and does not end. */
async function startService(): Promise<{ url: string; state: string; isHeld: boolean; held: Promise<ServerResponse> }> {
  const begun = Promise.withResolvers<ServerResponse>();
  const service = { url: '', state: 'before', isHeld: false, held: begun.promise };
  const paths = ['graph.json', 'plans/one.md', 'work-items.json'];
  const server = createServer(({ url = '' }, response) => {
    const etag = `"${service.state}"`;
    const path = paths.find((name) => url.endsWith(name));
    response.writeHead(200, { etag, 'content-type': 'application/json' });
    if (path === undefined) {
      const files = paths.map((name) => ({ path: name, etag, url: `/v1/artifacts/${name}` }));
      response.end(JSON.stringify({ repo: 'shop', commit: 'c', files }));
      return;
    }
    const text = `{ "state": "${service.state}" }\n`;
    if (!service.isHeld || path !== 'work-items.json') return void response.end(text);
    // The half of a file has reached the disk, or is on its way.
    response.write(text.slice(0, 8), () => begun.resolve(response));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  // An address of a TCP listener, because a port was given.
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}

/** A checkout of somebody who is signed in to the service. */
function checkoutOf(url: string): { root: string; sync: () => ChildProcess; files: () => Record<string, string> } {
  const root = testFolder();
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ['.git', 'config/svc']) mkdirSync(join(root, folder), { recursive: true });
  writeLogin(join(root, 'config/svc'), { url, key: 'key' });
  const env = { PATH: process.env['PATH'], XDG_CONFIG_HOME: join(root, 'config'), SVC_DATA_DIR: join(root, 'none') };
  const script = join(import.meta.dirname, '../../bin/svc.mjs');
  const names = ['graph.json', 'index.json', 'plans/one.md', 'work-items.json'];
  return {
    root,
    sync: () => spawn(process.execPath, [script, 'sync', '--repo', 'shop'], { cwd: root, env, stdio: 'ignore' }),
    files: () => Object.fromEntries(names.map((name) => [name, readFileSync(join(root, '.svc', name), 'utf8')])),
  };
}

test('a sync that is killed leaves each file whole and the list as it was, and the next one brings the rest', async () => {
  const service = await startService();
  const { root, sync, files } = checkoutOf(service.url);
  expect((await once(sync(), 'exit'))[0]).toBe(0);
  const before = files();

  Object.assign(service, { state: 'after', isHeld: true });
  const killed = sync();
  await service.held;
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const between = files();
  Object.assign(service, { isHeld: false });
  expect((await once(sync(), 'exit'))[0]).toBe(0);

  expect(before['work-items.json']).toBe('{ "state": "before" }\n');
  expect(between['index.json']).toBe(before['index.json']);
  expect(between['work-items.json']).toBe(before['work-items.json']);
  for (const name of ['graph.json', 'plans/one.md'])
    expect(['{ "state": "before" }\n', '{ "state": "after" }\n']).toContain(between[name]);
  const after = files();
  for (const name of ['graph.json', 'plans/one.md', 'work-items.json'])
    expect(after[name]).toBe('{ "state": "after" }\n');
  // What the killed one left is no file that anybody reads, and is swept when it is old.
  expect(readdirSync(join(root, '.svc')).filter((name) => name.endsWith('.json'))).toHaveLength(3);
});
