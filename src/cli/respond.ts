import { CommanderError } from 'commander';
import { visible } from '../kernel/visible.ts';
import { expectedFailure } from '../platform/failures.ts';
import { Stopped } from './command.ts';
import { asTyped } from './own-command.ts';
import { withCommands } from './published-operations.ts';

/** Exit codes of commands, as the contract states them. */
export const EXIT = { ok: 0, error: 1, usage: 2, behind: 3 } as const;

/** Reports a failure in one line and returns the exit code. Only a fault of the service shows where it happened. */
export function respond(error: unknown, err: (text: string) => void): number {
  // Commander has written its message already; help and version are not failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const serviceError = expectedFailure(error);
  if (serviceError !== undefined) {
    err(`svc: ${visible(asTyped(withCommands(`${serviceError.message} ${serviceError.fix}`)))}\n`);
    return EXIT.error;
  }
  if (error instanceof Stopped) {
    err(`svc: Stopped (${error.message}) before finishing.\n`);
    return EXIT.error;
  }
  err(`svc: a fault in the service: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return EXIT.error;
}
