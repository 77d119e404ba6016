import { Client, SSEClientTransport } from '@modelcontextprotocol/client';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tokensOf } from '../../src/kernel/budget.ts';
import { percentile } from '../measure.ts';
import type { Row } from '../report.ts';
import { startService } from '../service-child.ts';
import { hasCommit, sourceAt } from '../source.ts';
import repositories from './jobs.json' with { type: 'json' };

/** Arguments of a call, of which other programs understand these. */
export interface JobArguments {
  action: string;
  query?: string;
  path?: string;
  depth?: number;
}

/** A question, the commands and calls that answer it, and what an answer must contain. */
export interface Job {
  question: string;
  calls: [tool: string, args: JobArguments][];
  /** Lines for a shell in a checkout. */
  commands: string[];
  needs: string[];
}

/** Calls of a job, and the tokens sent and read. */
export interface Spent {
  calls: number;
  tokens: number;
  /** Facts that the answer needs and that were not shown. */
  lacks: string[];
}

export interface DoneJob {
  repository: string;
  question: string;
  service: Spent;
  commands: Spent;
}

/** A program that reads files cuts what it gives a model at about this many characters. */
const LONGEST_OUTPUT = 100_000;

/**
 * Does the jobs of jobs.json that are about a repository twice: with the operations of the service over MCP, and with git and
 * reading files as a careful agent would. Counts what goes to the model and back, as tokens, and the calls.
 *
 * @throws Error when the repository has none of the commits that jobs.json names.
 */
export async function doJobs(path: string, svc?: readonly string[]): Promise<DoneJob[]> {
  const { gitDir } = sourceAt(path);
  const entry = repositories.find(({ commit }) => hasCommit(gitDir, commit));
  if (entry === undefined) throw new Error(`${path} has none of the commits of jobs.json.`);
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-jobs-'));
  try {
    const checkout = checkedOut(gitDir, entry.commit, join(folder, entry.repository.split('/').at(-1) ?? ''));
    return await jobsOf({ repository: entry.repository, checkout, svc }, entry.jobs as unknown as Job[]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A checkout of the commit that borrows the objects of the repository. Gives its folder. */
function checkedOut(gitDir: string, commit: string, folder: string): string {
  execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', gitDir, folder]);
  execFileSync('git', ['-C', folder, '-c', 'advice.detachedHead=false', 'checkout', '--quiet', commit]);
  return folder;
}

/** The jobs about the repository with this commit. */
export function jobsAt(commit: string): readonly Job[] | undefined {
  return repositories.find((entry) => entry.commit === commit)?.jobs as unknown as Job[] | undefined;
}

async function jobsOf(
  { repository, checkout, svc }: { repository: string; checkout: string; svc: readonly string[] | undefined },
  jobs: readonly Job[],
): Promise<DoneJob[]> {
  const service = await startService(checkout, svc);
  const client = new Client({ name: 'bench', version: '1.0.0' });
  try {
    const headers = { Authorization: `Bearer ${service.keys[0] ?? ''}` };
    await client.connect(new SSEClientTransport(new URL('/v1/mcp/sse', service.url), { requestInit: { headers } }));
    const done: DoneJob[] = [];
    for (const job of jobs) {
      const byService: [string, string][] = [];
      for (const [name, args] of job.calls)
        byService.push([JSON.stringify(args), await textOf(client, { name, args })]);
      const byCommands = job.commands.map((line): [string, string] => [line, outputOf(checkout, line)]);
      done.push({
        repository,
        question: job.question,
        service: spent(job, byService),
        commands: spent(job, byCommands),
      });
    }
    return done;
  } finally {
    await client.close();
    await service.stop();
  }
}

async function textOf(client: Client, { name, args }: { name: string; args: object }): Promise<string> {
  const answer = await client.callTool({ name, arguments: { ...args } });
  const [first] = answer.content as { text?: string }[];
  return first?.text ?? '';
}

/** Returns what a shell prints for a line; a `grep` without matches exits with an error. */
function outputOf(folder: string, line: string): string {
  try {
    return execFileSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8', maxBuffer: 1e9, stdio: 'pipe' }).slice(
      0,
      LONGEST_OUTPUT,
    );
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? '';
  }
}

/** What a job took: what was sent and read, and what it lacks. */
export function spent({ needs }: Pick<Job, 'needs'>, exchanges: readonly [sent: string, read: string][]): Spent {
  const read = exchanges.map(([, text]) => text).join('\n');
  const tokens = exchanges.reduce((sum, [sent, text]) => sum + tokensOf(sent) + tokensOf(text), 0);
  return { calls: exchanges.length, tokens, lacks: needs.filter((need) => !read.includes(need)) };
}

/** Each job as its share of the tokens that git and files take, and the figures of all. */
export function jobRows(done: readonly DoneJob[]): Row[] {
  const shares = done.map(({ service, commands }) => service.tokens / commands.tokens);
  const rows = done.map(({ repository, question, service, commands }, at): Row => {
    const lacks = [
      ...service.lacks.map((need) => `lacks ${need}`),
      ...commands.lacks.map((need) => `git lacks ${need}`),
    ];
    const figures = `${service.tokens} of ${commands.tokens} tokens, ${service.calls} calls of ${commands.calls}`;
    const note = [figures, ...lacks].join('; ');
    return { topic: repository, name: question, value: shares[at], unit: 'of the tokens', note };
  });
  const sum = (figure: (job: DoneJob) => number): number => done.reduce((total, job) => total + figure(job), 0);
  const tokens = sum(({ service }) => service.tokens) / sum(({ commands }) => commands.tokens);
  const calls = sum(({ service }) => service.calls) / sum(({ commands }) => commands.calls);
  const lacking = done.filter(({ service }) => service.lacks.length > 0).length;
  const topic = `${done.length} jobs`;
  return [
    ...rows,
    { topic, name: 'median', value: percentile(shares, 0.5), unit: 'of the tokens', goal: '<= 0.5' },
    { topic, name: 'most', value: Math.max(...shares), unit: 'of the tokens', goal: '<= 1.2' },
    { topic, name: 'over 1.2', value: shares.filter((share) => share > 1.2).length, unit: 'jobs', goal: '0' },
    { topic, name: 'all together', value: tokens, unit: 'of the tokens' },
    { topic, name: 'all together', value: calls, unit: 'of the calls' },
    { topic, name: 'answers that lack something', value: lacking, unit: 'jobs', goal: '0' },
  ];
}
