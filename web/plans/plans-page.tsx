import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { buttonClass, Icon } from '../components/button.tsx';
import { choicesOf } from '../components/field.tsx';
import { type Facet, ListPage } from '../components/list-page.tsx';
import { Time } from '../components/time.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { formatCount } from '../format.ts';
import { type Plan, plansQuery } from '../knowledge/queries.ts';
import { StalenessBadge } from '../knowledge/staleness.tsx';
import { useSession } from '../session.tsx';
import { CODE_STATES, findPlans, PLAN_SORTS, type PlanFilter } from './plan-filter.ts';
import { PLAN_STATUSES, PlanBadge } from './status.tsx';

const route = getRouteApi('/shell/plans');

const FACETS: readonly Facet<keyof PlanFilter>[] = [
  { kind: 'text', name: 'query', label: 'Words' },
  { kind: 'choice', name: 'status', label: 'Status', choices: choicesOf('Any status', PLAN_STATUSES) },
  { kind: 'choice', name: 'code', label: 'Code', choices: choicesOf('Any state', CODE_STATES) },
  { kind: 'choice', name: 'sort', label: 'Sort by', choices: PLAN_SORTS },
];

export function PlansPage() {
  const { product, atLeast } = useSession();
  const filter = route.useSearch();
  const query = useQuery(plansQuery(product.id));
  const plans = query.data?.plans;
  const shown = useMemo(() => plans && findPlans(plans, filter), [plans, filter]);
  return (
    <ListPage
      title="Plans"
      lead="What is planned, and whether the code it names has changed."
      actions={
        atLeast('member') && (
          <Link to="/plans/new" className={buttonClass('primary')}>
            <Icon name="plus" />
            New plan
          </Link>
        )
      }
      noun={{ one: 'plan', all: 'plans' }}
      icon="target"
      query={query}
      rows={shown}
      isBare={plans?.length === 0}
      filter={filter}
      facets={FACETS}
      summary={shown && formatCount(shown.length, 'plan')}
      rowClass="h-[69px]"
      empty={{
        title: 'No plans yet',
        text: 'A plan is a Markdown text. Its tasks become work items, and the files and symbols that it names are watched: when the code moves on, the plan says so. Files under plans/ in a repository are added automatically.',
      }}
      noMatch={`None of the ${formatCount(plans?.length ?? 0, 'plan')} matches these words and filters.`}
    >
      {(rows) => (
        <VirtualList label="Plans" rows={rows} keyOf={({ slug }) => slug} estimatePx={() => 65}>
          {showPlan}
        </VirtualList>
      )}
    </ListPage>
  );
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
          <Link to="/plans/$slug" params={{ slug }} className="name-link">
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
