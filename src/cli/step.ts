import type { CommandContext } from './command.ts';

/** Interval of repeating the text of a step that lasts. */
const AGAIN_MS = 5_000;

/**
 * Prints what a command does from now on, and again while it lasts: the user sees that it is not stuck. Text like `Opening the
 * database`.
 */
export async function step<Result>(
  context: Pick<CommandContext, 'err'>,
  text: string,
  work: () => Promise<Result>,
  againMs: number = AGAIN_MS,
): Promise<Result> {
  const startedMs = performance.now();
  context.err(`${text} …\n`);
  const timer = setInterval(() => {
    context.err(`${text} … ${Math.round((performance.now() - startedMs) / 1000)} s\n`);
  }, againMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
