import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useChanges } from '../action.ts';
import { post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { FormDialog } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { ListPage } from '../components/list-page.tsx';
import type { Pages } from '../components/page.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { postSignals } from '../form-rules.json';
import { formatCount } from '../format.ts';
import {
  type Signal,
  type SignalCounts,
  signalCountsQuery,
  signalsQuery,
  themesQuery,
  type NewSignal,
  type SavedSignals,
} from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { ExportSignals } from './export-signals.tsx';
import { ImportSignals } from './import-signals.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useSelection } from './selection.ts';
import { useSignalFacets } from './signal-facets.ts';
import { SignalRow } from './signal-row.tsx';

const route = getRouteApi('/shell/signals');
const CHARACTERS_A_LINE = 120;

export function SignalsPage() {
  const { product, atLeast } = useSession();
  const filter = route.useSearch();
  const [opened, setOpened] = useState<'add' | 'import'>();
  const query = useInfiniteQuery(signalsQuery(product.id, filter));
  const first = query.data?.pages[0];
  const signals = useMemo(() => query.data?.pages.flatMap((page) => page.signals), [query.data]);
  const counts = useQuery(signalCountsQuery(product.id)).data;
  const facets = useSignalFacets(counts);
  return (
    <>
      <ListPage
        title="Signals"
        lead="What customers say about this product."
        rowActions={<ExportSignals filter={filter} />}
        actions={
          atLeast('member') && (
            <>
              <Button icon="upload" onClick={() => setOpened('import')}>
                Import
              </Button>
              <Button look="primary" icon="plus" onClick={() => setOpened('add')}>
                Add signal
              </Button>
            </>
          )
        }
        noun={{ one: 'signal', all: 'signals' }}
        icon="speech"
        query={query}
        rows={signals}
        isBare={counts && counts.signals === 0}
        filter={filter}
        facets={facets}
        summary={first && describeCount(first.total, counts)}
        rowClass="h-[72px]"
        empty={{
          title: 'No signals yet',
          text: 'Support tickets, reviews, interviews, issues: import a file, connect a tool or create a webhook on the page Integrations. The service groups them into themes.',
        }}
        noMatch="No signal matches these words and filters."
      >
        {(rows) => <SignalRows signals={rows} total={first?.total ?? rows.length} query={query} />}
      </ListPage>
      {opened === 'add' && <AddSignal onClose={() => setOpened(undefined)} />}
      {opened === 'import' && <ImportSignals onClose={() => setOpened(undefined)} />}
    </>
  );
}

function describeCount(total: number, counts: SignalCounts | undefined): string {
  const duplicates = counts === undefined || counts.folded === 0 ? [] : [formatCount(counts.folded, 'near-duplicate')];
  const customers = counts === undefined ? [] : [`${formatCount(counts.customers, 'customer')} in all`];
  return [formatCount(total, 'signal'), ...customers, ...duplicates].join(' · ');
}

function SignalRows({ signals, total, query }: { signals: readonly Signal[]; total: number; query: Pages }) {
  const { product } = useSession();
  const { data } = useQuery(themesQuery(product.id, { least: 1 }));
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
  return (
    <>
      {selection.rows.length > 0 && <SelectionBar selection={selection} loaded={signals.length} />}
      <VirtualList
        label="Signals"
        rows={signals}
        total={total}
        keyOf={({ id }) => id}
        estimatePx={estimatePx}
        query={query}
      >
        {show}
      </VirtualList>
    </>
  );
}

/** Its lines, the line below and the space about them, in the column of a wide window. */
function estimatePx({ text }: Signal): number {
  return Math.ceil(text.length / CHARACTERS_A_LINE) * 22 + 45;
}

/** Writes down what one customer said. */
function AddSignal({ onClose }: { onClose: () => void }) {
  const { path, apply } = useChanges();
  const form = useForm({ rules: postSignals }, (signal: NewSignal) =>
    apply(post<SavedSignals>(path('signals'), signal), { to: 'signals', done: onClose, says: 'Saved the signal' }),
  );
  return (
    <FormDialog
      title="Add a signal"
      lead="What the customer said, verbatim."
      onClose={onClose}
      action="Add signal"
      form={form}
    >
      <Field of={form} name="text" label="Text" rows={4} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field of={form} name="customer" label="Customer" />
        <Field of={form} name="segment" label="Segment" placeholder="enterprise" />
        <Field of={form} name="source" label="Source" placeholder="support" />
        <Field of={form} name="value" label="Value" />
        <Field of={form} name="date" label="Date" />
        <Field of={form} name="tags" label="Tags" placeholder="export, billing" />
      </div>
      <Field of={form} name="link" label="Link" type="url" placeholder="https://" />
    </FormDialog>
  );
}
