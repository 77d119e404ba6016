import type { ReactNode } from 'react';
import { LoadFailure } from './problem.tsx';

export interface QueryStateProps {
  query: { isPending: boolean; isError: boolean; error: Error | null; refetch: () => unknown };
  /** Name of the loaded thing in the message of a failure. */
  what: string;
  /** Stands there while it is loaded, as high as what will come. */
  placeholder: ReactNode;
}

/** Replacement for an answer: the placeholder while it is loaded, and the failure with a button to try again. */
export function QueryState({ query: { isPending, isError, error, refetch }, what, placeholder }: QueryStateProps) {
  if (isPending) return placeholder;
  if (!isError || error === null) return null;
  return <LoadFailure what={what} problem={error} onRetry={() => void refetch()} />;
}
