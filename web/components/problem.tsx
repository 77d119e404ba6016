import type { ApiError } from '../api.ts';
import { Button } from './button.tsx';
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

/** Stands where content would be that could not be loaded. */
export function LoadFailure({ what, problem, onRetry }: { what: string; problem: Error; onRetry: () => void }) {
  const fix = 'fix' in problem && typeof problem.fix === 'string' ? problem.fix : '';
  const forbidden = 'status' in problem && problem.status === 403;
  return (
    <div role="alert" className="rounded-lg border border-line bg-panel px-6 py-10 text-center">
      <Icon name="alert" className="mx-auto size-6 text-quiet" />
      <p className="mt-2 font-medium">{forbidden ? `Your role cannot see ${what}` : `Could not load ${what}`}</p>
      <p className="mx-auto mt-1 max-w-md text-quiet">
        {problem.message} <Fix fix={fix} />
      </p>
      {!forbidden && (
        <Button icon="refresh" className="mt-4" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
