import type { ReactNode } from 'react';
import { LoadFailure } from './problem.tsx';
import { SkeletonBox, SkeletonRows } from './skeleton.tsx';

export interface QueryStateProps {
  query: { isPending: boolean; isError: boolean; error: Error | null; refetch: () => unknown };
  /** Name of the loaded thing: `plans`, `this plan`. */
  what: string;
  /** Number and height of the rows that stand there while it is loaded, as high as what will come. */
  rows?: number;
  rowClass?: string;
  /** Height of a box that stands there instead of rows. */
  box?: string;
  /** Stands there instead of both. */
  placeholder?: ReactNode;
}

/** Replacement for an answer: a placeholder while it is loaded, and the failure with a button to try again. */
export function QueryState({ query: { isPending, isError, error, refetch }, what, box, ...loading }: QueryStateProps) {
  const { placeholder, rows = 3, rowClass = 'h-[45px]' } = loading;
  if (isPending) {
    if (box !== undefined) return <SkeletonBox label={`Loading ${what}`} className={box} />;
    return placeholder ?? <SkeletonRows label={`Loading ${what}`} rows={rows} rowClass={rowClass} />;
  }
  if (!isError || error === null) return null;
  return <LoadFailure what={what} problem={error} onRetry={() => void refetch()} />;
}
