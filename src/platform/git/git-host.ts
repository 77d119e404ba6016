import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isBackground } from '../background.ts';
import type { Watch } from '../supervision.ts';
import { unpackError } from '../task-reply.ts';
import { workerUrl } from '../threads.ts';
import { commandOf, delegateGit, GitFailure, runGitHere, type RunOptions } from './git.ts';
import type { HostMessage, HostRequest } from './git-host-process.ts';

/** A process that ends sooner is not started again at once. */
const SHORTEST_LIFE_MS = 1_000;

interface Run {
  onPart: (part: Uint8Array) => void;
  onEnd: (reply: HostMessage & { kind: 'end' }) => void;
  onLost: () => void;
}

/**
 * Lets git be started by a small process beside this one. Starting a process copies the page tables of the one that starts it:
 * 3 ms of the thread that serves in a new process, 30 with 300 MB, 90 with 800. The small process ends with this one, and
 * keeps nothing alive. A second call changes what receives its end, and nothing else.
 */
export function hostGit(watch?: Watch): void {
  if (shared !== undefined) {
    shared.watch = watch;
    return;
  }
  const host = new GitHost(watch);
  shared = host;
  delegateGit((args, options) => host.run(args, options));
}

let shared: GitHost | undefined;

/** The small process, started again when it is gone. */
export class GitHost {
  /** Receives unexpected ends of the process, and its starts. */
  watch: Watch | undefined;
  readonly #runs = new Map<number, Run>();
  #child: ChildProcess | undefined;
  #lastId = 0;

  constructor(watch?: Watch) {
    this.watch = watch;
    this.#child = this.#start();
  }

  /** Commands that were given to it. */
  get started(): number {
    return this.#lastId;
  }

  /** Process id of the process that is there now. */
  get pid(): number {
    return this.#child?.pid ?? Number.NaN;
  }

  /** Runs git as `runGit` does. */
  async run(args: readonly string[], options: RunOptions): Promise<Buffer> {
    const { signal, onStdout, env, input, maxBytes, timeoutMs, background = isBackground() } = options;
    signal?.throwIfAborted();
    this.#child ??= this.#start();
    const child = this.#child;
    const id = ++this.#lastId;
    const request: HostRequest = { kind: 'run', id, args, options: { env, input, maxBytes, timeoutMs, background } };
    const { promise, resolve } = Promise.withResolvers<(HostMessage & { kind: 'end' }) | undefined>();
    const parts: Uint8Array[] = [];
    const onPart = onStdout ?? ((part: Uint8Array): unknown => parts.push(part));
    this.#runs.set(id, { onPart, onEnd: resolve, onLost: () => resolve(undefined) });
    child.channel?.ref();
    const onAbort = (): void => sendRequest(child, { kind: 'stop', id });
    signal?.addEventListener('abort', onAbort, { once: true });
    sendRequest(child, request);
    const end = await promise;
    signal?.removeEventListener('abort', onAbort);
    this.#runs.delete(id);
    if (this.#runs.size === 0) child.channel?.unref();
    signal?.throwIfAborted();
    // It was ended from outside. Its commands did nothing that cannot be done again.
    if (end === undefined) return runGitHere(args, options);
    if (end.failure !== undefined) throw new GitFailure(commandOf(args), end.failure.exitCode, end.failure.stderr);
    if (end.error !== undefined) throw unpackError(end.error);
    return Buffer.concat(parts);
  }

  /** Ends the process, and what it runs. */
  stop(): void {
    this.#child?.disconnect();
    this.#child = undefined;
  }

  #start(): ChildProcess {
    const child = fork(fileURLToPath(workerUrl(import.meta, './git-host-process')), {
      serialization: 'advanced',
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Ctrl+C in a terminal is for the service.
      detached: process.platform !== 'win32',
    });
    child.on('message', (message: HostMessage) => {
      const run = this.#runs.get(message.id);
      if (message.kind === 'part') run?.onPart(message.part);
      else run?.onEnd(message);
    });
    const startedMs = performance.now();
    const onGone = (how: string): void => {
      if (this.#child !== child) return;
      // One that cannot live is started again only when it is needed.
      const isReplaced = performance.now() - startedMs > SHORTEST_LIFE_MS;
      const error = new Error(`The process that runs git ended ${how}.`);
      this.watch?.ended(error, { reason: 'crashed', remaining: isReplaced ? 0 : undefined });
      this.#child = isReplaced ? this.#start() : undefined;
      for (const run of this.#runs.values()) run.onLost();
    };
    child.on('error', (error) => onGone(`with the error ${error.message}`));
    child.on('exit', (code, signal) => onGone(signal === null ? `with code ${code}` : `by ${signal}`));
    child.on('spawn', () => this.watch?.ready());
    child.unref();
    child.channel?.unref();
    return child;
  }
}

/** Sends a request to the process. One that has just ended does not receive it: its exit ends the waiting. */
function sendRequest(child: ChildProcess, request: HostRequest): void {
  child.send(request, () => undefined);
}
