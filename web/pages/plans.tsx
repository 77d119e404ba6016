import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { buttonClass } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { choicesOf, SelectField } from '../components/field.tsx';
import { FilterField } from '../components/filter-field.tsx';
import { Icon } from '../components/icon.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { SkeletonRows } from '../components/skeleton.tsx';
import { Time } from '../components/time.tsx';
import { LIST_CLASS, VirtualList } from '../components/virtual-list.tsx';
import { formatCount } from '../format.ts';
import type { Plan } from '../knowledge/bodies.ts';
import { planFilter } from '../knowledge/filters.ts';
import { plansQuery } from '../knowledge/queries.ts';
import { StalenessBadge } from '../knowledge/staleness.tsx';
import { CODE_STATES, findPlans, PLAN_SORTS, type PlanFilter } from '../plans/plan-filter.ts';
import { PLAN_STATUSES, PlanBadge } from '../plans/status.tsx';
import { useSession } from '../session.tsx';

const route = getRouteApi('/shell/plans');

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
      <QueryState query={query} what="plans" placeholder={<SkeletonRows label="Loading plans" rowClass="h-[69px]" />} />
      {plans?.length === 0 && (
        <EmptyState icon="target" title="No plans yet" action={add}>
          A plan is a Markdown text. Its tasks become work items, and the files and symbols that it names are watched:
          when the code moves on, the plan says so. Files under plans/ in a repository are added automatically.
        </EmptyState>
      )}
      {plans !== undefined && plans.length > 0 && <Found plans={plans} />}
    </Page>
  );
}

function Found({ plans }: { plans: readonly Plan[] }) {
  const filter = route.useSearch();
  const shown = useMemo(() => findPlans(plans, filter), [plans, filter]);
  return (
    <>
      <Filters filter={filter} />
      <p className="mb-2 text-sm text-quiet" role="status">
        {formatCount(shown.length, 'plan')}
      </p>
      {shown.length === 0 ? (
        <EmptyState
          icon="target"
          title="No plan matches"
          action={
            <Link to="/plans" className={buttonClass()}>
              Show all plans
            </Link>
          }
        >
          None of the {formatCount(plans.length, 'plan')} matches these words and filters.
        </EmptyState>
      ) : (
        <VirtualList label="Plans" rows={shown} keyOf={slugOf} estimatePx={estimatePx} className={LIST_CLASS}>
          {showPlan}
        </VirtualList>
      )}
    </>
  );
}

function Filters({ filter }: { filter: PlanFilter }) {
  const navigate = useNavigate();
  const change = (fields: PlanFilter): void =>
    void navigate({ to: '/plans', search: planFilter({ ...filter, ...fields }), replace: true });
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 *:min-w-0 lg:grid-cols-4">
      <FilterField label="Words" value={filter.query ?? ''} onChange={(query) => change({ query })} />
      <SelectField
        label="Status"
        value={filter.status ?? ''}
        choices={choicesOf('Any status', PLAN_STATUSES)}
        onChoose={(status) => change({ status })}
      />
      <SelectField
        label="Code"
        value={filter.code ?? ''}
        choices={choicesOf('Any state', CODE_STATES)}
        onChoose={(code) => change({ code })}
      />
      <SelectField
        label="Sort by"
        value={filter.sort ?? ''}
        choices={PLAN_SORTS}
        onChoose={(sort) => change({ sort })}
      />
    </div>
  );
}

function slugOf({ slug }: Plan): string {
  return slug;
}

/** A title and a line below. */
function estimatePx(): number {
  return 65;
}

function showPlan(plan: Plan) {
  return <PlanRow plan={plan} />;
}

function PlanRow({ plan }: { plan: Plan }) {
  const { slug, title, status, stale, owner, path, version, items } = plan;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-2.5">
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
    </div>
  );
}
