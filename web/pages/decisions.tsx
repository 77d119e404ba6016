import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge } from '../components/badge.tsx';
import { Button, buttonClass } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Icon } from '../components/icon.tsx';
import { Page } from '../components/page.tsx';
import { LoadFailure } from '../components/problem.tsx';
import { SkeletonRows } from '../components/skeleton.tsx';
import { Time } from '../components/time.tsx';
import { ExportDecisions } from '../decisions/export-decisions.tsx';
import { DecisionBadge } from '../decisions/status.tsx';
import { Actor } from '../knowledge/actor.tsx';
import type { Decision } from '../knowledge/bodies.ts';
import { decisionsQuery } from '../knowledge/queries.ts';
import { StalenessBadge } from '../knowledge/staleness.tsx';
import { useSession } from '../session.tsx';

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
      {query.isPending && <SkeletonRows label="Loading decisions" rowClass="h-[69px]" />}
      {query.isError && <LoadFailure what="decisions" problem={query.error} onRetry={() => void query.refetch()} />}
      {decisions?.length === 0 && (
        <EmptyState icon="compass" title="No decisions yet" action={record}>
          A decision says what was chosen, why, and what else was considered. Agents find it before they undo it, and
          record their own through record-decision-tool.
        </EmptyState>
      )}
      {hasAny && (
        <ol className="divide-y divide-line rounded-lg border border-line bg-panel">
          {decisions.map((decision) => (
            <DecisionRow key={decision.id} decision={decision} />
          ))}
        </ol>
      )}
      {isExporting && <ExportDecisions onClose={() => setExporting(false)} />}
    </Page>
  );
}

function DecisionRow({ decision }: { decision: Decision }) {
  const { id, title, status, stale, tags } = decision;
  return (
    <li className="lazy-row px-4 py-2.5">
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
    </li>
  );
}
