import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Button, buttonClass, Icon } from '../components/button.tsx';
import { CopyButton, Snippet } from '../components/copy.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { choicesOf } from '../components/field.tsx';
import { Badge, OwnCommand } from '../components/inline.tsx';
import { type Facet, ListPage } from '../components/list-page.tsx';
import { Problem, SkeletonBox } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { formatCount } from '../format.ts';
import { Actor } from '../knowledge/actor.tsx';
import { type Decision, decisionsQuery } from '../knowledge/queries.ts';
import { StalenessBadge } from '../knowledge/staleness.tsx';
import { CODE_STATES } from '../plans/plan-filter.ts';
import { readQuery } from '../queries.ts';
import { useSession } from '../session.tsx';
import { type DecisionFilter, findDecisions } from './decision-filter.ts';
import { DECISION_STATUSES, DecisionBadge } from './status.tsx';

const route = getRouteApi('/shell/decisions');

export function DecisionsPage() {
  const { product, atLeast } = useSession();
  const [isExporting, setExporting] = useState(false);
  const filter = route.useSearch();
  const query = useQuery(decisionsQuery(product.id));
  const decisions = query.data?.decisions;
  const shown = useMemo(() => decisions && findDecisions(decisions, filter), [decisions, filter]);
  const facets = useMemo(() => facetsOf(decisions ?? []), [decisions]);
  return (
    <>
      <ListPage
        title="Decisions"
        lead="What was decided and why, newest first, and whether the code involved has changed since."
        rowActions={
          <Button icon="copy" onClick={() => setExporting(true)}>
            Export
          </Button>
        }
        actions={
          atLeast('member') && (
            <Link to="/decisions/new" className={buttonClass('primary')}>
              <Icon name="plus" />
              Record decision
            </Link>
          )
        }
        noun={{ one: 'decision', all: 'decisions' }}
        icon="compass"
        query={query}
        rows={shown}
        isBare={decisions?.length === 0}
        filter={filter}
        facets={facets}
        summary={shown && formatCount(shown.length, 'decision')}
        rowClass="h-[69px]"
        empty={{
          title: 'No decisions yet',
          text: 'A decision says what was chosen, why, and what else was considered. Agents find it before they undo it, and record their own through record-decision-tool.',
        }}
        noMatch={`None of the ${formatCount(decisions?.length ?? 0, 'decision')} matches these words and filters. Search finds them by content.`}
      >
        {(rows) => (
          <VirtualList label="Decisions" rows={rows} keyOf={({ id }) => id} estimatePx={() => 63}>
            {showDecision}
          </VirtualList>
        )}
      </ListPage>
      {isExporting && <ExportDecisions onClose={() => setExporting(false)} />}
    </>
  );
}

function facetsOf(decisions: readonly Decision[]): Facet<keyof DecisionFilter>[] {
  const tags = [...new Set(decisions.flatMap((decision) => decision.tags))].toSorted();
  return [
    { kind: 'text', name: 'query', label: 'Words' },
    { kind: 'choice', name: 'status', label: 'Status', choices: choicesOf('Any status', DECISION_STATUSES) },
    ...(tags.length > 0
      ? [{ kind: 'choice', name: 'tag', label: 'Tag', choices: choicesOf('Any tag', tags) } as const]
      : []),
    { kind: 'choice', name: 'code', label: 'Code', choices: choicesOf('Any state', CODE_STATES) },
  ];
}

function showDecision(decision: Decision) {
  return <DecisionRow decision={decision} />;
}

function DecisionRow({ decision }: { decision: Decision }) {
  const { id, title, status, stale, tags } = decision;
  return (
    <div className="px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <Link to="/decisions/$decisionId" params={{ decisionId: id }} className="name-link">
          {title}
        </Link>
        <DecisionBadge status={status} />
        {stale !== null && <StalenessBadge stale={stale} />}
        {tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </div>
      <p className="text-sm text-quiet">
        {id} · {decision.decided_on ?? <Time at={decision.recorded_at} as="date" />} ·{' '}
        <Actor actor={decision.recorded_by} />
        {decision.review_on !== null && ` · review on ${decision.review_on}`}
        {decision.superseded_by !== null && ` · superseded by ${decision.superseded_by}`}
      </p>
    </div>
  );
}

interface AdrFiles {
  files: { path: string; content: string }[];
}

/** All decisions as Markdown Architectural Decision Records, to be copied. */
function ExportDecisions({ onClose }: { onClose: () => void }) {
  const { product } = useSession();
  const { data, error, isPending } = useQuery(
    readQuery<AdrFiles>('decisions', 'decisions/files', { product: product.id }),
  );
  const files = data?.files ?? [];
  const all = files.map(({ path, content }) => `=== ${path} ===\n${content}`).join('\n');
  return (
    <Dialog
      title="Decisions as files"
      lead={
        <>
          Markdown Architectural Decision Records. <OwnCommand words="decision export docs/adr" /> writes them into a
          folder.
        </>
      }
      onClose={onClose}
    >
      {error !== null && <Problem problem={{ message: error.message, fix: '' }} />}
      {isPending && <SkeletonBox label="Loading the files" className="h-48" />}
      <div className="flex flex-col gap-3">
        {files.map(({ path, content }) => (
          <Snippet key={path} title={path} label={path} text={content} />
        ))}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        {files.length > 1 && <CopyButton look="primary" label="Copy all" text={all} />}
      </DialogActions>
    </Dialog>
  );
}
