import { expect, test } from 'vitest';
import { HANG_LIMIT_MS } from '../../testing/limits.ts';
import { childProcessesFromNow } from '../../testing/processes.ts';
import type { Watch } from '../../platform/supervision.ts';
import { decodeFacts } from '../../languages/facts/facts-codec.ts';
import { describeFacts } from '../../testing/describe-facts.ts';
import { type Extracted, type ExtractorRequest, ExtractorPool, type ExtractorPoolOptions } from './pool.ts';

/** Returns what a pool makes of some texts, by id. */
async function extractAll(
  files: readonly ExtractorRequest[],
  { size = 1, deadlineMs = HANG_LIMIT_MS, processorMs, watch }: Partial<ExtractorPoolOptions> = {},
): Promise<Map<number, Extracted>> {
  const results = new Map<number, Extracted>();
  using pool = new ExtractorPool({
    size,
    deadlineMs,
    watch,
    ...(processorMs !== undefined && { processorMs }),
    onResult: (extracted) => results.set(extracted.id, extracted),
  });
  for (const file of files) await pool.add(file);
  await pool.finish();
  return results;
}

function source(id: number, text = `export const name${id} = ${id};`): ExtractorRequest {
  return { id, parser: 'typescript', text };
}

function outcome(result: Extracted | undefined): string {
  if (result === undefined) return 'nothing';
  if ('reason' in result) return result.reason;
  const facts = decodeFacts(result.facts);
  return facts === undefined ? 'not readable' : describeFacts(facts, ['exports']).join();
}

/** Nothing warns of it: no bracket, and too deep for the parser's stack. It ends the process with a signal. */
const CRASHES = `x = ${'a ? b : '.repeat(50_000)}c`;

test('gives every file its facts, over several processes', async () => {
  const results = await extractAll(
    Array.from({ length: 100 }, (_, id) => source(id)),
    { size: 2 },
  );

  expect(results.size).toBe(100);
  for (const [id, result] of results) expect(outcome(result)).toBe(`export name${id} = name${id}`);
});

test('loses the files that crash the parser, and no other, and reports each process that ended', async () => {
  const hostile = new Set([1, 2, 3, 5]);
  const reports: string[] = [];
  const watch: Watch = {
    ended: (_, { reason }) => reports.push(reason),
    ready: () => reports.push('ready'),
  };

  const results = await extractAll(
    [0, 1, 2, 3, 4, 5, 6].map((id) => source(id, hostile.has(id) ? CRASHES : undefined)),
    { watch },
  );

  expect(reports.filter((report) => report === 'crashed')).toHaveLength(2 * hostile.size);
  expect(reports.at(-1)).toBe('ready');

  for (const id of [0, 4, 6]) expect(outcome(results.get(id))).toBe(`export name${id} = name${id}`);
  for (const id of hostile) expect(outcome(results.get(id))).toBe('the parser crashed or took too long');
});

test('kills a process at the deadline of one file', async () => {
  // Loading the parser for the first file takes longer.
  const reports: string[] = [];
  const watch: Watch = { ended: (_, { reason }) => reports.push(reason), ready: () => undefined };
  const results = await extractAll([source(0)], { deadlineMs: 1, watch });

  expect(reports).toEqual(['deadline', 'deadline']);
  expect(outcome(results.get(0))).toBe('the parser crashed or took too long');
});

test('a process that is given no processor is waited for', async () => {
  const results = await extractAll([source(0)], { deadlineMs: 1, processorMs: () => 0 });

  expect(outcome(results.get(0))).toBe('export name0 = name0');
});

test('says when a text is too deep', async () => {
  const results = await extractAll([source(0, `x = ${'['.repeat(30_000)}`)]);

  expect(outcome(results.get(0))).toBe('too deeply nested');
});

test('reads hostile texts without losing a process', async () => {
  const bytes = Uint8Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 256);
  const texts = [
    Buffer.from(bytes).toString(),
    Buffer.from('const caf\xe9 = 1;', 'latin1').toString(),
    '`${'.repeat(500),
    '"unterminated',
    '<<<<<<< HEAD\nconst a = 1;\n=======\nconst a = 2;\n>>>>>>> other\n',
    `x = [${'{ a: 1, b: "text" },'.repeat(100_000)}]`,
    '',
  ];

  const results = await extractAll(texts.map((text, id) => source(id, text)));

  for (const id of texts.keys()) expect(results.get(id)).toHaveProperty('facts');
});

test('runs its processes only as long as it is open', async () => {
  const pool = new ExtractorPool({ size: 2, deadlineMs: HANG_LIMIT_MS, onResult: () => undefined });
  pool.start();
  await pool.add(source(0));
  await pool.finish();
  expect(children()).toBe(2);

  pool.close();

  await expect.poll(children).toBe(0);
});

test('serves one run after another with the process that it has', async () => {
  using pool = new ExtractorPool({ size: 1, deadlineMs: HANG_LIMIT_MS });
  const runs: number[][] = [];
  const processes = new Set<number>();
  for (const id of [3, 5]) {
    const ids: number[] = [];
    runs.push(ids);
    pool.serve((extracted) => void ids.push(extracted.id));
    await pool.add(source(id));
    await pool.finish();
    for (const { pid } of extractorProcesses()) processes.add(pid);
  }

  expect(runs).toEqual([[3], [5]]);
  expect(processes.size).toBe(1);
});

test('needs little memory for languages whose scanner is one enormous function', async () => {
  const text = 'set -e\nlist() {\n  echo "$1" | grep x > /dev/null\n}\nif [ -f a ]; then list b; fi\n'.repeat(40);
  using pool = new ExtractorPool({ size: 1, deadlineMs: HANG_LIMIT_MS, onResult: () => undefined });

  for (let id = 0; id < 60; id += 1) await pool.add({ id, parser: 'bash', text });
  await pool.finish();

  // An optimised scanner is 600 MB.
  expect(Math.max(...extractorProcesses().map(({ memoryKb }) => memoryKb))).toBeLessThan(250_000);
});

/** Those that stay for all tests. */
const extractorProcesses = childProcessesFromNow('extractor-process');
const children = (): number => extractorProcesses().length;
