import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Badge } from '../components/badge.tsx';
import { Button, buttonClass } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { choicesOf, SelectField } from '../components/field.tsx';
import { FilterField } from '../components/filter-field.tsx';
import { Icon } from '../components/icon.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { SkeletonRows } from '../components/skeleton.tsx';
import { Time } from '../components/time.tsx';
import { LIST_CLASS, VirtualList } from '../components/virtual-list.tsx';
import { type DecisionFilter, findDecisions } from '../decisions/decision-filter.ts';
import { ExportDecisions } from '../decisions/export-decisions.tsx';
import { DECISION_STATUSES, DecisionBadge } from '../decisions/status.tsx';
import { formatCount } from '../format.ts';
import { Actor } from '../knowledge/actor.tsx';
import type { Decision } from '../knowledge/bodies.ts';
import { decisionFilter } from '../knowledge/filters.ts';
import { decisionsQuery } from '../knowledge/queries.ts';
import { StalenessBadge } from '../knowledge/staleness.tsx';
import { CODE_STATES } from '../plans/plan-filter.ts';
import { useSession } from '../session.tsx';

const route = getRouteApi('/shell/decisions');

export function DecisionsPage() {
  const { product, atLeast } = useSession();
  const [isExporting, setExporting] = useState(false);
  const query = useQuery(decisionsQuery(product.id));
  const decisions = query.data?.decisions;
  const hasAny = decisions !== undefined && decisions.length > 0;
  const record = atLeast('member') && (
    <Link to="/decisions/new" className={buttonClass('primary')}>
      <Icon name="plus" />
      Record decision
    </Link>
  );
  return (
    <Page
      title="Decisions"
      lead="What was decided and why, newest first, and whether the code involved has changed since."
      actions={
        hasAny && (
          <>
            <Button icon="copy" onClick={() => setExporting(true)}>
              Export
            </Button>
            {record}
          </>
        )
      }
    >
      <QueryState
        query={query}
        what="decisions"
        placeholder={<SkeletonRows label="Loading decisions" rowClass="h-[69px]" />}
      />
      {decisions?.length === 0 && (
        <EmptyState icon="compass" title="No decisions yet" action={record}>
          A decision says what was chosen, why, and what else was considered. Agents find it before they undo it, and
          record their own through record-decision-tool.
        </EmptyState>
      )}
      {hasAny && <Found decisions={decisions} />}
      {isExporting && <ExportDecisions onClose={() => setExporting(false)} />}
    </Page>
  );
}

function Found({ decisions }: { decisions: readonly Decision[] }) {
  const filter = route.useSearch();
  const shown = useMemo(() => findDecisions(decisions, filter), [decisions, filter]);
  const tags = useMemo(() => [...new Set(decisions.flatMap((decision) => decision.tags))].toSorted(), [decisions]);
  return (
    <>
      <Filters filter={filter} tags={tags} />
      <p className="mb-2 text-sm text-quiet" role="status">
        {formatCount(shown.length, 'decision')}
      </p>
      {shown.length === 0 ? (
        <EmptyState
          icon="compass"
          title="No decision matches"
          action={
            <Link to="/decisions" className={buttonClass()}>
              Show all decisions
            </Link>
          }
        >
          None of the {formatCount(decisions.length, 'decision')} matches these words and filters. Search finds them by
          content.
        </EmptyState>
      ) : (
        <VirtualList label="Decisions" rows={shown} keyOf={idOf} estimatePx={estimatePx} className={LIST_CLASS}>
          {showDecision}
        </VirtualList>
      )}
    </>
  );
}

function Filters({ filter, tags }: { filter: DecisionFilter; tags: readonly string[] }) {
  const navigate = useNavigate();
  const change = (fields: DecisionFilter): void =>
    void navigate({ to: '/decisions', search: decisionFilter({ ...filter, ...fields }), replace: true });
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 *:min-w-0 lg:grid-cols-4">
      <FilterField label="Words" value={filter.query ?? ''} onChange={(query) => change({ query })} />
      <SelectField
        label="Status"
        value={filter.status ?? ''}
        choices={choicesOf('Any status', DECISION_STATUSES)}
        onChoose={(status) => change({ status })}
      />
      {tags.length > 0 && (
        <SelectField
          label="Tag"
          value={filter.tag ?? ''}
          choices={choicesOf('Any tag', tags)}
          onChoose={(tag) => change({ tag })}
        />
      )}
      <SelectField
        label="Code"
        value={filter.code ?? ''}
        choices={choicesOf('Any state', CODE_STATES)}
        onChoose={(code) => change({ code })}
      />
    </div>
  );
}

function idOf({ id }: Decision): string {
  return id;
}

/** A title and a line below. */
function estimatePx(): number {
  return 63;
}

function showDecision(decision: Decision) {
  return <DecisionRow decision={decision} />;
}

function DecisionRow({ decision }: { decision: Decision }) {
  const { id, title, status, stale, tags } = decision;
  return (
    <div className="px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <Link
          to="/decisions/$decisionId"
          params={{ decisionId: id }}
          className="font-medium [overflow-wrap:anywhere] hover:text-accent hover:underline"
        >
          {title}
        </Link>
        <DecisionBadge status={status} />
        {stale !== null && <StalenessBadge stale={stale} />}
        {tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </div>
      <p className="text-sm text-quiet">
        {id} · <Time at={decision.recorded_at} as="date" /> · <Actor actor={decision.recorded_by} />
        {decision.review_on !== null && ` · review on ${decision.review_on}`}
        {decision.superseded_by !== null && ` · superseded by ${decision.superseded_by}`}
      </p>
    </div>
  );
}
