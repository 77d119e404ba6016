import { availableParallelism } from 'node:os';
import { codeTool } from '../src/code/code-tool.ts';
import { ServiceError } from '../src/kernel/errors.ts';
import type { AnyOperation, CallContext } from '../src/platform/operation/operation.ts';
import { type ShardRef, ShardReaders } from '../src/indexes/shards/shards.ts';
import type { Workspace } from './indexing.ts';
import { percentile } from './measure.ts';
import type { Row } from './report.ts';
import { type Call, sampleCalls } from './sample.ts';

const CALLS = 500;
const TOPIC = 'query';

/** Goals for the 95th percentile, by the size of the source. */
const SMALL = { bytes: 15e6, goal: '< 15' };
const LARGE_GOAL = '< 60';

/**
 * Times of each action of `code-tool` in this process, over the same shard readers that the service has: the first call of
 * each, which finds nothing in memory, and then of all. The processor time of one call is printed beside it, for machines
 * that do other things.
 */
export async function benchQueries(
  { blobs }: Workspace,
  { shard, gitDir, commit, sourceBytes }: { shard: ShardRef; gitDir: string; commit: string; sourceBytes: number },
): Promise<Row[]> {
  const threads = Math.min(4, Math.max(1, availableParallelism() - 1));
  await using readers = new ShardReaders({ blobs, threads, cacheBytes: 4e9 });
  const provenance = { repo: 'bench', ref: 'main', commit, index: { state: 'fresh' as const } };
  const tool = codeTool({
    readers,
    repositories: () => Promise.resolve([{ id: 'bench', provenance, shard, gitDir: () => Promise.resolve(gitDir) }]),
    rebuild: () => Promise.reject(new Error('the shard of the benchmark is damaged')),
  });
  const calls = sampleCalls(await blobs.path(shard.hash), CALLS);
  const rows: Row[] = [];
  const first = calls['usages']?.[0];
  if (first !== undefined)
    rows.push({
      topic: TOPIC,
      name: 'first call',
      value: await timeCall(tool, first),
      unit: 'ms',
      note: 'thread, checksum, open',
    });
  for (const [action, list] of Object.entries(calls)) {
    const times: number[] = [];
    const costs: number[] = [];
    for (const call of list) {
      const before = process.cpuUsage();
      times.push(await timeCall(tool, call));
      const { user, system } = process.cpuUsage(before);
      costs.push((user + system) / 1000);
    }
    const p95 = sourceBytes <= SMALL.bytes ? SMALL.goal : LARGE_GOAL;
    rows.push(
      { topic: TOPIC, name: `${action} first`, value: times[0] ?? 0, unit: 'ms' },
      { topic: TOPIC, name: `${action} p50`, value: percentile(times, 0.5), unit: 'ms' },
      { topic: TOPIC, name: `${action} p95`, value: percentile(times, 0.95), unit: 'ms', goal: p95 },
      { topic: TOPIC, name: `${action} p95, processor`, value: percentile(costs, 0.95), unit: 'ms' },
      {
        topic: TOPIC,
        name: `${action} p99`,
        value: percentile(times, 0.99),
        unit: 'ms',
        ...(action === 'usages' && { goal: '< 5' }),
      },
    );
  }
  return rows;
}

/** Milliseconds of one call. That a name is not found, or found twice, is an answer too. */
async function timeCall(tool: AnyOperation, call: Call): Promise<number> {
  const context: CallContext = {
    caller: { accountId: 'bench', productId: 'bench', keyId: 'bench', scopes: ['read'] },
    now: () => new Date(),
    signal: new AbortController().signal,
    progress: () => undefined,
  };
  const startedAt = performance.now();
  await tool.run(context, tool.input.parse(call)).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
  });
  return performance.now() - startedAt;
}
