import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectClient, textOf } from '../../src/testing/mcp-client.ts';
import { servedRepository, sharedSettings } from './installations.ts';
import { openRoundRobin } from './round-robin.ts';
import {
  type CommandOptions,
  eventually,
  type ServiceProcess,
  startCommand,
  startSvc,
  svcJson,
  temporaryFolder,
} from './service-process.ts';
import { addRepository } from './standing-state.ts';

const USAGES = { name: 'code-tool', arguments: { action: 'usages', query: 'sendMail' } };
/** Calls of a client; more than there are replicas. */
const CALLS = 7;

async function startReplica(
  env: Record<string, string>,
): Promise<{ service: ServiceProcess; options: CommandOptions }> {
  const options = { cwd: temporaryFolder(), env };
  const service = await startSvc(['serve', '--no-work', '--data-dir', join(options.cwd, '.svc-data')], options);
  return { service, options };
}

function startWorker(env: Record<string, string>): void {
  const cwd = temporaryFolder();
  const worker = startCommand(['worker', '--data-dir', join(cwd, '.svc-data')], { cwd, env });
  const ended = new Promise((resolve) => worker.once('close', resolve));
  onTestFinished(async () => {
    worker.kill('SIGTERM');
    await ended;
  });
}

async function rowsOf(args: readonly string[], options: CommandOptions): Promise<object[]> {
  return (await svcJson<{ rows: object[] }>(args, options)).rows;
}

test('processes that share a database and object storage, and no folder, do the work of one', async () => {
  const env = await sharedSettings();
  const first = await startReplica(env);
  startWorker(env);
  await addRepository(join(first.options.cwd, '.svc-data'), { url: await servedRepository() });
  writeFileSync(join(first.options.cwd, 'refunds.md'), '# Refunds\n\nA refund is paid within three walrus days.\n');
  await svcJson(['doc', 'add', 'refunds.md'], first.options);
  await eventually(async () => (await rowsOf(['texts', 'walrus'], first.options)).length > 0);
  // Replicas that start now have nothing but the database and the object storage.
  const later = [await startReplica(env), await startReplica(env)];

  const replicas = [first, ...later];
  for (const { options } of replicas)
    expect(await rowsOf(['usages', 'sendMail'], options)).toContainEqual(
      expect.objectContaining({ path: 'src/order.ts' }),
    );
  const [copies] = later.map(({ options }) => readdirSync(join(options.cwd, '.svc-data/blobs'), { recursive: true }));
  expect(copies).toContainEqual(expect.stringMatching(/[0-9a-f]{64}/));

  // The official clients of the stream transport, behind a balancer that knows nothing of streams.
  const { key } = await svcJson<{ key: string }>(['key', 'create', '--name', 'one'], first.options);
  const balancer = await openRoundRobin(replicas.map(({ service }) => service.url));
  onTestFinished(() => balancer.close());
  const answers = async (kind: 'v1 sse' | 'v2 sse'): Promise<string[]> => {
    const client = await connectClient(kind, balancer.url, key);
    const texts: string[] = [];
    for (let call = 0; call < CALLS; call += 1) texts.push(textOf(await client.callTool(USAGES)));
    await client.close();
    return texts;
  };
  for (const texts of [await answers('v1 sse'), await answers('v2 sse')])
    expect(texts.filter((text) => text.includes('src/order.ts'))).toHaveLength(CALLS);
  expect(Math.min(...balancer.served)).toBeGreaterThan(CALLS / 2);

  process.kill(first.service.pid, 'SIGKILL');
  expect((await answers('v1 sse')).filter((text) => text.includes('src/order.ts'))).toHaveLength(CALLS);
});
