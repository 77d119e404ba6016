import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gridOf, showNumber } from '../report.ts';
import { checkOut, sourceAt } from '../source.ts';
import { type Peer, PEERS } from './programs.ts';
import {
  type Command,
  type Installed,
  install,
  measureRun,
  problemIn,
  type RunResult,
  runProgram,
  type Subject,
} from './run.ts';
import { type Graded, gradePeer, jobsOfSvc, type Quality } from './quality.ts';

/** The line of a program in the table. */
export interface Line {
  program: string;
  costs: Partial<Record<'index' | 'query' | 'update', RunResult>>;
  /** Of its index. */
  bytes: number;
  quality: Quality;
  problem?: string;
}

export interface PeersOptions {
  scratch?: string | undefined;
  names?: readonly string[] | undefined;
  /** Folder of the graders of usages, dead code and changelogs. */
  graders?: string | undefined;
}

/** Installs the peers into a scratch folder, runs all of them on a checkout, svc too, and returns the table. */
export async function benchPeers(path: string, { scratch, names, graders }: PeersOptions): Promise<string> {
  const folder = scratch ?? mkdtempSync(join(tmpdir(), 'svc-peers-'));
  const work = mkdtempSync(join(tmpdir(), 'svc-peers-tree-'));
  const { name, commit } = sourceAt(path);
  const graded = { graders, path, commit, repository: name.replace('+', '/').replace(/@.*$/, '') };
  try {
    const subject = await subjectOf(path, join(work, 'tree'));
    const lines: Line[] = [];
    for (const peer of PEERS)
      if (names?.includes(peer.name) !== false) lines.push(...(await benchPeer(peer, { subject, folder, graded })));
    return tableOfPeers(`${name} ${commit.slice(0, 12)}, who uses ${subject.name}`, lines);
  } finally {
    rmSync(work, { recursive: true, force: true });
    if (scratch === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** A clone of the repository with its history, the name declared once that is in most files, and its last two versions. */
export async function subjectOf(path: string, tree: string): Promise<Subject> {
  const source = sourceAt(path);
  spawnSync('git', ['clone', '--quiet', '--shared', source.gitDir, tree]);
  gitIn(tree, 'checkout', '--quiet', '--detach', source.commit);
  await checkOut(source, tree);
  return subjectIn(tree);
}

/** What git prints in a checkout. */
export function gitIn(tree: string, ...args: string[]): string {
  return spawnSync('git', ['-C', tree, ...args], { encoding: 'utf8', maxBuffer: 1e9 }).stdout.trim();
}

/** What is asked and changed in a checkout. */
export function subjectIn(tree: string): Subject {
  const git = (...args: string[]): string => gitIn(tree, ...args);
  const names = git(
    'grep',
    '-ohP',
    String.raw`^\s*(?:(?:export|default|pub|async) )*(?:function|class|func|def|fn) \K[A-Za-z]\w{3,}`,
  );
  // Declared once, and of several words, so that everybody means the same and no member has the name.
  const declared = Map.groupBy(names.split('\n'), (name) => name);
  const single = [...declared].flatMap(([name, all]) =>
    all.length === 1 && /[a-z][A-Z]|_/.test(name) && !(name in Object.prototype) ? [name] : [],
  );
  const counted = single.slice(0, 100).map((name) => {
    const files = git('grep', '-lw', name).split('\n').filter(Boolean);
    return { name, files };
  });
  const [best] = counted.toSorted((a, b) => b.files.length - a.files.length);
  const versions = git('tag', '--sort=-creatordate').split('\n').slice(0, 2).toReversed();
  return { tree, name: best?.name ?? 'main', file: best?.files[0] ?? 'README.md', range: versions.join('..') };
}

interface Bench {
  subject: Subject;
  folder: string;
  graded: Graded;
}

/** Measures a program; of svc also the commands that it is compared with in the jobs, as a line of their own. */
async function benchPeer(peer: Peer, { subject, folder, graded }: Bench): Promise<Line[]> {
  const line: Line = { program: peer.name, costs: {}, bytes: 0, quality: {} };
  try {
    const installed = install(peer, folder);
    line.program = `${peer.name} ${await versionOf(peer, installed)}`.trim();
    await measureCosts(peer, installed, { subject, line });
    if (peer.index !== undefined && line.costs.index === undefined) return [line];
    const answers = await peer.answers?.(subject, installed);
    if (answers === undefined) return [line];
    try {
      line.quality = await gradePeer(answers, graded);
    } finally {
      await answers.close?.();
    }
    if (peer.name !== 'svc') return [line];
    const [service, commands] = await jobsOfSvc(graded, [installed.program]);
    if (service !== undefined) line.quality.jobs = service;
    if (commands === undefined) return [line];
    return [line, { program: 'git, grep and sed', costs: {}, bytes: 0, quality: { jobs: commands } }];
  } catch (error) {
    return [{ ...line, problem: error instanceof Error ? error.message : String(error) }];
  }
}

export async function measureCosts(
  peer: Peer,
  { program }: Installed,
  { subject, line }: { subject: Subject; line: Line },
): Promise<void> {
  const measure = async (what: keyof Line['costs'], command: Command | undefined): Promise<void> => {
    if (command === undefined || (line.problem !== undefined && line.costs.index === undefined)) return;
    const result = await measureRun(program, command, subject.tree);
    if (result.code === 0) line.costs[what] = result;
    else
      line.problem = `${what}: ${problemIn(result.errors) || `ended with code ${result.code}`}`.replaceAll(/\s+/g, ' ');
  };
  mkdirSync(`${subject.tree}-ctags`, { recursive: true });
  await measure('index', peer.index?.(subject));
  line.bytes = (peer.stored ?? []).reduce((sum, end) => sum + sizeOf(`${subject.tree}${end}`), 0);
  await measure('query', peer.query?.(subject));
  const file = join(subject.tree, subject.file);
  appendFileSync(file, '\n');
  await measure('update', peer.update?.(subject));
  spawnSync('git', ['-C', subject.tree, 'checkout', '--quiet', '--', subject.file]);
}

async function versionOf({ version }: Peer, { program }: Installed): Promise<string> {
  if (version === undefined) return '';
  const { output } = await runProgram(program, version, tmpdir());
  return /\d+\.\d+(?:\.\d+)?/.exec(output)?.[0] ?? '';
}

const HEAD = [
  'program',
  'index, s',
  'MB',
  'size, MB',
  'update, s',
  'query, s',
  'usages F1, files',
  'lines',
  'dead code, precision',
  'recall',
  'changelog F1',
  'jobs right',
  'tokens a right answer',
  'note',
];

const number = (value: number | undefined): string => (value === undefined ? '-' : showNumber(value));
const percent = (value: number | undefined): string => (value === undefined ? '-' : (100 * value).toFixed(1));

/** One line a program; `-` where it has no such ability, or the graders have no case. */
function tableOfPeers(title: string, lines: readonly Line[]): string {
  const cells = lines.map(({ program, costs: { index, query, update }, bytes, quality, problem = '' }) => {
    const { jobs } = quality;
    // The memory of what ends at once was not measured.
    const peak = index?.peakBytes === undefined || index.peakBytes === 0 ? undefined : index.peakBytes / 1e6;
    return [
      program,
      number(index?.cpuSeconds),
      number(peak),
      number(bytes === 0 ? undefined : bytes / 1e6),
      number(update?.cpuSeconds),
      number(query?.cpuSeconds),
      percent(quality.usagesByFile),
      percent(quality.usagesByLine),
      percent(quality.deadPrecision),
      percent(quality.deadRecall),
      percent(quality.changelog),
      jobs === undefined ? '-' : `${jobs.right} of ${jobs.of}`,
      jobs === undefined || jobs.right === 0 ? '-' : String(Math.round(jobs.tokens / jobs.right)),
      problem,
    ];
  });
  return gridOf(title, HEAD, cells);
}

function sizeOf(path: string): number {
  if (!existsSync(path)) return 0;
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
