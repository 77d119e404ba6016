import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import { visible } from '../kernel/visible.ts';
import { ownCommand } from './own-command.ts';
import type { Client } from './client.ts';
import type { PlanCommandTools } from './commands-plan.ts';

/** Fields that the command reads of an analysis; of one that has just begun only `run`. */
interface BugJson {
  suspects?: {
    path: string;
    symbol: string;
    lines: [number, number];
    score: number;
    evidence: { kind: string; id: string; says: string }[];
  }[];
  suspect_commits?: { sha: string; subject: string; author: string; date: string; why: string }[];
  hypotheses?: { statement: string; probability: number; against: string[]; test: string }[];
  similar_fixes?: { id: string; subject: string; date: string }[];
  plan?: { steps: string[] };
  coverage?: { gaps: string[] };
  run: { id: string; state: string; stage: string; pct: number };
}

interface BugFlags {
  repo?: string;
  since?: string;
  path?: string[];
  run?: string;
}

/** The most that the workflow takes, for people who do not count tokens. */
const MOST_TOKENS = 20_000;
const STANDARD_INPUT = 0;

/** `svc bug <report>`. */
export function addBugCommand<Flags>(program: Command, tools: PlanCommandTools<Flags>): void {
  const { cwd, common, repositoryHere, show, withClient } = tools;
  common(program.command('bug'))
    .argument(
      '[report]',
      'the report itself, or a file with it, with a trace or with the output of a test; - for standard input',
    )
    .description('Find what a bug report points at: suspects, commits, hypotheses and a plan')
    .option('--repo <name>', 'name or id; default: the one of the checkout, or the only one')
    .option('--since <ref>', 'the last good tag, commit or date')
    .option('--path <paths...>', 'suspect only these files, folders or globs')
    .option('--run <id>', 'read an analysis again')
    .action((report: string | undefined, flags: Flags & BugFlags) =>
      withClient(flags, async (client) => {
        const { since, path: paths, run } = flags;
        const repo = run === undefined ? await repositoryHere(client, { repo: flags.repo }) : flags.repo;
        const text = run === undefined ? readReport(cwd, report) : undefined;
        const analysis = await analyse(client, {
          ...(text !== undefined && { report: text }),
          ...(run !== undefined && { run_id: run }),
          ...(repo !== undefined && { repo }),
          ...(since !== undefined && { since }),
          ...(paths !== undefined && { paths }),
        });
        show(flags, analysis, () => bugText(analysis));
      }),
    );
}

/** Waits until the run has ended, however long that takes. */
async function analyse(client: Client, given: Record<string, unknown>): Promise<BugJson> {
  const ask = (args: Record<string, unknown>): Promise<BugJson> =>
    client.send<BugJson>('POST', '/v1/tools/run_bugAnalysisWorkflow', { ...args, max_tokens: MOST_TOKENS });
  let analysis = await ask(given);
  while (analysis.run.state === 'running') analysis = await ask({ run_id: analysis.run.id });
  return analysis;
}

/**
 * The text of a report: what a file or standard input holds, or the argument itself when it is a sentence and no file.
 *
 * @throws ServiceError `bad_argument` when there is nothing to read.
 */
export function readReport(cwd: string, report: string | undefined): string {
  const fix = `Name a file, write the report in quotation marks, or use - for standard input: ${ownCommand('bug report.txt')}`;
  if (report === undefined) throw new ServiceError('bad_argument', 'There is no report.', { fix });
  try {
    return readFileSync(report === '-' ? STANDARD_INPUT : resolve(cwd, report), 'utf8');
  } catch (cause) {
    if (/\s/.test(report.trim())) return report;
    throw new ServiceError('bad_argument', `${report} cannot be read.`, { fix, cause });
  }
}

function suspectLines({ path, symbol, lines, score, evidence }: NonNullable<BugJson['suspects']>[number]): string[] {
  return [
    `${score.toFixed(2)} ${symbol === '' ? path : `${path}:${lines[0]} ${symbol}`}`,
    ...evidence.slice(0, 2).map(({ says, id }) => `    ${says} (${id})`),
  ];
}

/** A title and its lines; nothing where there are none. */
function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [[title, ...lines.map((line) => `  ${visible(line)}`)].join('\n')];
}

/** An analysis as people read it in a terminal. */
export function bugText({
  suspects = [],
  suspect_commits: commits = [],
  hypotheses = [],
  similar_fixes: fixes = [],
  plan = { steps: [] },
  coverage = { gaps: [] },
  run,
}: BugJson): string {
  return [
    ...part('Functions', suspects.filter(({ symbol }) => symbol !== '').flatMap(suspectLines)),
    ...part('Files', suspects.filter(({ symbol }) => symbol === '').flatMap(suspectLines)),
    ...part(
      'Commits',
      commits.map(({ sha, date, author, subject, why }) => `${sha.slice(0, 7)} ${date} ${author}: ${subject} (${why})`),
    ),
    ...part(
      'Hypotheses',
      hypotheses.flatMap(({ statement, probability, against, test }) => [
        `${percent(probability)} ${statement}`,
        ...against.map((reason) => `    against: ${reason}`),
        `    ${test}`,
      ]),
    ),
    ...part(
      'Similar fixes',
      fixes.map(({ id, date, subject }) => `${id} ${date} ${subject}`),
    ),
    ...part(
      'Plan',
      plan.steps.map((step, at) => `${at + 1}. ${step}`),
    ),
    ...part('Not known', coverage.gaps),
    run.state === 'done' ? `Read it again: ${ownCommand(`bug --run ${run.id}`)}` : `${run.id} was ${run.state}.`,
  ].join('\n\n');
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`.padStart(4);
}
