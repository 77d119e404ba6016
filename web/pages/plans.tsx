import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Icon } from '../components/icon.tsx';
import { Page } from '../components/page.tsx';
import { LoadFailure } from '../components/problem.tsx';
import { SkeletonRows } from '../components/skeleton.tsx';
import { Time } from '../components/time.tsx';
import type { Plan } from '../knowledge/bodies.ts';
import { plansQuery } from '../knowledge/queries.ts';
import { StalenessBadge } from '../knowledge/staleness.tsx';
import { PlanBadge } from '../plans/status.tsx';
import { useSession } from '../session.tsx';

export function PlansPage() {
  const { product, atLeast } = useSession();
  const query = useQuery(plansQuery(product.id));
  const plans = query.data?.plans;
  const add = atLeast('member') && (
    <Link to="/plans/new" className={buttonClass('primary')}>
      <Icon name="plus" />
      New plan
    </Link>
  );
  return (
    <Page
      title="Plans"
      lead="What is planned, and whether the code it names has changed."
      actions={plans !== undefined && plans.length > 0 && add}
    >
      {query.isPending && <SkeletonRows label="Loading plans" rowClass="h-[69px]" />}
      {query.isError && <LoadFailure what="plans" problem={query.error} onRetry={() => void query.refetch()} />}
      {plans?.length === 0 && (
        <EmptyState icon="target" title="No plans yet" action={add}>
          A plan is a Markdown text. Its tasks become work items, and the files and symbols that it names are watched:
          when the code moves on, the plan says so. Files under plans/ in a repository are added automatically.
        </EmptyState>
      )}
      {plans !== undefined && plans.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
          {plans.map((plan) => (
            <PlanRow key={plan.slug} plan={plan} />
          ))}
        </ul>
      )}
    </Page>
  );
}

function PlanRow({ plan }: { plan: Plan }) {
  const { slug, title, status, stale, owner, path, version, items } = plan;
  return (
    <li className="lazy-row flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <Link
            to="/plans/$slug"
            params={{ slug }}
            className="font-medium [overflow-wrap:anywhere] hover:text-accent hover:underline"
          >
            {title}
          </Link>
          <PlanBadge status={status} />
          <StalenessBadge stale={stale} />
        </div>
        <p className="text-sm text-quiet [overflow-wrap:anywhere]">
          {owner !== '' && `${owner} · `}
          {path === null ? `version ${version}` : path}
          {' · '}
          <Time at={plan.updated_at} />
        </p>
      </div>
      {items.total > 0 && (
        <div className="flex items-center gap-2 text-sm text-quiet tabular-nums">
          <progress
            className="progress h-1.5 w-24"
            max={items.total}
            value={items.done}
            aria-label={`Work items of ${title} that are done`}
          />
          {items.done} of {items.total} done
        </div>
      )}
    </li>
  );
}
