import type { ReactNode } from 'react';
import type { RestRepository as Repository } from '../../src/repositories/repository-bodies.ts';
import { Icon } from '../components/button.tsx';
import { Badge, type Tone } from '../components/inline.tsx';
import { Fix } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { formatNumber } from '../format.ts';

const STATES = {
  pending: ['neutral', 'Waiting'],
  indexing: ['accent', 'Indexing'],
  ready: ['good', 'Ready'],
  failed: ['bad', 'Failed'],
} as const satisfies Record<Repository['status'], readonly [Tone, string]>;

const SHORT_COMMIT = 7;

export function RepositoryBadge({ repository }: { repository: Pick<Repository, 'status'> }) {
  const [tone, text] = STATES[repository.status];
  return <Badge tone={tone}>{text}</Badge>;
}

/** Indexed commit, its age, and how far it is behind. */
export function Freshness({ repository }: { repository: Pick<Repository, 'commit' | 'freshness' | 'indexed_at'> }) {
  const { commit, freshness, indexed_at: indexedAt } = repository;
  if (commit === null || indexedAt === null) return 'No index yet';
  return (
    <>
      <code className="font-mono" title={commit}>
        {commit.slice(0, SHORT_COMMIT)}
      </code>{' '}
      · {freshness} · indexed <Time at={indexedAt} />
    </>
  );
}

/** Time of the last fetch of a repository by address, and its result. */
export function Fetched({ repository }: { repository: Pick<Repository, 'fetched_at' | 'fetch_result'> }) {
  const { fetched_at: at, fetch_result: result } = repository;
  if (at === null) return null;
  return (
    <>
      fetched <Time at={at} />, {result === 'new_commits' ? 'new commits' : 'no new commits'}
    </>
  );
}

/** Progress of an index run; nothing while none runs. */
export function IndexProgress({ repository }: { repository: Pick<Repository, 'name' | 'status' | 'progress'> }) {
  const { status, progress, name } = repository;
  if (status !== 'indexing' && status !== 'pending') return null;
  const percent = progress === null ? 0 : Math.min(100, Math.max(0, progress.percent));
  return (
    <div className="flex items-center gap-3 text-sm text-quiet">
      <progress aria-label={`Indexing ${name}`} value={percent} max={100} className="progress h-1.5 min-w-24 flex-1" />
      <span className="shrink-0 tabular-nums">
        {progress === null
          ? 'Waiting for a free worker'
          : `${progress.stage}${progress.total > 0 ? ` ${formatNumber(progress.done)} of ${formatNumber(progress.total)}` : ''}`}
      </span>
    </div>
  );
}

/** Reason why the last run failed, and the fix. */
export function IndexError({ error }: Pick<Repository, 'error'>) {
  return error === null ? null : <Failure {...error} />;
}

/**
 * Reason and time of the last failed fetch, and the fix; it is tried again by itself. Nothing where the last run failed with
 * it, which `IndexError` shows.
 */
export function FetchError({ repository }: { repository: Pick<Repository, 'error' | 'fetch_error'> }) {
  const { fetch_error: error } = repository;
  if (error === null || error.message === repository.error?.message) return null;
  return (
    <Failure {...error}>
      The fetch <Time at={error.at} /> failed:{' '}
    </Failure>
  );
}

function Failure({ message, fix, children }: { message: string; fix: string; children?: ReactNode }) {
  return (
    <div className="flex items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
      <Icon name="alert" className="mt-0.5" />
      <p className="min-w-0 [overflow-wrap:anywhere]">
        {children}
        {message}{' '}
        <span className="font-medium">
          <Fix fix={fix} />
        </span>
      </p>
    </div>
  );
}
