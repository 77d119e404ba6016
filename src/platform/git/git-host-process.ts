import { answer, type SentError } from '../task-reply.ts';
import { endAllGit, GitFailure, runGitHere, type RunOptions } from './git.ts';

/** Requests to the process: to run git, or to stop a run. */
export type HostRequest =
  | {
      kind: 'run';
      id: number;
      args: readonly string[];
      options: Pick<RunOptions, 'env' | 'background'> & {
        [Name in 'input' | 'maxBytes' | 'timeoutMs']: RunOptions[Name] | undefined;
      };
    }
  | { kind: 'stop'; id: number };

/** Messages of the process: a part of the output as it comes, and how the run ended. */
export type HostMessage =
  | { kind: 'part'; id: number; part: Uint8Array }
  | {
      kind: 'end';
      id: number;
      failure?: { exitCode: number | null; stderr: string } | undefined;
      error?: SentError | undefined;
    };

const running = new Map<number, AbortController>();

const say = (message: HostMessage): void => void process.send?.(message, undefined, undefined, () => undefined);

async function run({ id, args, options }: HostRequest & { kind: 'run' }): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  const { input, maxBytes, timeoutMs, ...rest } = options;
  let failure: { exitCode: number | null; stderr: string } | undefined;
  const reply = await answer(id, () =>
    runGitHere(args, {
      ...rest,
      ...(input !== undefined && { input }),
      ...(maxBytes !== undefined && { maxBytes }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      signal: stop.signal,
      onStdout: (part) => say({ kind: 'part', id, part }),
    }).catch((error: unknown) => {
      if (error instanceof GitFailure) failure = { exitCode: error.exitCode, stderr: error.stderr };
      throw error;
    }),
  );
  running.delete(id);
  say({ kind: 'end', id, failure, error: 'error' in reply ? reply.error : undefined });
}

process.on('message', (request: HostRequest) => {
  if (request.kind === 'run') run(request).catch(() => process.exit(1));
  else running.get(request.id)?.abort();
});
// The process that sent the requests is gone: nothing waits for their results.
process.on('disconnect', () => {
  endAllGit();
  process.exit();
});
// The service stops by itself on a signal, and this process ends with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
