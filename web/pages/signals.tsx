import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { Button, buttonClass } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import type { Pages } from '../components/load-more.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { SkeletonRows } from '../components/skeleton.tsx';
import { LIST_CLASS, VirtualList } from '../components/virtual-list.tsx';
import { formatCount } from '../format.ts';
import type { Signal, SignalList } from '../knowledge/bodies.ts';
import { signalsQuery, themesQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { AddSignal } from '../signals/add-signal.tsx';
import { ImportSignals } from '../signals/import-signals.tsx';
import { ExportSignals } from '../signals/export-button.tsx';
import { useSelection } from '../signals/selection.ts';
import { SelectionBar } from '../signals/selection-bar.tsx';
import { SignalFilters } from '../signals/signal-filters.tsx';
import { SignalRow } from '../signals/signal-row.tsx';

const route = getRouteApi('/shell/signals');
const CHARACTERS_A_LINE = 120;

export function SignalsPage() {
  const { product, atLeast } = useSession();
  const filter = route.useSearch();
  const [opened, setOpened] = useState<'add' | 'import'>();
  const query = useInfiniteQuery(signalsQuery(product.id, filter));
  const first = query.data?.pages[0];
  const actions = atLeast('member') && (
    <>
      <Button icon="upload" onClick={() => setOpened('import')}>
        Import
      </Button>
      <Button look="primary" icon="plus" onClick={() => setOpened('add')}>
        Add signal
      </Button>
    </>
  );
  const isBare = first?.counts.signals === 0;
  return (
    <Page
      title="Signals"
      lead="What customers say about this product."
      actions={
        first !== undefined &&
        !isBare && (
          <>
            <ExportSignals filter={filter} />
            {actions}
          </>
        )
      }
    >
      <QueryState
        query={query}
        what="signals"
        placeholder={<SkeletonRows label="Loading signals" rowClass="h-[72px]" />}
      />
      {isBare && (
        <EmptyState icon="speech" title="No signals yet" action={actions}>
          Support tickets, reviews, interviews, issues: import a file, connect a tool or create a webhook on the page
          Integrations. The service groups them into themes.
        </EmptyState>
      )}
      {first !== undefined && !isBare && (
        <>
          <SignalFilters filter={filter} known={first.counts} />
          <Found query={query} />
        </>
      )}
      {opened === 'add' && <AddSignal onClose={() => setOpened(undefined)} />}
      {opened === 'import' && <ImportSignals onClose={() => setOpened(undefined)} />}
    </Page>
  );
}

interface FoundProps {
  query: Pages & { data: { pages: readonly SignalList[] } | undefined };
}

function Found({ query }: FoundProps) {
  const { product } = useSession();
  const { data } = useQuery(themesQuery(product.id, { least: 1 }));
  const signals = useMemo(() => query.data?.pages.flatMap((page) => page.signals) ?? [], [query.data]);
  const selection = useSelection(signals);
  const { has, choose } = selection;
  const labels = useMemo(() => new Map(data?.themes.map(({ id, label }) => [id, label])), [data]);
  const show = useCallback(
    (signal: Signal) => (
      <SignalRow
        signal={signal}
        theme={signal.theme === null ? undefined : labels.get(signal.theme)}
        selection={{ isSelected: has(signal.id), onChoose: choose }}
      />
    ),
    [labels, has, choose],
  );
  const first = query.data?.pages[0];
  if (first === undefined) return null;
  if (signals.length === 0) {
    return (
      <EmptyState
        icon="speech"
        title="No matches"
        action={
          <Link to="/signals" className={buttonClass()}>
            Show all signals
          </Link>
        }
      >
        No signal matches these words and filters.
      </EmptyState>
    );
  }
  return (
    <>
      <p className="mb-2 text-sm text-quiet" role="status">
        {formatCount(first.total, 'signal')} · {formatCount(first.counts.customers, 'customer')} in all
        {first.counts.folded > 0 && ` · ${formatCount(first.counts.folded, 'near-duplicate')}`}
      </p>
      {selection.rows.length > 0 && <SelectionBar selection={selection} loaded={signals.length} />}
      <VirtualList
        label="Signals"
        rows={signals}
        total={first.total}
        keyOf={idOf}
        estimatePx={estimatePx}
        query={query}
        className={LIST_CLASS}
      >
        {show}
      </VirtualList>
    </>
  );
}

function idOf({ id }: Signal): string {
  return id;
}

/** Its lines, the line below and the space about them, in the column of a wide window. */
function estimatePx({ text }: Signal): number {
  return Math.ceil(text.length / CHARACTERS_A_LINE) * 22 + 45;
}
