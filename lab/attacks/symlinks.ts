import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Serving } from '../serving.ts';
import type { Attack, AttackContext } from './attack.ts';

const VICTIMS = ['notes.md', 'thesis.md', 'work.json'];

/** Each is a file of the hostile repository that leads out of it, and its target, relative to the file. */
const LINKS: readonly { path: string; target: string }[] = [
  { path: '.svc', target: '../victim' },
  { path: '.svc/plans', target: '../../victim' },
  { path: '.svc/index.json', target: '../../victim/work.json' },
  { path: '.svc/graph.json', target: '../../victim/work.json' },
  { path: '.svc/.gitignore', target: '../../victim/notes.md' },
  { path: '.svc/plans/mail.md', target: '../../../victim/new.md' },
  { path: 'AGENTS.md', target: '../victim/notes.md' },
  { path: 'CLAUDE.md', target: '../victim/thesis.md' },
];

/** Clones that bring links, an index that names files to delete, and the address of a stranger's service. */
export const attack: Attack = {
  name: 'symlinks',
  purpose:
    'What a repository brings along makes no command write, read or delete outside of the clone, or call a stranger.',
  run: async (context) => {
    const service = await context.startService();
    await service.owner('POST', '/v1/plans', { text: '# Mail\n\n- [ ] Send\n' });
    const key = await context.createKey(service);
    for (const { path, target } of LINKS) {
      context.signal.throwIfAborted();
      const clone = cloneOf(context, `link-${path.replaceAll(/[./]/g, '-')}`, (folder) => {
        link(join(folder, path), target);
        if (path === '.svc/plans')
          write(join(folder, '.svc/index.json'), indexOf(['plans/notes.md', 'plans/thesis.md']));
      });
      await runCommands(clone, { service, key });
      checkVictims(context, clone, `${path} -> ${target}`);
    }
    await attackWithServerFile(context, { service, key });
  },
};

/** Commands in a clone that brings the address of a service with a token that its author knows. */
async function attackWithServerFile(context: AttackContext, login: { service: Serving; key: string }): Promise<void> {
  const requests: string[] = [];
  const stranger = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  try {
    // An address of a TCP listener, because a port was given.
    const { port } = stranger.address() as AddressInfo;
    const clone = cloneOf(context, 'server-file', (folder) => {
      const server = { url: `http://127.0.0.1:${port}`, token: 'svc_owner_known', pid: process.pid };
      write(join(folder, '.svc-data/server.json'), JSON.stringify(server));
    });
    await runCommands(clone, login);
    context.check(
      'the address in .svc-data/server.json of a clone',
      requests.length === 0,
      `${requests.length} requests`,
    );
  } finally {
    stranger.close();
    stranger.closeAllConnections();
  }
}

/** Makes a repository beside files of the user, and clones it, as git puts links and modes into a checkout. */
function cloneOf({ folder, createRepository }: AttackContext, name: string, plant: (path: string) => void): string {
  const origin = createRepository(`${name}/origin`, { 'README.md': '# Shop\n' });
  plant(origin);
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=Attack', '-c', 'user.email=attack@example.org', '-C', origin, ...args]);
  git('add', '--all', '--force');
  git('commit', '--quiet', '--message=feat: add context');
  const root = join(folder, name);
  for (const victim of VICTIMS) write(join(root, 'victim', victim), `mine: ${victim}\n`);
  execFileSync('git', ['clone', '--quiet', origin, join(root, 'clone')]);
  return join(root, 'clone');
}

/** Runs what people run first in a clone, signed in to a service of their own. */
async function runCommands(clone: string, { service, key }: { service: Serving; key: string }): Promise<void> {
  const config = join(dirname(clone), 'config');
  write(join(config, 'svc/login.json'), JSON.stringify({ url: service.url, key }));
  const env = { PATH: process.env['PATH'], HOME: dirname(clone), XDG_CONFIG_HOME: config };
  for (const args of [['sync'], ['init', '--agents'], ['sync', '--full'], ['status'], ['plan', 'list']]) {
    const launcher = join(import.meta.dirname, '../../bin/svc.mjs');
    // Refusing is as good as leaving it alone: what counts is what is outside.
    await new Promise<void>((resolve) => {
      execFile(process.execPath, [launcher, ...args], { cwd: clone, env }, () => resolve());
    });
  }
}

function checkVictims({ check }: AttackContext, clone: string, name: string): void {
  const victim = join(dirname(clone), 'victim');
  const there = readdirSync(victim).toSorted();
  const changed = VICTIMS.filter(
    (file) => !there.includes(file) || readFileSync(join(victim, file), 'utf8') !== `mine: ${file}\n`,
  );
  const added = there.filter((file) => !VICTIMS.includes(file));
  const detail = [...changed.map((file) => `changed or deleted ${file}`), ...added.map((file) => `wrote ${file}`)];
  check(name, detail.length === 0, detail.join(', '));
}

/** An index as a sync writes it, without the seal of the user. */
function indexOf(paths: readonly string[]): string {
  const files = paths.map((path) => {
    const content = `mine: ${path.split('/').at(-1)}\n`;
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { path, bytes: content.length, tokens: 1, sha256, etag: '"before"' };
  });
  const common = { repo: null, commit: null, full: false, etag: '"before"', synced_at: '2026-01-01T00:00:00Z' };
  return JSON.stringify({ format: 1, ...common, files });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function link(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}
