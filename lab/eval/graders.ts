import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EvalInput } from './answers.ts';

const SPLIT = 'dev';

/** Result of a grader: one line for people, and the headline figure of each case (0 to 1). */
interface Graded {
  line: string;
  rows: { id: string; v: number }[];
  figures: Record<string, number>;
}

/** A task of the graders, reduced to the repositories that they have. */
export interface Task {
  name: string;
  /** Repositories that are not on this machine. */
  absent: string[];
  inputs: () => Promise<EvalInput[]>;
  /** The cases with their answers. */
  gold: readonly unknown[];
  grade: (predictions: readonly unknown[]) => Promise<Graded>;
  /** Returns what stored results report of other systems, over all repositories. */
  baselines: () => string[];
}

/** A task as the graders export it. */
interface ForeignTask {
  prepare: (gold: readonly unknown[], split: string) => Promise<EvalInput[]> | EvalInput[];
  grade: (gold: readonly unknown[], predictions: readonly unknown[], split: string) => Promise<Graded> | Graded;
}

/** The part of a case that says of which repository it is. */
export interface Case {
  repo: string;
  snapshot?: string;
  from?: string;
  to?: string;
}

/**
 * Loads a task from the folder of the graders, with all cases or those of a selection.
 *
 * @throws Error when the folder is not theirs.
 */
export async function openGraders(
  folder: string,
  name: string,
  select: (cases: readonly Case[]) => readonly Case[] = (cases) => cases,
): Promise<Task> {
  // Search runs over sources without their documentation: the graders make such trees on request.
  process.env['EVAL_STRIPPED'] = '1';
  const { TASKS } = (await import(pathToFileURL(join(folder, 'eval.ts')).href)) as {
    TASKS: Record<string, ForeignTask | undefined>;
  };
  const { hasRepo } = (await import(pathToFileURL(join(folder, 'lib/git.ts')).href)) as {
    hasRepo: (repo: string) => boolean;
  };
  const foreign = TASKS[name];
  if (foreign === undefined) throw new Error(`The graders in ${folder} have no task ${name}.`);
  const all = readRows<Case>(join(folder, 'data', SPLIT, `${name}.jsonl`));
  const gold = select(all.filter(({ repo }) => hasRepo(repo)));
  const absent = [...new Set(all.filter(({ repo }) => !hasRepo(repo)).map(({ repo }) => repo))];
  return {
    name,
    absent,
    gold,
    inputs: async () => foreign.prepare(gold, SPLIT),
    grade: async (predictions) => foreign.grade(gold, predictions, SPLIT),
    baselines: () => baselinesOf(join(folder, 'results/baselines.jsonl'), name),
  };
}

function baselinesOf(file: string, name: string): string[] {
  if (!existsSync(file)) return [];
  const rows = readRows<{ task: string; split: string; system: string } & Record<string, unknown>>(file);
  return rows
    .filter(({ task, split }) => task === name && split === SPLIT)
    .map(({ task: _task, split: _split, system, ...figures }) => {
      const listed = Object.entries(figures).map(([figure, value]) => `${figure}=${String(value)}`);
      return `${system}: ${listed.join(' ')}`;
    });
}

/** The rows of a file of lines of JSON. */
export function readRows<Row>(file: string): Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row);
}
