import { join } from 'node:path';
import { type Case, openGraders, readRows } from '../eval/graders.ts';
import { doJobs, jobsAt, type Spent, spent } from '../jobs/jobs.ts';
import type { PeerAnswers, Use } from './answers.ts';

/** Cases of usages that each program answers, spread over all of the repository. */
const MOST_CASES = 40;

/** Shares from 0 to 1, and tokens; absent where the program or the graders have nothing for the checkout. */
export interface Quality {
  usagesByFile?: number;
  usagesByLine?: number;
  deadPrecision?: number;
  deadRecall?: number;
  changelog?: number;
  jobs?: { right: number; of: number; tokens: number };
}

/** A checkout and what the graders know it by. */
export interface Graded {
  graders: string | undefined;
  /** `owner/name`, as far as its folder says so. */
  repository: string;
  commit: string;
  path: string;
}

/** Answers of a program, graded on the cases of the checkout. */
export async function gradePeer(answers: PeerAnswers, on: Graded): Promise<Quality> {
  const jobs = answers.job === undefined ? undefined : await gradeJobs(answers.job, on);
  return {
    ...(await gradeUsages(answers, on)),
    ...(await gradeDeadCode(answers, on)),
    ...(await gradeChangelog(answers, on)),
    ...(jobs !== undefined && { jobs }),
  };
}

/** Positions by path, of uses or of what neither helps nor harms. */
type Positions = Record<string, unknown[]>;

interface UsageCase extends Case {
  id: string;
  uses: Positions;
  imports: Positions;
  decls: Positions;
  unknown: Positions;
}

async function gradeUsages({ usages }: PeerAnswers, { graders, commit }: Graded): Promise<Quality> {
  if (usages === undefined || graders === undefined) return {};
  const task = await openGraders(graders, 'refs', (cases) => {
    const own = cases.filter(({ snapshot }) => snapshot === commit);
    const step = Math.max(1, Math.floor(own.length / MOST_CASES));
    return own.filter((_, at) => at % step === 0).slice(0, MOST_CASES);
  });
  if (task.gold.length === 0) return {};
  const answered = new Map<string, Use[]>();
  for (const input of await task.inputs()) answered.set(input.id, await usages(input));
  const hasLines = [...answered.values()].flat().some(({ line }) => line !== undefined);
  const refs = [...answered].map(([id, uses]) => ({
    id,
    refs: uses.flatMap(({ path, line }) => (line === undefined ? [] : [[path, line]])),
  }));
  const universe = readRows<{ snapshot: string; files: string[] }>(join(graders, 'data/dev/refs-universe.jsonl'));
  const files = new Set(universe.find(({ snapshot }) => snapshot === commit)?.files);
  const byFile = (task.gold as UsageCase[]).map((gold) => {
    const uses = answered.get(gold.id) ?? [];
    return scoreByFile(
      gold,
      uses.filter(({ path }) => files.has(path)),
    );
  });
  const byLine = hasLines ? (await task.grade(refs)).rows.map(({ v }) => v) : [];
  return { usagesByFile: meanOf(byFile), ...(hasLines && { usagesByLine: meanOf(byLine) }) };
}

/** F1 of the files with uses, of those that the graders looked at. Files that only import or declare the name neither help nor harm. */
function scoreByFile({ uses, imports, decls, unknown }: UsageCase, answered: readonly Use[]): number {
  const right = new Set(Object.keys(uses));
  const neutral = new Set([imports, decls, unknown].flatMap(Object.keys));
  const named = new Set(answered.map(({ path }) => path).filter((path) => right.has(path) || !neutral.has(path)));
  if (right.size + named.size === 0) return 1;
  return (2 * [...named].filter((path) => right.has(path)).length) / (right.size + named.size);
}

async function gradeDeadCode({ deadCode }: PeerAnswers, { graders, commit }: Graded): Promise<Quality> {
  if (deadCode === undefined || graders === undefined) return {};
  const select = (cases: readonly Case[]): readonly Case[] => cases.filter(({ snapshot }) => snapshot === commit);
  const task = await openGraders(graders, 'deadcode-exports', select);
  const [input] = await task.inputs();
  if (input === undefined) return {};
  const { figures } = await task.grade([{ id: input.id, symbols: await deadCode() }]);
  return { deadPrecision: figures['strictPrecision'] ?? 0, deadRecall: figures['deadRecall'] ?? 0 };
}

async function gradeChangelog({ changelog }: PeerAnswers, { graders, repository }: Graded): Promise<Quality> {
  if (changelog === undefined || graders === undefined) return {};
  const task = await openGraders(graders, 'changelog', (cases) => cases.filter(({ repo }) => repo === repository));
  const inputs = await task.inputs();
  if (inputs.length === 0) return {};
  const entries = [];
  for (const { id, from = '', to = '' } of inputs) entries.push({ id, entries: await changelog(from, to) });
  return { changelog: (await task.grade(entries)).figures['f1'] ?? 0 };
}

/** Jobs of `lab/jobs` by one call of the program for each call of svc; a job without one is not right. */
async function gradeJobs(ask: NonNullable<PeerAnswers['job']>, { commit }: Graded): Promise<Quality['jobs']> {
  const jobs = jobsAt(commit);
  if (jobs === undefined) return undefined;
  const done: Spent[] = [];
  for (const job of jobs) {
    const exchanges: [string, string][] = [];
    for (const [, args] of job.calls) exchanges.push([JSON.stringify(args), (await ask(args)) ?? '']);
    done.push(spent(job, exchanges));
  }
  return sumOf(done);
}

function sumOf(done: readonly Spent[]): Quality['jobs'] {
  return {
    right: done.filter(({ lacks }) => lacks.length === 0).length,
    of: done.length,
    tokens: done.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

/** The jobs by svc, and by git and reading files. */
export async function jobsOfSvc({ path, commit }: Graded, svc: readonly string[]): Promise<Quality['jobs'][]> {
  if (jobsAt(commit) === undefined) return [];
  const done = await doJobs(path, svc);
  return [sumOf(done.map(({ service }) => service)), sumOf(done.map(({ commands }) => commands))];
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
