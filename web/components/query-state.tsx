import type { ReactNode } from 'react';
import { LoadFailure } from './problem.tsx';

export interface QueryStateProps {
  query: { isPending: boolean; isError: boolean; error: Error | null; refetch: () => unknown };
  /** What is loaded, as a failure names it. */
  what: string;
  /** Stands there while it is loaded, as high as what will come. */
  placeholder: ReactNode;
}

/** What stands there instead of an answer: the placeholder while it is waited for, and why it failed with a way to try again. */
export function QueryState({ query: { isPending, isError, error, refetch }, what, placeholder }: QueryStateProps) {
  if (isPending) return placeholder;
  if (!isError || error === null) return null;
  return <LoadFailure what={what} problem={error} onRetry={() => void refetch()} />;
}
