import { useEffect } from 'react';
import type { ApiError } from '../api.ts';
import { Button, buttonClass } from './button.tsx';
import { Fix } from './fix.tsx';
import { Icon } from './icon.tsx';

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
