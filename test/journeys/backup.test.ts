import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectClient, textOf } from '../../src/testing/mcp-client.ts';
import { sharedSettings } from './installations.ts';
import {
  type CommandOptions,
  eventually,
  type ServiceProcess,
  startSvc,
  svc,
  svcJson,
  temporaryFolder,
} from './service-process.ts';
import { asOwner, countStandingState, fillStandingState, STANDING } from './standing-state.ts';

const ALONE = { SVC_PRIVATE_HOSTS: '127.0.0.1' };
const CALLS = [
  { name: 'code-tool', arguments: { action: 'usages', query: 'sendMail', repo: 'parts' } },
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

/** A look is some ten requests, of which a key may make 600 a minute. */
const LOOK_MS = 1_500;

/** What a client with the first key, and the owner, see of the content. */
async function look({ url }: ServiceProcess, dataDir: string, key: string): Promise<string[]> {
  const client = await connectClient('v2 http /v1/mcp', url, key);
  const texts: string[] = [];
  for (const call of CALLS) texts.push(textOf(await client.callTool(call)));
  await client.close();
  const { themes } = await asOwner<{ themes: { label: string; signals: number }[] }>(
    dataDir,
    'GET /themes?least=1&limit=100',
  );
  // Others are gathered anew.
  const named = themes.filter(({ label }) => label === 'Invoices stay inside');
  return [...texts, JSON.stringify(named.map(({ label, signals }) => [label, signals]))];
}

test('an installation moves from one process to PostgreSQL with object storage and back, while each runs', async () => {
  const { SVC_SECRET_KEY: _key, ...shared } = await sharedSettings();
  const { DATABASE_URL: _url, SVC_BLOB_URL: _blobs, ...storage } = shared;
  const first = installation({ ...ALONE, SVC_BACKUP_DIR: join(temporaryFolder(), 'regular') });
  const [second, third] = [installation(shared), installation({ ...ALONE, ...storage })];
  const source = await serve(first);
  const key = await fillStandingState(first);
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
  await eventually(() => isSame(server, second), LOOK_MS);
  expect(saved.blobs.count).toBeGreaterThanOrEqual(3);
  expect(saved.tables.filter(({ rows }) => rows > 0).length).toBeGreaterThan(25);
  expect(moved).toMatchObject({ tables: saved.tables, blobs: saved.blobs, lost: [], reindexed: 0 });
  expect(checks).toContainEqual({
    name: 'backup',
    state: 'ok',
    detail: expect.stringMatching(/^the last one began .+ MB/),
  });
  const regular = first.env?.['SVC_BACKUP_DIR'] ?? '';
  await eventually(() => existsSync(regular) && readdirSync(regular).some((name) => name.endsWith('.tar.zst')));

  // By way of object storage, and without indexes, which the next start makes again.
  const back = 's3://blobs/backups/two.tar.zst';
  expect(await svcJson(['backup', back], second)).toMatchObject({ blobs: { count: 1 } });
  expect(await svcJson(['restore', back], third)).toMatchObject({ reindexed: STANDING.repositories, lost: [] });
  const target = await serve(third);
  await eventually(() => isSame(target, third), LOOK_MS);
  expect(await countStandingState(third.dataDir)).toEqual(STANDING);
  for (const [args, sentence] of [
    [['backup', back], /^svc: s3:\/\/blobs\/backups\/two\.tar\.zst already exists\. /],
    [['backup', file], /^svc: \S+one\.tar\.zst already exists\. Name a file that does not exist yet\.\n$/],
    [['restore', 's3://blobs/backups/none.tar.zst'], /^svc: There is no s3:/],
    [['restore', join(third.cwd, 'none.tar.zst')], /^svc: There is no file .+\n$/],
  ] as const)
    expect(await svc(args, second)).toEqual({ code: 1, out: '', err: expect.stringMatching(sentence) });
});
