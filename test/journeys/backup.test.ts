import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectClient, textOf } from '../../src/testing/mcp-client.ts';
import { servedRepository, sharedSettings } from './installations.ts';
import {
  type CommandOptions,
  eventually,
  serverFile,
  type ServiceProcess,
  startSvc,
  svc,
  svcJson,
  temporaryFolder,
} from './service-process.ts';

const ALONE = { SVC_PRIVATE_HOSTS: '127.0.0.1' };
const CALLS = [
  { name: 'code-tool', arguments: { action: 'usages', query: 'sendMail' } },
  { name: 'search-tool', arguments: { query: 'walrus' } },
];

interface Saved {
  tables: { name: string; rows: number }[];
  blobs: { count: number };
  lost: string[];
}

function installation(env: Record<string, string>): CommandOptions & { dataDir: string } {
  const cwd = temporaryFolder();
  return { cwd, env, dataDir: join(cwd, '.svc-data') };
}

const serve = (options: CommandOptions & { dataDir: string }): Promise<ServiceProcess> =>
  startSvc(['serve', '--data-dir', options.dataDir], options);

/** Asks the service as its owner. */
async function ask<Body>(dataDir: string, method: string, path: string, body?: object): Promise<Body> {
  const { url, token } = serverFile(dataDir);
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  // The test says what the route promises, and looks at it.
  return (await response.json()) as Body;
}

/** Adds a repository, a document, a decision, signals in a theme with a name, a competitor and a key, which it returns. */
async function fill(options: CommandOptions & { dataDir: string }): Promise<string> {
  const { cwd, dataDir } = options;
  await svcJson(['repo', 'add', await servedRepository(), '--wait'], options);
  writeFileSync(join(cwd, 'refunds.md'), '# Refunds\n\nA refund is paid within three walrus days.\n');
  await svcJson(['doc', 'add', 'refunds.md'], options);
  await ask(dataDir, 'POST', '/decisions', { title: 'Refunds by mail', decision: 'Refunds are announced by mail.' });
  const { ids } = await ask<{ ids: string[] }>(dataDir, 'POST', '/signals', {
    signals: [{ text: 'The export of invoices is broken.' }, { text: 'Invoices cannot be exported.' }],
  });
  for (const id of ids) await ask(dataDir, 'PUT', `/signals/${id}/theme`, { label: 'Invoices stay inside' });
  await ask(dataDir, 'POST', '/competitors', { name: 'Rival', site: 'https://rival.example' });
  const { key } = await svcJson<{ key: string }>(['key', 'create', '--name', 'one'], options);
  await eventually(async () => (await svc(['texts', 'walrus'], options)).out.includes('walrus'));
  return key;
}

/** What a client with the first key, and the owner, see of the content. */
async function look({ url }: ServiceProcess, dataDir: string, key: string): Promise<string[]> {
  const client = await connectClient('v2 http /v1/mcp', url, key);
  const texts: string[] = [];
  for (const call of CALLS) texts.push(textOf(await client.callTool(call)));
  await client.close();
  const { themes } = await ask<{ themes: { label: string; signals: number }[] }>(dataDir, 'GET', '/themes');
  return [...texts, JSON.stringify(themes.map(({ label, signals }) => [label, signals]))];
}

test('an installation moves from one process to PostgreSQL with object storage and back, while each runs', async () => {
  const { SVC_SECRET_KEY: _key, ...shared } = await sharedSettings();
  const first = installation({ ...ALONE, SVC_BACKUP_DIR: join(temporaryFolder(), 'regular') });
  const [second, third] = [installation(shared), installation(ALONE)];
  const source = await serve(first);
  const key = await fill(first);
  const before = await look(source, first.dataDir, key);

  const file = join(first.cwd, 'one.tar.zst');
  const saved = await svcJson<Saved>(['backup', file, '--blobs', 'all'], first);
  const { checks } = await svcJson<{ checks: { name: string }[] }>(['doctor'], first);
  const moved = await svcJson<Saved>(['restore', file], second);
  const server = await serve(second);
  // Its mirror is fetched again.
  const isSame = async (service: ServiceProcess, { dataDir }: { dataDir: string }): Promise<boolean> =>
    (await look(service, dataDir, key)).join() === before.join();

  expect(before[0]).toContain('src/order.ts');
  expect(before[1]).toContain('walrus');
  expect(before[2]).toContain('["Invoices stay inside",2]');
  await eventually(() => isSame(server, second));
  expect(saved.blobs.count).toBeGreaterThanOrEqual(3);
  expect(saved.tables.filter(({ rows }) => rows > 0).length).toBeGreaterThan(15);
  expect(moved).toMatchObject({ tables: saved.tables, blobs: saved.blobs, lost: [], reindexed: 0 });
  expect(checks).toContainEqual({
    name: 'backup',
    state: 'ok',
    detail: expect.stringMatching(/^the last one began .+ MB/),
  });
  const regular = first.env?.['SVC_BACKUP_DIR'] ?? '';
  await eventually(() => existsSync(regular) && readdirSync(regular).some((name) => name.endsWith('.tar.zst')));

  // Without indexes, which the next start makes again.
  const back = join(second.cwd, 'two.tar.zst');
  expect(await svcJson(['backup', back], second)).toMatchObject({ blobs: { count: 1 } });
  expect(await svcJson(['restore', back], third)).toMatchObject({ reindexed: 1, lost: [] });
  const target = await serve(third);
  await eventually(() => isSame(target, third));
  for (const [args, sentence] of [
    [['backup', back], /^svc: \S+two\.tar\.zst already exists\. /],
    [['restore', join(third.cwd, 'none.tar.zst')], /^svc: There is no file /],
  ] as const)
    expect(await svc(args, second)).toMatchObject({ code: 1, err: expect.stringMatching(sentence) });
});
