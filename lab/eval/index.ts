import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ANSWERS, type EvalContext, type EvalInput } from './answers.ts';
import { BugCases } from './answers-bugs.ts';
import { PlanCases } from './answers-plans.ts';
import { evaluateBriefs } from './evidence.ts';
import { openGraders, type Task } from './graders.ts';
import { IndexedSnapshots } from './snapshots.ts';

const USAGE = `EVAL_DIR=<folder of the graders> npm run eval [-- [--exact] [--misses <count>] [--out <folder>] <task> ...]

Answers the development cases of tasks, all of these when none is given, and prints one line a task: ours, then each
baseline. ${Object.keys(ANSWERS).join(', ')}; and evidence, which asks a service.

The graders are a package of their own and lie outside this project; repositories they cannot find are left out and
named. --misses prints the worst answers of each repository. --exact runs the exact pass over every snapshot first.`;

const { values, positionals } = parseArgs({
  options: {
    exact: { type: 'boolean', default: false },
    misses: { type: 'string' },
    out: { type: 'string' },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
});
const folder = process.env['EVAL_DIR'];
/** Not a task of the graders of code: it asks a service. */
const EVIDENCE = 'evidence';
const tasks = positionals.length > 0 ? positionals : Object.keys(ANSWERS);
const unknown = tasks.filter((task) => task !== EVIDENCE && !(task in ANSWERS));
if (values.help === true || folder === undefined || folder === '' || unknown.length > 0) {
  console.log(USAGE);
  process.exitCode = values.help === true ? 0 : 1;
} else if (tasks.includes(EVIDENCE)) await evaluateBriefs(folder);
else await main(folder);

async function main(graders: string): Promise<void> {
  // As bin/svc.mjs sets it for the service: what was compiled is kept.
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../node_modules/.cache/compile');
  const workspace = mkdtempSync(join(tmpdir(), 'svc-eval-index-'));
  try {
    await using snapshots = await IndexedSnapshots.open({
      folder: workspace,
      graders,
      isExact: values.exact,
      hasRemovedExports: tasks.includes('changelog'),
    });
    await using plans = new PlanCases();
    await using bugs = new BugCases();
    for (const name of tasks) {
      const [cases = name] = name.split('@');
      await run(name, await openGraders(graders, cases), { snapshots, plans, bugs });
    }
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

async function run(name: string, task: Task, context: EvalContext): Promise<void> {
  const answer = ANSWERS[name];
  if (answer === undefined) throw new Error(`there is no task ${name}`);
  const predictions: { id: string }[] = [];
  const times: number[] = [];
  for (const input of await task.inputs()) {
    // Of a plan, the snapshot at which it is read.
    const index = await context.snapshots.of({ ...input, snapshot: input.snapshot ?? input.to });
    const startedAt = performance.now();
    predictions.push({ id: input.id, ...(await answer(index, input, context)) });
    times.push(performance.now() - startedAt);
  }
  if (values.out !== undefined) {
    mkdirSync(values.out, { recursive: true });
    const lines = predictions.map((prediction) => `${JSON.stringify(prediction)}\n`).join('');
    writeFileSync(join(values.out, `${name}.jsonl`), lines);
  }
  const graded = await task.grade(predictions);
  const mean = times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length);
  console.log(`${name} ours: ${graded.line} | ${mean.toFixed(1)} ms a case`);
  for (const baseline of task.baselines()) console.log(`${task.name} baseline ${baseline}`);
  if (task.absent.length > 0) console.log(`${task.name}: not here, left out: ${task.absent.join(', ')}`);
  for (const [repository, rows] of Map.groupBy(graded.rows, ({ id }) => repositoryOf(id))) {
    const score = rows.reduce((sum, { v }) => sum + v, 0) / rows.length;
    console.log(`  ${repository.padEnd(32)} n=${rows.length} ${(100 * score).toFixed(1)}`);
    const worst = rows.toSorted((a, b) => a.v - b.v).slice(0, Number(values.misses ?? 0));
    for (const { id, v } of worst) console.log(`    ${v.toFixed(2)} ${id}`);
  }
}

/** Ids are `<task>:<owner/name>:<place>`. */
function repositoryOf(id: EvalInput['id']): string {
  return id.split(':')[1] ?? '';
}
