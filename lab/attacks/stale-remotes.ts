import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import type { Serving } from '../serving.ts';
import type { Attack, AttackContext } from './attack.ts';

const INTERVAL_SECONDS = 10;
/** A fetch, an index run and a busy machine. */
const PATIENCE_MS = 60_000;
const POLL_MS = 250;

interface Listed {
  freshness: string;
  fetched_at: string | null;
  fetch_error: { message: string } | null;
}

/** Repositories by address that move, whose host fails and comes back, and whose host reports pushes. */
export const attack: Attack = {
  name: 'stale-remotes',
  purpose: 'A repository by address follows its host, and no answer calls itself fresh when it is not.',
  run: async (context) => {
    await followSchedule(context);
    await followWebhook(context);
  },
};

async function followSchedule(context: AttackContext): Promise<void> {
  const service = await context.startService({ SVC_FETCH_INTERVAL_SECONDS: String(INTERVAL_SECONDS) });
  const path = context.createRepository('moving', { 'a.ts': 'export function first(): void {}\n' });
  await context.addRepository(service, pathToFileURL(path).href);

  commitFunction(path, 'second');
  context.check('a push is found without being asked for', await becomes(context, () => knows(service, 'second')));

  renameSync(path, `${path}.away`);
  const isFailed = await becomes(context, async () => (await listed(service)).fetch_error !== null);
  const away = await listed(service);
  context.check('the list says that the fetch failed', isFailed, away.fetch_error?.message);
  const state = await stateOf(service);
  context.check('an answer does not call itself fresh', state === 'fetched', state);
  context.check('the list states the last fetch', /^fetched \d+ \w+ ago/.test(away.freshness), away.freshness);

  renameSync(`${path}.away`, path);
  commitFunction(path, 'third');
  context.check('a host that is back is followed again', await becomes(context, () => knows(service, 'third')));
  const back = await listed(service);
  context.check('the failure is forgotten', back.fetch_error === null, back.freshness);
}

/** Without a schedule, so that nothing but the webhook can have fetched. */
async function followWebhook(context: AttackContext): Promise<void> {
  const service = await context.startService({ SVC_FETCH_INTERVAL_SECONDS: '0' });
  const path = context.createRepository('reported', { 'a.ts': 'export function first(): void {}\n' });
  await context.addRepository(service, pathToFileURL(path).href);
  const { url, secret } = await service.owner<{ url: string; secret: string }>(
    'PUT',
    '/v1/repositories/reported/webhook',
  );
  commitFunction(path, 'pushed');
  const body = '{"ref":"refs/heads/main"}';
  const send = async (key: string): Promise<number> => {
    const signature = createHmac('sha256', key).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
    return (await fetch(url, { method: 'POST', headers, body })).status;
  };

  const refused = await send('another secret');
  context.check('a push with another signature is refused', refused === 401, `status ${refused}`);
  context.check('it makes nothing happen', !(await knows(service, 'pushed')));
  const accepted = await send(secret);
  context.check('a signed push is accepted', accepted === 202, `status ${accepted}`);
  context.check('it is indexed at once', await becomes(context, () => knows(service, 'pushed')));
}

function commitFunction(path: string, name: string): void {
  writeFileSync(join(path, `${name}.ts`), `export function ${name}(): void {}\n`);
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=Attack', '-c', 'user.email=attack@example.org', ...args], { cwd: path });
  git('add', '--all');
  git('commit', '--quiet', `--message=feat: add ${name}`);
}

async function listed({ owner }: Serving): Promise<Listed> {
  const { repositories } = await owner<{ repositories: Listed[] }>('GET', '/v1/repositories');
  const [only] = repositories;
  if (only === undefined) throw new Error('The repository is not listed.');
  return only;
}

async function knows(service: Serving, name: string): Promise<boolean> {
  const args = { action: 'search_symbols', query: name };
  const { rows } = await service.owner<{ rows: { name: string }[] }>('POST', '/v1/tools/code-tool', args);
  return rows.some((row) => row.name === name);
}

/** Returns the freshness that an answer states. */
async function stateOf(service: Serving): Promise<string> {
  const args = { action: 'search_symbols', query: 'first' };
  const { index } = await service.owner<{ index: { state: string } }>('POST', '/v1/tools/code-tool', args);
  return index.state;
}

/** Waits until something holds; false when it does not in time. */
async function becomes({ signal }: AttackContext, holds: () => Promise<boolean>): Promise<boolean> {
  const limitMs = performance.now() + PATIENCE_MS;
  while (performance.now() < limitMs) {
    if (await holds()) return true;
    await setTimeout(POLL_MS, undefined, { signal });
  }
  return false;
}
