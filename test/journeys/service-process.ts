import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { testFolder } from '../../src/testing/git.ts';
import { builtProgram } from './program.ts';

/** That of the program as it is packed: a start of it takes a third less of the processor than one of the sources. */
const LAUNCHER = join(await builtProgram(), 'bin/svc.mjs');
const POLL_MS = 50;

/** Name of commands in hints where tests start them. */
export const CALLED_AS = `node ${LAUNCHER}`;

/** Result of a command of `svc`. */
interface CommandResult {
  code: number | null;
  out: string;
  err: string;
}

export interface CommandOptions {
  cwd: string;
  env?: Record<string, string>;
  /** Time of its end: after the test when absent. */
  onEnd?: OnEnd;
  /** The Node.js that starts the launcher; the one that runs the tests when absent. */
  node?: string;
  /** That of another program. */
  launcher?: string;
}

/** Takes what is to be done at the end of something. */
export type OnEnd = (work: () => void | Promise<void>) => void;

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Runs a command to its end, in an environment of its own: nothing of the one that runs the tests is seen. */
export async function svc(args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const child = startCommand(args, options);
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out: out.text, err: err.text };
}

/** The JSON document that a command printed. Fails with what it said when it did not end well. */
export async function svcJson<Document>(args: readonly string[], options: CommandOptions): Promise<Document> {
  const { code, out, err } = await svc([...args, '--json'], options);
  if (code !== 0) throw new Error(`svc ${args.join(' ')} ended with ${code}: ${err}`);
  // The test says what the command promises, and looks at it.
  return JSON.parse(out) as Document;
}

/** A service that was started as a user starts it. */
export interface ServiceProcess {
  url: string;
  /** Of the service itself, not of the launcher. */
  pid: number;
  launcher: ChildProcess;
  out: () => string;
  err: () => string;
  /** Waits until standard output and error together match. */
  until: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Sends a signal to the launcher and gives the exit code. */
  end: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Starts `svc up` or `svc serve` on a free port and waits until it says where it listens. */
export async function startSvc(args: readonly string[], options: CommandOptions): Promise<ServiceProcess> {
  const launcher = startCommand(args, options);
  const [out, err] = [collect(launcher.stdout), collect(launcher.stderr)];
  const ended = once(launcher, 'close') as Promise<[number | null]>;
  const { onEnd = onTestFinished } = options;
  onEnd(async () => {
    if (launcher.exitCode === null && launcher.signalCode === null) launcher.kill('SIGTERM');
    await ended;
  });
  const isOver = ended.then(() => 'over' as const);
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (let isLast = false; ;) {
      const more = Promise.race([out.next(), err.next(), isOver]);
      const match = pattern.exec(`${out.text}\n${err.text}`);
      if (match !== null) return match;
      if (isLast) throw new Error(`svc ${args.join(' ')} ended before ${pattern}: ${out.text}${err.text}`);
      isLast = (await more) === 'over';
    }
  };
  const dataDir = args[args.indexOf('--data-dir') + 1] ?? '';
  await until(/http:\/\/127\.0\.0\.1:\d+/);
  const { url, pid } = serverFile(dataDir);
  return {
    url,
    pid,
    launcher,
    out: () => out.text,
    err: () => err.text,
    until,
    end: async (signal = 'SIGTERM') => {
      launcher.kill(signal);
      return (await ended)[0];
    },
  };
}

/** Starts a command and leaves it alone. The caller sees to its end. */
export function startCommand(
  args: readonly string[],
  { cwd, env = {}, node = process.execPath, launcher = LAUNCHER }: CommandOptions,
): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  return spawn(node, [launcher, ...args], {
    cwd,
    env: {
      PATH,
      HOME,
      // Whoever runs the tests may be signed in to a service.
      XDG_CONFIG_HOME: join(cwd, '.config'),
      SVC_DATA_DIR: join(cwd, '.svc-data'),
      SVC_PORT: '0',
      SVC_EXTRACT_PROCESSES: '1',
      SVC_EXACT_PASS: 'off',
      SVC_ENCODER: 'off',
      SVC_BACKGROUND_PRIORITY: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Leads a process group, as a command typed in a terminal does.
    detached: true,
  });
}

/** Reads the file that a running service writes for commands. */
export function serverFile(dataDir: string): { url: string; token: string; pid: number } {
  return JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8')) as { url: string; token: string; pid: number };
}

/** Processes below one, of any depth, as the system lists them now. Linux only; empty elsewhere. */
export function descendants(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return [];
  const children = readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

/** True if a process runs; zombies do not count. */
export function isAlive(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  if (existsSync('/proc/self/stat')) return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, 'utf8'));
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Kills a service alone, and waits until all that it had started has ended. */
export async function killService(service: ServiceProcess): Promise<void> {
  const children = descendants(service.pid);
  process.kill(service.pid, 'SIGKILL');
  await once(service.launcher, 'close');
  await eventually(() => [service.pid, ...children].every((pid) => !isAlive(pid)));
}

/** Waits for a state that is not announced, such as the end of a process that is no child of this one. */
export async function eventually(isSo: () => boolean | Promise<boolean>, pollMs = POLL_MS): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, pollMs));
}

/** Output of a stream so far. */
interface Collected {
  text: string;
  /** Resolves when it says more. */
  next: () => Promise<void>;
}

function collect(stream: NodeJS.ReadableStream | null): Collected {
  let more = Promise.withResolvers<void>();
  const collected = { text: '', next: () => more.promise };
  stream?.setEncoding('utf8').on('data', (part: string) => {
    collected.text += part;
    more.resolve();
    more = Promise.withResolvers();
  });
  return collected;
}
