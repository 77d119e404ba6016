import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gridOf, showNumber } from '../report.ts';
import { sourceAt } from '../source.ts';
import { gitIn, type Line, measureCosts, type PeersOptions, subjectIn, subjectOf } from './peers.ts';
import { PEERS } from './programs.ts';
import { install } from './run.ts';

/** Shares of the files of a repository that are indexed, smallest first. */
const SHARES = [1 / 8, 1 / 4, 1 / 2, 1];
/** The programs whose index grows with the code. */
const INDEXERS = ['svc', 'codegraph', 'ctags'];
const AUTHOR = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];

/** What the programs cost on a part of a repository. */
interface Size {
  repository: string;
  share: number;
  lines: number;
  costs: ReadonlyMap<string, Line>;
}

/** Indexes four sizes of each repository, code without history, and returns one table of all. */
export async function benchGrowth(paths: readonly string[], options: PeersOptions): Promise<string> {
  const folder = options.scratch ?? mkdtempSync(join(tmpdir(), 'svc-peers-'));
  try {
    const sizes: Size[] = [];
    for (const path of paths)
      for (const share of SHARES) sizes.push(await measureSize(path, { share, folder, names: options.names }));
    return tableOfSizes(sizes);
  } finally {
    if (options.scratch === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function measureSize(
  path: string,
  { share, folder, names }: { share: number; folder: string; names: readonly string[] | undefined },
): Promise<Size> {
  const { name, commit } = sourceAt(path);
  const work = mkdtempSync(join(tmpdir(), 'svc-peers-tree-'));
  try {
    const tree = join(work, 'tree');
    await subjectOf(path, tree);
    const lines = reduceTo(tree, share);
    const subject = subjectIn(tree);
    const costs = new Map<string, Line>();
    for (const peer of PEERS) {
      if (!INDEXERS.includes(peer.name) || names?.includes(peer.name) === false) continue;
      const line: Line = { program: peer.name, costs: {}, bytes: 0, quality: {} };
      try {
        await measureCosts(peer, install(peer, folder), { subject, line });
      } catch (error) {
        line.problem = error instanceof Error ? error.message : String(error);
      }
      costs.set(peer.name, line);
    }
    return { repository: `${name} ${commit.slice(0, 8)}`, share, lines, costs };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Makes a checkout one of a share of its files, drawn by their paths, in one commit. Returns its lines of text. */
function reduceTo(tree: string, share: number): number {
  // A clone that lacks a content is checked out without git's list of it.
  rmSync(join(tree, '.git'), { recursive: true });
  gitIn(tree, 'init', '--quiet');
  gitIn(tree, 'add', '--all', '--force');
  const paths = gitIn(tree, 'ls-files', '-z').split('\0').filter(Boolean);
  const drawn = paths
    .map((path) => ({ path, place: createHash('sha256').update(path).digest('hex') }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1));
  for (const { path } of drawn.slice(Math.ceil(drawn.length * share))) rmSync(join(tree, path), { force: true });
  gitIn(tree, 'add', '--all', '--force');
  gitIn(tree, ...AUTHOR, 'commit', '--quiet', '--message', 'A part');
  const [, lines = '0'] = /(\d+) insertion/.exec(gitIn(tree, 'show', '--shortstat', '--format=', 'HEAD')) ?? [];
  return Number(lines);
}

const HEAD = [
  'repository',
  'files',
  'thousand lines',
  'index, s',
  '/ codegraph',
  '/ ctags',
  'MB',
  '/ codegraph',
  'update, s',
  '/ codegraph',
  'query, s',
  '/ codegraph',
  'note',
];

/** Costs of svc, and how many times those of the others they are, in processor seconds and peak memory. */
function tableOfSizes(sizes: readonly Size[]): string {
  const cells = sizes.map(({ repository, share, lines, costs }) => {
    const valueOf = (
      program: string,
      what: keyof Line['costs'],
      unit: 'cpuSeconds' | 'peakBytes',
    ): number | undefined => costs.get(program)?.costs[what]?.[unit];
    const own = (what: keyof Line['costs']): string => show(valueOf('svc', what, 'cpuSeconds'));
    const times = (
      program: string,
      what: keyof Line['costs'],
      unit: 'cpuSeconds' | 'peakBytes' = 'cpuSeconds',
    ): string => show(ratioOf(valueOf('svc', what, unit), valueOf(program, what, unit)));
    const megabytes = valueOf('svc', 'index', 'peakBytes');
    return [
      repository,
      `${100 * share} %`,
      show(lines / 1_000),
      own('index'),
      times('codegraph', 'index'),
      times('ctags', 'index'),
      show(megabytes === undefined ? undefined : megabytes / 1e6),
      times('codegraph', 'index', 'peakBytes'),
      own('update'),
      times('codegraph', 'update'),
      own('query'),
      times('codegraph', 'query'),
      [...costs.values()]
        .flatMap(({ program, problem }) => (problem === undefined ? [] : `${program}: ${problem}`))
        .join('; '),
    ];
  });
  return gridOf('svc beside other indexers, four sizes, without history', HEAD, cells);
}

function ratioOf(value: number | undefined, other: number | undefined): number | undefined {
  return value === undefined || other === undefined || other === 0 ? undefined : value / other;
}

function show(value: number | undefined): string {
  return value === undefined ? '-' : showNumber(value);
}
