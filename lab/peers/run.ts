import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cost, measureCost } from '../measure.ts';

/** A command line: arguments of a program. */
export type Command = readonly string[];

/** The object of the measurement: a checkout, a name in it that is used, a file that is changed, and two versions. */
export interface Subject {
  tree: string;
  name: string;
  file: string;
  range: string;
}

/** An installed program: its path, a folder of its own, and a way to run it in the checkout. */
export interface Installed {
  program: string;
  folder: string;
}

/** A program and the packages that have it. */
export interface Packaged {
  name: string;
  /** Packages of npm or PyPI, or a tarball of this checkout; of none it is taken from the machine. */
  packages: { npm?: string; pypi?: string; own?: true };
  program: string;
}

/** A command that needs longer is given up. */
const LIMIT_MS = 5 * 60_000;

/**
 * Installs a program into a folder of its own below the scratch folder, where it is not yet. svc is packed from this checkout
 * and installed as a user would.
 *
 * @throws Error with the line that says what went wrong.
 */
export function install({ name, packages, program }: Packaged, scratch: string): Installed {
  const folder = join(scratch, name);
  const { npm, pypi, own } = packages;
  const isOfMachine = npm === undefined && pypi === undefined && own === undefined;
  const path = isOfMachine ? program : join(folder, pypi === undefined ? 'node_modules/.bin' : 'bin', program);
  mkdirSync(folder, { recursive: true });
  if (isOfMachine) {
    if (spawnSync('which', [program]).status !== 0) throw new Error(`${program} is not on this machine`);
  } else if (!existsSync(path)) {
    if (pypi === undefined) installFromNpm(folder, own === true ? [packOwn(folder)] : (npm ?? '').split(' '));
    else {
      runOrThrow('python3', ['-m', 'venv', folder]);
      runOrThrow(join(folder, 'bin/pip'), ['install', '--quiet', pypi]);
    }
    if (!existsSync(path)) throw new Error(`its package has no program ${program}`);
  }
  return { program: path, folder };
}

function installFromNpm(folder: string, packages: readonly string[]): void {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  runOrThrow('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages]);
}

/** The package of this checkout as `npm publish` would send it. */
function packOwn(folder: string): string {
  const root = join(import.meta.dirname, '../..');
  const output = runOrThrow('npm', ['pack', root, '--pack-destination', folder]);
  return join(folder, output.trim().split('\n').at(-1) ?? '');
}

function runOrThrow(program: string, args: Command): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: LIMIT_MS });
  if (status === 0) return stdout;
  throw new Error(problemIn(`${error?.message ?? ''}\n${stderr}`));
}

/** The line of an output that says what went wrong. */
export function problemIn(text: string): string {
  const lines = text.split('\n').filter((line) => /fail|error|ENOTFOUND|timed?\s*out|ETIMEDOUT/i.test(line));
  return (lines.find((line) => /install failed|download failed/.test(line)) ?? lines[0] ?? text.trim()).slice(0, 120);
}

/** What a command printed and cost; `code` is -1 where it could not be started or took too long. */
export interface RunResult extends Cost {
  output: string;
  errors: string;
  code: number;
}

export async function measureRun(program: string, args: Command, cwd: string): Promise<RunResult> {
  const { result, cost } = await measureCost(async () => runProgram(program, args, cwd));
  return { ...cost, ...result };
}

export function runProgram(
  program: string,
  args: Command,
  cwd: string,
): Promise<{ output: string; errors: string; code: number }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (part: Buffer) => (output += part.toString()));
    child.stderr.on('data', (part: Buffer) => (errors += part.toString()));
    child.once('error', ({ message }) => resolve({ output, errors: message, code: -1 }));
    child.once('close', (code) => resolve({ output, errors, code: code ?? -1 }));
  });
}
