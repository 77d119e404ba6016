import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { artifactServer } from '../testing/artifact-server.ts';
import { testFolder } from '../testing/git.ts';
import { writeLogin } from './login.ts';

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
  const service = await artifactServer(['graph.json', 'plans/one.md', 'work-items.json']);
  onTestFinished(service.close);
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
