import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from './api.ts';
import { tellProblem, useToast } from './components/toast.tsx';
import { isChangedBy, type Kind } from './query-keys.ts';
import { useSession } from './session.tsx';

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

/** What follows a change that the service has taken. */
interface Outcome<Answer> {
  /** What it changed: answers that it is in are read again. */
  to: Kind | readonly Kind[];
  /** Closes the dialog, leaves the page, or shows the answer. */
  done?: ((answer: Answer) => unknown) | undefined;
  /** Says what was done. */
  says?: string | ((answer: Answer) => string | undefined) | undefined;
  /** Takes it back. */
  undo?: (answer: Answer) => Promise<unknown>;
}

/** What changes of the chosen product need: its addresses, messages, and answers that are read again. */
export function useChanges() {
  const { product } = useSession();
  const queries = useQueryClient();
  const say = useToast();
  const refresh = (...kinds: readonly Kind[]): Promise<void> =>
    queries.invalidateQueries({ predicate: isChangedBy(kinds) });
  const tell = tellProblem(say);
  return {
    product,
    /** Makes an address of the API that is about the product. */
    path: (path: string, query?: Record<string, string>): string =>
      `${path}?${new URLSearchParams({ ...query, product: product.id })}`,
    say,
    /** Shows why a change failed, for places that cannot show it themselves. */
    tell,
    /** Reads again the answers that a change of these kinds is in. */
    refresh,
    /** Waits for a change, and does what follows; what it throws is for `useAction` or `useForm`, which show it. */
    apply: <Answer>(change: Promise<Answer>, outcome: Outcome<Answer>): Promise<void> =>
      followChange(change, outcome, { refresh, say, tell }),
  };
}

interface Followers {
  refresh: (...kinds: readonly Kind[]) => Promise<void>;
  say: ReturnType<typeof useToast>;
  tell: (problem: Error) => void;
}

/** Once a change is made: closes, says what was done with the way back, and reads again what it is in. */
export async function followChange<Answer>(
  change: Promise<Answer>,
  { to, done, says, undo }: Outcome<Answer>,
  { refresh, say, tell }: Followers,
): Promise<void> {
  const answer = await change;
  const kinds = [to].flat();
  await done?.(answer);
  const takeBack = undo && ((): void => void undo(answer).then(() => refresh(...kinds), tell));
  const text = typeof says === 'function' ? says(answer) : says;
  if (text !== undefined) say(text, 'good', takeBack);
  await refresh(...kinds);
}
