import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cost, measureCost } from './measure.ts';
import type { Row } from './report.ts';
import { checkOut, sourceAt } from './source.ts';

/** A command line: a program of the scratch folder or of the machine, and its arguments. */
type Command = readonly string[];

/** What a peer works on: a checkout, a name in it that is used, a file that is changed, and two versions. */
interface Subject {
  tree: string;
  name: string;
  file: string;
  range: string;
}

/** A program beside svc: how it comes into the scratch folder, and its commands for what it can do. */
interface Peer {
  name: string;
  /** Packages of npm or PyPI; of none it is taken from the machine. */
  packages: { npm?: string; pypi?: string };
  program: string;
  index?: (subject: Subject) => Command;
  /** After a file has changed; the index anew where it has no other way. */
  update?: (subject: Subject) => Command;
  /** Who uses the name. */
  query?: (subject: Subject) => Command;
  /** Folders that hold its index, below the checkout. */
  stored?: readonly string[];
  /** Another thing that it does, and what svc has for it. */
  other?: { what: string; command: (subject: Subject) => Command };
}

const SVC = [process.execPath, join(import.meta.dirname, '../bin/svc.mjs')];

const PEERS: readonly Peer[] = [
  {
    name: 'svc',
    packages: {},
    program: '',
    index: ({ tree }) => [...SVC, 'index', tree, '--wait', '--data-dir', `${tree}-svc`],
    update: ({ tree, name }) => [...SVC, 'usages', name, '--data-dir', `${tree}-svc`],
    query: ({ tree, name }) => [...SVC, 'usages', name, '--data-dir', `${tree}-svc`],
    stored: ['-svc'],
    other: { what: 'dead code', command: ({ tree }) => [...SVC, 'dead-code', '--data-dir', `${tree}-svc`] },
  },
  {
    name: 'codegraph',
    packages: { npm: '@colbymchenry/codegraph' },
    program: 'codegraph',
    index: ({ tree }) => ['init', tree],
    update: ({ tree }) => ['sync', tree],
    query: ({ name }) => ['callers', name],
    stored: ['/.codegraph'],
  },
  {
    name: 'gitnexus',
    packages: { npm: 'gitnexus' },
    program: 'gitnexus',
    index: ({ tree }) => ['analyze', tree],
    update: ({ tree }) => ['analyze', tree],
    query: ({ name }) => ['context', name],
    stored: ['/.gitnexus'],
  },
  { name: 'codebase-memory-mcp', packages: { npm: 'codebase-memory-mcp' }, program: 'codebase-memory-mcp' },
  {
    name: 'ripgrep',
    packages: { pypi: 'ripgrep' },
    program: 'rg',
    query: ({ tree, name }) => ['--word-regexp', '--line-number', name, tree],
  },
  {
    name: 'ctags',
    packages: {},
    program: 'ctags',
    index: ({ tree }) => ['-R', '-f', `${tree}-ctags/tags`, tree],
    update: ({ tree }) => ['-R', '-f', `${tree}-ctags/tags`, tree],
    stored: ['-ctags'],
  },
  {
    name: 'knip',
    packages: { npm: 'knip typescript' },
    program: 'knip',
    other: { what: 'dead code', command: () => ['--no-exit-code'] },
  },
  {
    name: 'git-cliff',
    packages: { pypi: 'git-cliff' },
    program: 'git-cliff',
    other: { what: 'changelog', command: ({ range }) => [range] },
  },
];

/** A command that needs longer is given up. */
const LIMIT_MS = 5 * 60_000;

/** Installs the peers into a scratch folder and measures all of them on a checkout, svc too. What cannot be installed says why. */
export async function benchPeers(
  path: string,
  { scratch, names }: { scratch?: string | undefined; names?: readonly string[] | undefined },
): Promise<Row[]> {
  const folder = scratch ?? mkdtempSync(join(tmpdir(), 'svc-peers-'));
  const work = mkdtempSync(join(tmpdir(), 'svc-peers-tree-'));
  try {
    const subject = await subjectOf(path, join(work, 'tree'));
    const rows: Row[] = [];
    for (const peer of PEERS)
      if (names?.includes(peer.name) !== false) rows.push(...(await benchPeer(peer, subject, folder)));
    return rows;
  } finally {
    rmSync(work, { recursive: true, force: true });
    if (scratch === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** A clone of the repository with its history, the name declared once that stands in most files, and its last two versions. */
async function subjectOf(path: string, tree: string): Promise<Subject> {
  const source = sourceAt(path);
  const git = (...args: string[]): string =>
    spawnSync('git', ['-C', tree, ...args], { encoding: 'utf8', maxBuffer: 1e9 }).stdout.trim();
  spawnSync('git', ['clone', '--quiet', '--shared', source.gitDir, tree]);
  await checkOut(source, tree);
  const names = git(
    'grep',
    '-ohP',
    String.raw`^\s*(?:(?:export|default|pub|async) )*(?:function|class|func|def|fn) \K[A-Za-z]\w{3,}`,
  );
  // Declared once, so that everybody means the same.
  const declared = Map.groupBy(names.split('\n'), (name) => name);
  const single = [...declared].flatMap(([name, all]) => (all.length === 1 && name !== '' ? [name] : []));
  const counted = single.slice(0, 100).map((name) => {
    const files = git('grep', '-lw', name).split('\n').filter(Boolean);
    return { name, files };
  });
  const [best] = counted.toSorted((a, b) => b.files.length - a.files.length);
  const versions = git('tag', '--sort=-creatordate').split('\n').slice(0, 2).toReversed();
  return { tree, name: best?.name ?? 'main', file: best?.files[0] ?? 'README.md', range: versions.join('..') };
}

async function benchPeer(peer: Peer, subject: Subject, folder: string): Promise<Row[]> {
  const topic = peer.name;
  const problem = install(peer, folder);
  if (problem !== undefined) return [{ topic, name: 'installation', value: undefined, unit: '', note: problem }];
  const rows: Row[] = [];
  const program = (command: Command): Command =>
    peer.program === '' ? command : [programOf(peer, folder), ...command];
  const measure = async (name: string, command: Command | undefined): Promise<void> => {
    if (command !== undefined) rows.push(...costRows(topic, name, await run(program(command), subject.tree)));
  };
  spawnSync('mkdir', ['-p', `${subject.tree}-ctags`]);
  await measure('index', peer.index?.(subject));
  const bytes = (peer.stored ?? []).reduce((sum, end) => sum + sizeOf(`${subject.tree}${end}`), 0);
  if (bytes > 0) rows.push({ topic, name: 'index: size', value: bytes / 1e6, unit: 'MB' });
  await measure(`who uses ${subject.name}`, peer.query?.(subject));
  if (peer.other !== undefined) await measure(peer.other.what, peer.other.command(subject));
  appendFileSync(join(subject.tree, subject.file), '\n');
  await measure('after a change', peer.update?.(subject));
  return rows;
}

/** Installs what a peer needs; gives the last line of what went wrong. */
function install(peer: Peer, folder: string): string | undefined {
  const { npm, pypi } = peer.packages;
  const commands: Command[] = [];
  if (existsSync(programOf(peer, folder)) || peer.program === '') return undefined;
  if (npm !== undefined) {
    const own = join(folder, peer.name);
    spawnSync('mkdir', ['-p', own]);
    writeFileSync(join(own, 'package.json'), '{ "private": true }\n');
    commands.push(['npm', 'install', '--prefix', own, '--no-audit', '--no-fund', ...npm.split(' ')]);
  }
  if (pypi !== undefined)
    commands.push(
      ['python3', '-m', 'venv', join(folder, 'python')],
      [join(folder, 'python/bin/pip'), 'install', '--quiet', pypi],
    );
  for (const [program = '', ...args] of commands) {
    const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: LIMIT_MS });
    if (status !== 0) return lastProblem(`${error?.message ?? ''}\n${stderr}`);
  }
  const isThere = existsSync(programOf(peer, folder)) || spawnSync('which', [peer.program]).status === 0;
  return isThere ? undefined : `${peer.program} is not on this machine`;
}

function lastProblem(text: string): string {
  const lines = text.split('\n').filter((line) => /fail|error|ENOTFOUND|timed?\s*out|ETIMEDOUT/i.test(line));
  return (lines.find((line) => line.includes('install failed')) ?? lines[0] ?? text.trim()).slice(0, 120);
}

/** The program in the scratch folder, else its name for the machine's own. */
function programOf({ name, packages, program }: Peer, folder: string): string {
  if (packages.npm !== undefined) return join(folder, name, 'node_modules/.bin', program);
  return packages.pypi === undefined ? program : join(folder, 'python/bin', program);
}

async function run([program = '', ...args]: Command, cwd: string): Promise<Cost & { lines: number; code: number }> {
  const { result, cost } = await measureCost(
    () =>
      new Promise<{ lines: number; code: number }>((resolve) => {
        const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'], timeout: LIMIT_MS });
        let lines = 0;
        child.stdout.on('data', (part: Buffer) => (lines += part.toString().split('\n').length - 1));
        child.once('error', () => resolve({ lines, code: -1 }));
        child.once('close', (code) => resolve({ lines, code: code ?? -1 }));
      }),
  );
  return { ...cost, ...result };
}

function costRows(topic: string, name: string, cost: Cost & { lines: number; code: number }): Row[] {
  const { cpuSeconds, peakBytes, lines, code } = cost;
  const note = [`${lines} lines`, ...(code === 0 ? [] : [`ended with code ${code}`])].join(', ');
  return [
    { topic, name, value: cpuSeconds, unit: 'processor s', note },
    {
      topic,
      name: `${name}: memory`, // What ends at once has not been looked at.
      value: peakBytes === undefined || peakBytes === 0 ? undefined : peakBytes / 1e6,
      unit: 'MB',
    },
  ];
}

function sizeOf(path: string): number {
  if (!existsSync(path)) return 0;
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
