import { useState } from 'react';
import { ApiError } from './api.ts';

export interface Action<Input> {
  busy: boolean;
  /** Error of the last run, until the next one. */
  problem: ApiError | undefined;
  run: (input: Input) => void;
  forget: () => void;
}

/**
 * A change that a person asks for, one at a time: asked for again while it runs, it does nothing. What it answers goes
 * to the function only and is kept nowhere, because some answers are secrets. `onProblem` is for places that cannot show
 * `problem`, such as menus.
 */
export function useAction<Input = void>(
  change: (input: Input) => Promise<void>,
  onProblem?: (problem: ApiError) => void,
): Action<Input> {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiError>();

  async function attempt(input: Input): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await change(input);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error);
      onProblem?.(error);
    } finally {
      setBusy(false);
    }
  }

  return {
    busy,
    problem,
    run: (input) => {
      if (!busy) void attempt(input);
    },
    forget: () => setProblem(undefined),
  };
}
