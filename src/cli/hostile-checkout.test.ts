import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type ArtifactServer, artifactServer } from '../testing/artifact-server.ts';
import { testFolder } from '../testing/git.ts';
import { writeLogin } from './login.ts';

const LAUNCHER = join(import.meta.dirname, '../../bin/svc.mjs');
const VICTIMS = ['notes.md', 'thesis.md', 'work.json'];

let service: ArtifactServer;
/** Around the checkout, with files of the user beside it. */
let home = '';
beforeAll(async () => {
  service = await artifactServer(['graph.json', 'plans/mail.md', 'work-items.json']);
});
afterAll(() => service.close());
beforeEach(() => {
  home = testFolder();
  onTestFinished(() => rmSync(home, { recursive: true }));
  for (const folder of ['victim', 'clone/.git', 'config/svc']) mkdirSync(join(home, folder), { recursive: true });
  for (const name of VICTIMS) writeFileSync(join(home, 'victim', name), `mine: ${name}\n`);
  service.requested = [];
  writeLogin(join(home, 'config/svc'), { url: service.url, key: 'key' });
});

/** Runs a command in the clone, as a user of a machine whose service is elsewhere. */
function run(...args: string[]): Promise<{ code: number; text: string }> {
  const env = { PATH: process.env['PATH'], XDG_CONFIG_HOME: join(home, 'config'), SVC_DATA_DIR: join(home, 'none') };
  return new Promise((resolve) => {
    execFile(process.execPath, [LAUNCHER, ...args], { cwd: join(home, 'clone'), env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: out + err }),
    );
  });
}

function inClone(path: string, content: string): void {
  mkdirSync(join(home, 'clone', path, '..'), { recursive: true });
  writeFileSync(join(home, 'clone', path), content);
}

/** Everything outside of the clone is as it was. */
function expectUnharmed(): void {
  const files = readdirSync(join(home, 'victim')).map((name) => [
    name,
    readFileSync(join(home, 'victim', name), 'utf8'),
  ]);
  expect(Object.fromEntries(files)).toEqual(Object.fromEntries(VICTIMS.map((name) => [name, `mine: ${name}\n`])));
}

/** An `index.json` as a sync would have written it, without the seal. */
function indexOf(paths: string[]): string {
  const files = paths.map((path) => {
    const content = `mine: ${path.split('/').at(-1)}\n`;
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { path, bytes: content.length, tokens: 1, sha256, etag: '"before"' };
  });
  const otherFields = { repo: 'shop', commit: 'c', full: false, etag: '"before"', synced_at: '2026-01-01T00:00:00Z' };
  return JSON.stringify({ format: 1, ...otherFields, files });
}

test.each([
  ['.svc/plans', '../../victim'],
  ['.svc', '../victim'],
  ['.svc/index.json', '../../victim/work.json'],
  ['.svc/graph.json', '../../victim/work.json'],
  ['.svc/plans/mail.md', '../../../victim/notes.md'],
  ['.svc/.gitignore', '../../victim/notes.md'],
  ['.svc/plans/mail.md', '../../../victim/new.md'],
])('no command of a clone steps through %s -> %s', async (path, target) => {
  mkdirSync(join(home, 'clone', path, '..'), { recursive: true });
  symlinkSync(target, join(home, 'clone', path));
  if (path === '.svc/plans') inClone('.svc/index.json', indexOf(['plans/notes.md', 'plans/thesis.md']));

  const { code, text } = await run('init', '--repo', 'shop');

  expect(text).toContain(`${path} is a symbolic link`);
  expect(code).toBe(1);
  // An answer that nobody reads would keep the command from ending.
  expect(service.requested.filter((url) => url.endsWith(path.slice('.svc'.length)))).toEqual([]);
  expectUnharmed();
});

test('a link in the place of AGENTS.md is left alone, and the command says so', async () => {
  symlinkSync('../victim/notes.md', join(home, 'clone/AGENTS.md'));

  const { code, text } = await run('init', '--agents', '--repo', 'shop');

  expect(text).toContain('left AGENTS.md alone: it is a symbolic link');
  expect(code).toBe(0);
  expectUnharmed();
});

test('an index.json of the repository names nothing to delete, to keep, or to go without asking for', async () => {
  inClone('.svc/plans/thesis.md', 'mine: thesis.md\n');
  inClone('.svc/plans/mail.md', 'mine: mail.md\n');
  inClone('.svc/index.json', indexOf(['plans/thesis.md', 'plans/mail.md', '../../victim/notes.md']));

  const traversed = await run('sync', '--repo', 'shop');
  inClone('.svc/index.json', indexOf(['plans/thesis.md', 'plans/mail.md']));
  const checked = await run('sync', '--check', '--repo', 'shop');
  const synced = await run('sync', '--repo', 'shop');

  expect([traversed.code, checked.code, synced.code]).toEqual([0, 3, 0]);
  expect(readFileSync(join(home, 'clone/.svc/plans/thesis.md'), 'utf8')).toBe('mine: thesis.md\n');
  // Poisoned text with the right tag would otherwise count as what the service says.
  expect(readFileSync(join(home, 'clone/.svc/plans/mail.md'), 'utf8')).toBe('{ "state": "before" }\n');
  expectUnharmed();
});

test('what a sync wrote is removed when the service has it no more, unless it was changed since', async () => {
  const { paths } = service;
  onTestFinished(() => void (service.paths = paths));
  service.paths = [...paths, 'plans/first.md', 'plans/second.md'];
  await run('sync', '--repo', 'shop');
  service.paths = paths;
  service.state = 'after';
  inClone('.svc/plans/second.md', 'changed\n');

  const { text } = await run('sync');

  expect(text).toContain('removed plans/first.md');
  expect(text).toContain('left plans/second.md alone');
  expect(readdirSync(join(home, 'clone/.svc/plans'))).toEqual(['mail.md', 'second.md']);
});

test('a service cannot write outside of the folder', async () => {
  const { paths } = service;
  onTestFinished(() => void (service.paths = paths));
  const outside = ['../stolen.json', 'plans/../../stolen.md', '/tmp/stolen.md', 'plans/a/b.md', '.gitignore'];
  service.paths = [...outside, 'index.json', 'plans/fine.md'];

  await run('sync', '--repo', 'shop');

  const written = readdirSync(join(home, 'clone'), { recursive: true, encoding: 'utf8' }).toSorted();
  expect(written).toEqual(['.git', '.svc', '.svc/.gitignore', '.svc/index.json', '.svc/plans', '.svc/plans/fine.md']);
  expect(readFileSync(join(home, 'clone/.svc/.gitignore'), 'utf8')).toBe('*\n');
  expectUnharmed();
});

test('a folder with .svc around a checkout is not taken for the checkout', async () => {
  writeFileSync(join(home, 'victim/index.json'), indexOf([]));
  symlinkSync('victim', join(home, '.svc'));

  const { code } = await run('sync', '--repo', 'shop');
  rmSync(join(home, 'victim/index.json'));

  expect(code).toBe(0);
  expect(readdirSync(join(home, 'clone/.svc'))).toContain('graph.json');
  expectUnharmed();
});
