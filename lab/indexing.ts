import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeIndexResult } from '../src/code-index/code-index.ts';
import type { BlobStore } from '../src/platform/blobs.ts';
import type { ShardRef } from '../src/indexes/shards/shards.ts';
import { runIndexProcess } from '../src/worker/index-process.ts';
import { type Cost, measureCost, median } from './measure.ts';
import type { Row } from './report.ts';
import { checkOut, type Source } from './source.ts';

const ROUNDS = 3;
const TOPIC = 'index';

/** Store for shards, and a folder for everything else. */
export interface Workspace {
  folder: string;
  blobs: BlobStore;
}

/** A built index: what was counted while it was built, its shard, and what the build cost. */
interface Built {
  code: CodeIndexResult;
  shard: ShardRef;
  history: { file: string; sizeBytes: number; commits: number };
  cost: Cost;
  stages: Record<string, number>;
}

/**
 * Full indexes of a commit (cold and with known facts) beside `ctags -R` and `git log` of the same commit, three rounds
 * taking turns; then one index after one more commit. Gives the rows and the last shard.
 */
export async function benchIndexing(
  workspace: Workspace,
  source: Source,
): Promise<{ rows: Row[]; shard: ShardRef; sourceBytes: number }> {
  const tree = join(workspace.folder, 'tree');
  const sourceBytes = await checkOut(source, tree);
  const references: Reference[] = [
    { name: 'ctags -R', command: ['ctags', '-R', '-f', join(workspace.folder, 'tags'), tree] },
    { name: 'git log', command: ['git', `--git-dir=${source.gitDir}`, 'log', source.commit] },
    {
      name: 'git log --numstat',
      command: ['git', `--git-dir=${source.gitDir}`, 'log', '--numstat', '--find-renames', source.commit],
    },
  ];
  const costs = new Map<string, Cost[]>();
  const keep = (name: string, cost: Cost | undefined): void => {
    if (cost !== undefined) costs.set(name, [...(costs.get(name) ?? []), cost]);
  };
  let cold: Built | undefined;
  let warm: Built | undefined;
  // Everything once unmeasured: files come into memory, and compiled code into its cache.
  await build(workspace, source, mkdtempSync(join(workspace.folder, 'facts-')));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, command } of references) keep(name, await runQuietly(command));
    const facts = mkdtempSync(join(workspace.folder, 'facts-'));
    cold = await build(workspace, source, facts);
    keep('cold', cold.cost);
    warm = await build(workspace, source, facts);
    keep('warm', warm.cost);
  }
  if (cold === undefined || warm === undefined) throw new Error('no round was run');
  const rows = [
    ...sizeRows(cold, sourceBytes),
    ...timeRows(costs, { lines: cold.code.lines, bytes: sourceBytes }),
    ...stageRows('cold', cold),
    ...stageRows('known facts', warm),
    ...(await incrementalRows(workspace, source)),
  ];
  rmSync(tree, { recursive: true });
  return { rows, shard: warm.shard, sourceBytes };
}

/** Builds one index, unmeasured, for the queries. */
export async function indexOnce(
  workspace: Workspace,
  source: Source,
): Promise<{ shard: ShardRef; sourceBytes: number }> {
  const tree = join(workspace.folder, 'tree');
  const sourceBytes = await checkOut(source, tree);
  rmSync(tree, { recursive: true });
  const { shard } = await build(workspace, source, mkdtempSync(join(workspace.folder, 'facts-')));
  return { shard, sourceBytes };
}

/** One index as the service makes it: two processes, then both shards into the blob store. */
async function build(
  { folder, blobs }: Workspace,
  { gitDir, commit }: Pick<Source, 'gitDir' | 'commit'>,
  facts: string,
  previous?: Built,
): Promise<Built> {
  const { signal } = new AbortController();
  const stages: Record<string, number> = {};
  const target = mkdtempSync(join(folder, 'run-'));
  const { result, cost } = await measureCost(async () => {
    const startedAt = performance.now();
    const secondsNow = (): number => (performance.now() - startedAt) / 1000;
    const since = (stage: string): number => (stages[stage] ??= secondsNow());
    const [code, history] = await Promise.all([
      runIndexProcess(
        {
          kind: 'code',
          gitDir,
          commit,
          factsCache: join(facts, 'facts.db'),
          targetFile: join(target, 'code.db'),
          repository: 'bench',
          ...(previous === undefined ? {} : { previousFile: await blobs.path(previous.shard.hash) }),
        },
        { signal, onProgress: ({ stage }) => since(stage) },
      ).finally(() => since('code done')),
      runIndexProcess(
        {
          kind: 'history',
          gitDir,
          commit,
          targetFile: join(target, 'history.db'),
          ...(previous === undefined ? {} : { previousFile: previous.history.file }),
        },
        { signal, onProgress: () => undefined },
      ).finally(() => since('history done')),
    ]);
    since('publish');
    const shard = await blobs.put(join(target, 'code.db'));
    const past = await blobs.put(join(target, 'history.db'));
    return { code, commits: history.commits, shard, past };
  });
  const { code, commits, shard, past } = result;
  const history = { file: await blobs.path(past.hash), sizeBytes: past.sizeBytes, commits };
  rmSync(target, { recursive: true });
  return { code, shard, history, cost, stages };
}

interface Reference {
  name: string;
  command: readonly [string, ...string[]];
}

/** Runs a program without looking at what it says; undefined when it is not there. */
async function runQuietly([program, ...args]: Reference['command']): Promise<Cost | undefined> {
  try {
    const { cost } = await measureCost(
      () =>
        new Promise<void>((resolve, reject) => {
          const child = spawn(program, args, { stdio: 'ignore' });
          child.on('error', reject);
          child.on('close', () => resolve());
        }),
    );
    return cost;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function sizeRows({ code, shard, history }: Built, sourceBytes: number): Row[] {
  const languages = Object.entries(code.languages).slice(0, 3);
  return [
    {
      ...row('lines', code.lines, ''),
      note: languages.map(([name, share]) => `${name} ${Math.round(share * 100)} %`).join(', '),
    },
    { ...row('files', code.files, ''), note: `${code.parsed} parsed, ${code.failed} failed` },
    row('symbols', code.symbols, ''),
    row('commits', history.commits, ''),
    row('source', sourceBytes / 1e6, 'MB'),
    row('code shard', shard.sizeBytes / 1e6, 'MB'),
    row('code shard / source', shard.sizeBytes / sourceBytes, 'x'),
    row('history shard', history.sizeBytes / 1e6, 'MB'),
  ];
}

const row = (name: string, value: number, unit: string): Row => ({ topic: TOPIC, name, value, unit });

function timeRows(costs: ReadonlyMap<string, Cost[]>, { lines, bytes }: { lines: number; bytes: number }): Row[] {
  const seconds = (name: string): number | undefined => medianOf(costs.get(name), (cost) => cost.seconds);
  const cold = seconds('cold') ?? 0;
  const rows: Row[] = [];
  for (const name of ['ctags -R', 'git log', 'git log --numstat']) {
    const value = seconds(name);
    rows.push({
      topic: TOPIC,
      name,
      value,
      unit: 's',
      ...(value === undefined && { note: 'the program is not installed' }),
    });
  }
  for (const [name, key] of [
    ['full index', 'cold'],
    ['full index, known facts', 'warm'],
  ] as const) {
    const all = costs.get(key);
    rows.push({ topic: TOPIC, name, value: seconds(key), unit: 's' });
    rows.push({ topic: TOPIC, name: `${name}: processor`, value: medianOf(all, (cost) => cost.cpuSeconds), unit: 's' });
    const peak = medianOf(all, (cost) => cost.peakBytes);
    rows.push({
      topic: TOPIC,
      name: `${name}: peak memory`,
      value: peak === undefined ? peak : peak / 1e6,
      unit: 'MB',
      note: 'all processes',
    });
  }
  const ratio = (name: string): number | undefined => {
    const reference = seconds(name);
    return reference === undefined ? undefined : cold / reference;
  };
  rows.push(
    {
      topic: TOPIC,
      name: 'full index / ctags -R',
      value: ratio('ctags -R'),
      unit: 'x',
      goal: '<= 3 TypeScript, <= 10 Python',
    },
    { topic: TOPIC, name: 'full index / git log --numstat', value: ratio('git log --numstat'), unit: 'x' },
    { topic: TOPIC, name: 'speed', value: lines / cold, unit: 'lines/s', goal: '>= 60,000 on 4 cores' },
    { topic: TOPIC, name: 'speed', value: bytes / 1e6 / cold, unit: 'MB/s' },
  );
  return rows;
}

function medianOf(costs: readonly Cost[] | undefined, pick: (cost: Cost) => number | undefined): number | undefined {
  const values = (costs ?? []).map(pick).filter((value) => value !== undefined);
  return values.length === 0 ? undefined : median(values);
}

/** Returns the start of each stage of the last round, and the time when both halves were done. */
function stageRows(kind: string, { stages, cost }: Built): Row[] {
  const order = Object.entries(stages).toSorted(([, a], [, b]) => a - b);
  const note = order.map(([name, at]) => `${name} ${at.toFixed(2)}`).join(', ');
  return [{ topic: TOPIC, name: `stages, ${kind}`, value: cost.seconds, unit: 's', note }];
}

/** The parent of the commit first, then the commit: what one push costs. */
async function incrementalRows(workspace: Workspace, { gitDir, commit, parent }: Source): Promise<Row[]> {
  if (parent === undefined) return [];
  const facts = mkdtempSync(join(workspace.folder, 'facts-'));
  const before = await build(workspace, { gitDir, commit: parent }, facts);
  const { code, cost } = await build(workspace, { gitDir, commit }, facts, before);
  return [
    {
      topic: TOPIC,
      name: 'after one commit',
      value: cost.seconds,
      unit: 's',
      note: `${code.parsed} parsed, ${code.reused} reused, ${code.resolved} resolved${code.anew === undefined ? '' : ', made anew'}`,
    },
  ];
}
