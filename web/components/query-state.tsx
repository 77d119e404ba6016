import { Link } from '@tanstack/react-router';
import { createElement, Fragment, type ReactNode, useEffect } from 'react';
import type { ApiError } from '../api.ts';
import { readFix } from '../fix.ts';
import { Button, buttonClass, Icon } from './button.tsx';

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

/** Error of the person's last action, and its fix. */
export function Problem({ problem }: { problem: Pick<ApiError, 'message' | 'fix'> | undefined }) {
  if (problem === undefined) return null;
  return (
    <div role="alert" className="mt-3 flex items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
      <Icon name="alert" className="mt-0.5" />
      <p className="min-w-0 [overflow-wrap:anywhere]">
        {problem.message} <Fix fix={problem.fix} />
      </p>
    </div>
  );
}

const RETRY_MS = 5_000;
/** Pages of one thing of a list: `/plans/pay`. */
const LIST = /^(\/[a-z-]+(?:\/api-keys)?)\/[^/]+$/;

/** Stands where content would be that could not be loaded; an index that is being made is waited for. */
export function LoadFailure({ what, problem, onRetry }: { what: string; problem: Error; onRetry: () => void }) {
  const fix = 'fix' in problem && typeof problem.fix === 'string' ? problem.fix : '';
  const forbidden = 'status' in problem && problem.status === 403;
  const isMissing = 'status' in problem && problem.status === 404 && LIST.test(location.pathname);
  const isPending = 'code' in problem && problem.code === 'not_indexed';
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setInterval(onRetry, RETRY_MS);
    return () => clearInterval(timer);
  }, [isPending, onRetry]);
  const title = isPending
    ? 'The index is not ready yet'
    : isMissing
      ? `Could not find ${what}`
      : forbidden
        ? `Your role cannot see ${what}`
        : `Could not load ${what}`;
  return (
    <div role="alert" className="rounded-lg border border-line bg-panel px-6 py-10 text-center">
      <Icon name="alert" className="mx-auto size-6 text-quiet" />
      <p className="mt-2 font-medium">{title}</p>
      <p className="mx-auto mt-1 max-w-md text-quiet">
        {isMissing ? 'It may have been deleted, or belong to another product.' : problem.message}{' '}
        {isPending ? 'This page tries again by itself.' : !isMissing && <Fix fix={fix} />}
      </p>
      {isMissing && (
        <a href={location.pathname.replace(LIST, '$1')} className={buttonClass('plain', 'mt-4')}>
          Back to the list
        </a>
      )}
      {!forbidden && !isPending && !isMissing && (
        <Button icon="refresh" className="mt-4" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Rows of the size that will be there, so that nothing jumps when they come. */
export function SkeletonRows({
  label,
  rows = 3,
  rowClass = 'h-[45px]',
}: {
  label: string;
  rows?: number;
  rowClass?: string;
}) {
  return (
    <div role="status" aria-label={label} className="rounded-lg border border-line bg-panel">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={`flex items-center gap-6 border-b border-line px-4 last:border-0 ${rowClass}`}>
          <div className="breathing h-3 w-40 rounded bg-hover" />
          <div className="breathing h-3 w-24 rounded bg-hover max-sm:hidden" />
          <div className="breathing ml-auto h-3 w-16 rounded bg-hover" />
        </div>
      ))}
    </div>
  );
}

/** A box of a given height, for charts and panels. */
export function SkeletonBox({ label, className }: { label: string; className: string }) {
  return <div role="status" aria-label={label} className={`breathing rounded-lg bg-hover ${className}`} />;
}

/** The fix for a failure, with links to the pages that do it. */
export function Fix({ fix }: { fix: string }) {
  const parts = readFix(fix).map((part) => {
    if (typeof part === 'string') return part;
    return (
      <Link to={part.to} className="underline">
        {part.label}
      </Link>
    );
  });
  return createElement(Fragment, null, ...parts);
}
