import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CodeIndexResult } from '../src/code-index/code-index.ts';
import { shardDifferences } from '../src/testing/shard-content.ts';
import { runIndexProcess } from '../src/worker/index-process.ts';
import { measureCost, median } from './measure.ts';
import { sourceAt } from './source.ts';

const USAGE = `node lab/updates.ts [--commits 30] [--before <commit>] [--spans 10,100,1000] <git repository> ...

Replays the last commits of repositories, or those before a commit: after each, the code shard is made from the one
before and made anew, each in a process of its own, and both are compared row by row. The repositories are only read.
With --spans so many commits are one update each, and the processor time of both ways is told.`;

// As bin/svc.mjs sets it for the service: what was compiled is kept.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../node_modules/.cache/compile');

const { values, positionals } = parseArgs({
  options: {
    commits: { type: 'string', default: '30' },
    before: { type: 'string', default: 'HEAD' },
    spans: { type: 'string' },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
});
if (values.help === true || positionals.length === 0) console.log(USAGE);
else for (const path of positionals) await (values.spans === undefined ? replay(path) : leap(path, values.spans));

/** One run of an indexing process. */
interface Timed {
  result: CodeIndexResult;
  seconds: number;
  /** Start of each stage. */
  stages: Record<string, number>;
}

/** Makes the shard of a commit from those of commits before it, the nearest first, and anew, and prints what each costs. */
async function leap(path: string, spans: string): Promise<void> {
  const { name, gitDir } = sourceAt(path);
  const list = ['--git-dir', gitDir, 'rev-list', '--first-parent', values.before];
  const commits = execFileSync('git', list, { encoding: 'utf8', maxBuffer: 1e9 }).trim().split('\n');
  const [commit = ''] = commits;
  console.log(`${name}: commits, changed files of all, resolved, processor s of the update and anew`);
  for (const span of spans.split(',').map(Number)) {
    const from = commits[span];
    if (from === undefined) continue;
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
    try {
      await index({ folder, gitDir, commit: from, shard: 'base' });
      copyFileSync(join(folder, 'facts.db'), join(folder, 'facts-before.db'));
      const previousFile = join(folder, 'base');
      const update = await measureCost(() => index({ folder, gitDir, commit, shard: 'updated', previousFile }));
      renameSync(join(folder, 'facts-before.db'), join(folder, 'facts.db'));
      const anew = await measureCost(() => index({ folder, gitDir, commit, shard: 'whole' }));
      const { result } = update.result;
      const changed = execFileSync('git', ['--git-dir', gitDir, 'diff', '--no-renames', '--name-only', from, commit]);
      const counts = [span, `${changed.toString().trim().split('\n').length} of ${result.files}`, result.resolved];
      const costs = [update.cost.cpuSeconds?.toFixed(2), anew.cost.cpuSeconds?.toFixed(2), result.anew ?? ''];
      console.log(`  ${[...counts, ...costs].join(', ')}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function replay(path: string): Promise<void> {
  const { name, gitDir } = sourceAt(path);
  const list = ['--git-dir', gitDir, 'rev-list', '--first-parent', `--max-count=${Number(values.commits) + 1}`];
  const commits = execFileSync('git', [...list, values.before], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .toReversed();
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const updates: Timed[] = [];
  const wholes: Timed[] = [];
  let different = 0;
  try {
    await index({ folder, gitDir, commit: commits[0] ?? '', shard: 'base' });
    for (const commit of commits.slice(1)) {
      const update = await index({ folder, gitDir, commit, shard: 'updated', previousFile: join(folder, 'base') });
      wholes.push(await index({ folder, gitDir, commit, shard: 'whole' }));
      if (update.result.anew === undefined) updates.push(update);
      const differences = shardDifferences(join(folder, 'updated'), join(folder, 'whole'));
      if (differences.length > 0) console.log(commit, differences.join('\n'));
      different += Math.min(1, differences.length);
      renameSync(join(folder, 'updated'), join(folder, 'base'));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const anew = commits.length - 1 - updates.length;
  console.log(
    `${name}: ${updates.length} updates, ${anew} made anew, ${different} differ, load ${loadavg()[0]?.toFixed(1)}`,
  );
  console.log(`  update, s       ${spread(updates.map(({ seconds }) => seconds))}`);
  console.log(`  made anew, s    ${spread(wholes.map(({ seconds }) => seconds))}`);
  console.log(
    `  files resolved  ${spread(updates.map(({ result }) => result.resolved))} of ${wholes.at(-1)?.result.resolved}`,
  );
  for (const stage of ['list', 'extract', 'resolve', 'write'])
    console.log(`  ${stage} began at  ${spread(updates.flatMap(({ stages }) => stages[stage] ?? []))}`);
}

async function index(at: {
  folder: string;
  gitDir: string;
  commit: string;
  shard: string;
  previousFile?: string;
}): Promise<Timed> {
  const { folder, shard, ...task } = at;
  const startedAt = performance.now();
  const secondsNow = (): number => (performance.now() - startedAt) / 1000;
  const stages: Record<string, number> = {};
  const result = await runIndexProcess(
    {
      kind: 'code',
      ...task,
      factsCache: join(folder, 'facts.db'),
      targetFile: join(folder, shard),
      repository: 'bench',
    },
    { signal: new AbortController().signal, onProgress: ({ stage }) => void (stages[stage] ??= secondsNow()) },
  );
  return { result, seconds: secondsNow(), stages };
}

/** Median and 95th percentile. */
function spread(numbers: readonly number[]): string {
  if (numbers.length === 0) return '-';
  const p95 = numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * 0.95)] ?? 0;
  return `p50 ${Number(median([...numbers]).toFixed(2))}, p95 ${Number(p95.toFixed(2))}`;
}
