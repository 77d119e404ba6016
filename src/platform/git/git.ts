import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { ServiceError } from '../../kernel/errors.ts';
import { REUSED_MEMORY } from '../allocator.ts';
import { isBackground, yieldProcessor } from '../background.ts';

/** Oldest git that has every option used here (`rev-parse --show-object-format`). */
const OLDEST_GIT = [2, 25] as const;
const DEFAULT_TIMEOUT_MS = 60_000;
/** Longest look at a foreign repository's names and settings, which takes milliseconds where nothing is wrong. */
export const LOOK_TIMEOUT_MS = 10_000;
const DEFAULT_OUTPUT_BYTES = 256 * 1024 * 1024;
const STDERR_BYTES = 16 * 1024;
/** Time that git may take to end and clean up before it is killed. */
const STOP_GRACE_MS = 2_000;

/** Options set before every command, so that no configuration can make git run a program or ask a question. */
const GUARDS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.attributesFile=/dev/null',
  'protocol.ext.allow=never',
].flatMap((guard) => ['-c', guard]);

/** Variables of the user that a transfer needs to reach private repositories; every other `GIT_*` is dropped. */
const TRANSFER_VARIABLES =
  /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|SSL_.*|PROXY_.*|HTTP_.*|CONFIG_GLOBAL|CONFIG_SYSTEM)$/;

/** Process groups of git that run now: `endAllGit` needs them when nothing else of the process works any more. */
const RUNNING = new Set<number>();

/** git ended with an error. `stderr` is its text with credentials masked. `explainGit` turns it into a sentence. */
export class GitFailure extends Error {
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(command: string, exitCode: number | null, stderr: string) {
    super(`git ${command} ended with ${exitCode ?? 'a signal'}: ${stderr.trim().slice(-500)}`);
    this.name = 'GitFailure';
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

export interface GitOptions {
  /** Made by `localEnvironment` or `transferEnvironment`, or a view of `openObjects`. */
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  /** 60 s when absent. */
  timeoutMs?: number;
  /** True to take only the processor that others leave. As the process that starts it when absent. */
  background?: boolean;
  /** Gets what git writes to stderr as it comes: progress. */
  onStderr?: (text: string) => void;
}

/** A running git. Read `stdout` to its end, then await `ended`. `stop` ends it early; calling it twice does nothing. */
export interface GitProcess {
  /** Undefined when git could not be started. */
  pid: number | undefined;
  stdin: Writable;
  stdout: Readable;
  /** Resolves when git ended well. Rejects with GitFailure, the signal's reason, or ServiceError when git is missing. */
  ended: Promise<void>;
  stop: () => void;
}

/**
 * The environment for commands that only read a repository: no configuration of the user or the system, no transfers of
 * any kind (a partial clone would fetch what it lacks), messages in English.
 */
export function localEnvironment(): NodeJS.ProcessEnv {
  return {
    ...cleanEnvironment(/^$/),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: 'none',
    ...REUSED_MEMORY,
  };
}

/**
 * The environment for fetching. The configuration of the user who runs the service stays in force, because that is where
 * credential helpers, SSH keys and proxies for private repositories are set up. Nothing can ask a question. `https` and
 * `ssh` are allowed, and `file` where the service reads this machine's folders anyway.
 */
export function transferEnvironment(allowFile: boolean): NodeJS.ProcessEnv {
  return {
    ...cleanEnvironment(TRANSFER_VARIABLES),
    GIT_TERMINAL_PROMPT: '0',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    GIT_ALLOW_PROTOCOL: allowFile ? 'https:ssh:file' : 'https:ssh',
  };
}

/** Starts git. It gets a session of its own: no terminal to ask on, and stopping it stops its children too. */
export function spawnGit(args: readonly string[], options: GitOptions): GitProcess {
  const { env, signal, timeoutMs = DEFAULT_TIMEOUT_MS, background = isBackground(), onStderr } = options;
  signal?.throwIfAborted();
  // A path is a path, whatever it begins with (`:(glob)`, `:!`): callers often take it from outside.
  const child = spawn('git', ['--no-pager', '--literal-pathspecs', ...GUARDS, ...args], {
    cwd: '/',
    env,
    detached: true,
    stdio: 'pipe',
  });
  const { pid } = child;
  if (pid !== undefined) RUNNING.add(pid);
  if (background) yieldProcessor(child);
  let stderr = '';
  let stoppedBy: unknown;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_BYTES);
    onStderr?.(text);
  });
  // git may end before it has read its input: what matters then is how it ended.
  child.stdin.on('error', () => undefined);
  const stop = (reason: unknown): void => {
    stoppedBy ??= reason;
    stopGroup(child);
  };
  const onAbort = (): void => stop(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const command = commandOf(args);
  const timer = setTimeout(() => stop(tooSlow(command, timeoutMs)), timeoutMs);
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', (error) => reject(missingGit(error)));
    child.on('close', (code) => {
      if (code === 0 && stoppedBy === undefined) resolve();
      else reject(stoppedBy instanceof Error ? stoppedBy : new GitFailure(command, code, maskCredentials(stderr)));
    });
  }).finally(() => {
    if (pid !== undefined) RUNNING.delete(pid);
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  });
  // The reader of the output may fail first and never await this.
  ended.catch(() => undefined);
  const { stdin, stdout } = child;
  return { pid, stdin, stdout, ended, stop: () => stop(new Error(`git ${command} was stopped`)) };
}

/** Options of `runGit` besides the arguments. */
export interface RunOptions extends GitOptions {
  /** Input of git on stdin. */
  input?: string | Uint8Array;
  /** 256 MB when absent. */
  maxBytes?: number;
  /** Gets the output as it comes, in place of the result. */
  onStdout?: (part: Uint8Array) => void;
}

type RunGit = (args: readonly string[], options: RunOptions) => Promise<Buffer>;

let delegate: RunGit | undefined;

/** Makes this function do `runGit` from now on; without one this process does it itself. */
export function delegateGit(run: RunGit | undefined): void {
  delegate = run;
}

/**
 * Runs git and gives its whole output, at most `maxBytes`.
 *
 * @throws GitFailure when git fails or writes more, the signal's reason when cancelled, ServiceError when git is missing
 * or takes longer than `timeoutMs`.
 */
export function runGit(args: readonly string[], options: RunOptions): Promise<Buffer> {
  return delegate === undefined || options.onStderr !== undefined ? runGitHere(args, options) : delegate(args, options);
}

/** Runs git as `runGit`, started by this process: that takes time by how much memory it has (30 ms of its thread with 300 MB). */
export async function runGitHere(args: readonly string[], options: RunOptions): Promise<Buffer> {
  const { input = '', maxBytes = DEFAULT_OUTPUT_BYTES } = options;
  const git = spawnGit(args, options);
  git.stdin.end(input);
  const parts: Uint8Array[] = [];
  const { onStdout = (part: Uint8Array): unknown => parts.push(part) } = options;
  let bytes = 0;
  // A stream of a child process without an encoding gives buffers.
  git.stdout.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > maxBytes) git.stop();
    else onStdout(part);
  });
  await git.ended.catch((error: unknown) => {
    if (bytes <= maxBytes) throw error;
    throw new GitFailure(commandOf(args), null, `wrote more than ${maxBytes} bytes`);
  });
  return Buffer.concat(parts);
}

/** The git command among its arguments. */
export function commandOf(args: readonly string[]): string {
  return args.find((arg) => !arg.startsWith('-')) ?? '';
}

/**
 * The version of the installed git, for example `2.39.5`.
 *
 * @throws ServiceError `internal` when there is none or it is older than 2.25.
 */
export async function checkGit(): Promise<string> {
  const version = await gitVersion();
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor >= OLDEST_GIT[1])) return version;
  throw new ServiceError('internal', `git ${OLDEST_GIT.join('.')} or newer is needed; found "${version}".`, {
    fix: 'Install a newer git and start again.',
  });
}

/** Returns the version of the installed git, '' when it does not say. */
export async function gitVersion(): Promise<string> {
  const text = (await runGit(['version'], { env: localEnvironment() })).toString();
  return /\d+\.\d+[.\d]*/.exec(text)?.[0] ?? '';
}

/** The text with user names and passwords in URLs replaced by `***`. */
export function maskCredentials(text: string): string {
  return text.replaceAll(/(\b[a-z][a-z0-9+.-]*:\/\/)[^/@\s'"]+@/gi, '$1***@');
}

/** Kills every git of this process at once. For a process that ends without waiting: they would outlive it. */
export function endAllGit(): void {
  for (const pid of RUNNING) killGroup(pid, 'SIGKILL');
}

function cleanEnvironment(allowedNames: RegExp): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_') || allowedNames.test(name));
  // English, because failures are recognised by their text.
  return { ...Object.fromEntries(own), LC_ALL: 'C', LANGUAGE: '' };
}

function stopGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  killGroup(child.pid, 'SIGTERM');
  const { pid } = child;
  const timer = setTimeout(() => killGroup(pid, 'SIGKILL'), STOP_GRACE_MS);
  child.once('exit', () => clearTimeout(timer));
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended by itself.
  }
}

function tooSlow(command: string, timeoutMs: number): ServiceError {
  return new ServiceError(
    'upstream_failed',
    `git ${command} did not finish within ${Math.round(timeoutMs / 1000)} s.`,
    {
      fix: 'Check the disk and the network, and that no file that git includes is a FIFO or on a mount that hangs; then try again.',
    },
  );
}

function missingGit(error: Error): Error {
  if (!('code' in error) || error.code !== 'ENOENT') return error;
  return new ServiceError('internal', 'git is not installed, or not in PATH.', {
    fix: `Install git ${OLDEST_GIT.join('.')} or newer and start again.`,
    cause: error,
  });
}
