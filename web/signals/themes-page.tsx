import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Action, useAction, useChanges } from '../action.ts';
import { send } from '../api.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { Badge } from '../components/inline.tsx';
import { type Facet, ListPage } from '../components/list-page.tsx';
import { Table, actionsColumn, Cell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { formatCount, formatNumber } from '../format.ts';
import { type Theme, themesQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { MergeThemes } from './merge-themes.tsx';
import { type Selection, useSelection } from './selection.ts';
import { ThemeMenu } from './theme-changes.tsx';
import { TrendSummary } from './trend-words.tsx';

const route = getRouteApi('/shell/themes');

const SORTS = [
  { value: '', label: 'Most signals' },
  { value: 'customers', label: 'Most customers' },
  { value: 'rising', label: 'New and rising first' },
  { value: 'newest', label: 'Newest' },
] as const;

const FACETS: readonly Facet<'query' | 'sort'>[] = [
  { kind: 'text', name: 'query', label: 'Words', placeholder: 'export' },
  { kind: 'choice', name: 'sort', label: 'Sort by', choices: SORTS },
];

export function ThemesPage() {
  const { product } = useSession();
  const filter = route.useSearch();
  const { query: words, sort } = filter;
  const query = useQuery(themesQuery(product.id, { least: 1, ...(words !== undefined && { query: words }) }));
  return (
    <ListPage
      title="Themes"
      lead="What signals have in common: a guess from what they mean and their words, to be named and merged. What appears, or is said more than usual, is marked."
      noun={{ one: 'theme', all: 'themes' }}
      icon="tag"
      query={query}
      rows={query.data?.themes.toSorted(orderOf(sort))}
      filter={filter}
      facets={FACETS}
      summary={query.data && formatCount(query.data.total, 'theme')}
      empty={{
        title: 'No themes yet',
        text: 'Themes appear as soon as several signals say something similar.',
        action: (
          <Link to="/signals" className={buttonClass()}>
            Go to the signals
          </Link>
        ),
      }}
      noMatch="No signal in a theme matches these words."
    >
      {(rows) => <ThemeTable themes={rows} />}
    </ListPage>
  );
}

function orderOf(sort: string | undefined): (a: Theme, b: Theme) => number {
  if (sort === 'customers') return (a, b) => b.customers - a.customers;
  if (sort === 'newest') return (a, b) => Date.parse(b.newest) - Date.parse(a.newest);
  // The least likely to be an accident comes first.
  if (sort === 'rising') return (a, b) => rank(a) - rank(b) || a.trend.chance - b.trend.chance;
  return (a, b) => b.signals - a.signals;
}

function rank({ trend }: Theme): number {
  return { new: 0, rising: 1, steady: 2, falling: 3, past: 4 }[trend.direction];
}

function ThemeTable({ themes }: { themes: readonly Theme[] }) {
  const { atLeast } = useSession();
  const selection = useSelection(themes);
  return (
    <>
      {selection.rows.length > 0 && <SelectedThemes selection={selection} />}
      <Table
        caption="Themes"
        columns={[
          atLeast('member') && [<span className="sr-only">Selected</span>, 'w-8'],
          'Theme',
          ['Signals', 'text-right'],
          ['Customers', 'text-right max-sm:hidden'],
          ['Trend', 'max-sm:hidden'],
          ['Newest', 'max-md:hidden'],
          atLeast('member') && actionsColumn(),
        ]}
      >
        {themes.map((theme) => (
          <tr key={theme.id} className={selection.has(theme.id) ? 'bg-accent-soft' : undefined}>
            {atLeast('member') && (
              <td className="pl-3">
                <input
                  type="checkbox"
                  checked={selection.has(theme.id)}
                  aria-label={`Select ${theme.label}`}
                  className="block size-4.5 accent-accent"
                  onChange={({ nativeEvent }) =>
                    selection.choose(theme.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
                  }
                />
              </td>
            )}
            <ThemeCells theme={theme} />
          </tr>
        ))}
      </Table>
    </>
  );
}

function SelectedThemes({ selection: { rows, clear } }: { selection: Selection<Theme> }) {
  const [isMerging, setMerging] = useState(false);
  const pin = usePinThemes();
  const isPinned = rows.every(({ labelled }) => labelled);
  return (
    <div
      role="group"
      aria-label="Selected themes"
      className="sticky top-2 z-20 mb-2 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-raised px-3 py-2 shadow-lg max-md:top-16"
    >
      <span className="mr-auto font-medium" role="status">
        {formatCount(rows.length, 'theme')} selected
      </span>
      <Button disabled={pin.busy} onClick={() => pin.run({ themes: rows, pinned: !isPinned })}>
        {isPinned ? 'Unpin' : 'Pin'}
      </Button>
      {rows.length > 1 ? (
        <Button icon="link" onClick={() => setMerging(true)}>
          Merge…
        </Button>
      ) : (
        <span className="text-sm text-quiet">Select another one to merge them.</span>
      )}
      <Button look="ghost" onClick={clear}>
        Clear
      </Button>
      {isMerging && <MergeThemes themes={rows} onClose={() => setMerging(false)} onDone={clear} />}
    </div>
  );
}

function ThemeCells({ theme }: { theme: Theme }) {
  const { atLeast } = useSession();
  return (
    <>
      <RowHeader className="w-full min-w-32 sm:w-1/3 font-normal">
        <Link
          to="/themes/$themeId"
          params={{ themeId: theme.id }}
          className="font-medium wrap-break-word hover:text-accent hover:underline"
        >
          {theme.label}
        </Link>
        {theme.labelled && (
          <>
            {' '}
            <Badge tone="neutral">pinned</Badge>
          </>
        )}
        {theme.parts.length > 0 && (
          <span className="block text-sm text-quiet [overflow-wrap:anywhere]">
            {theme.parts.map(({ label, signals }) => `${label} (${signals})`).join(' · ')}
          </span>
        )}
        {theme.place !== null && (
          <code className="block font-mono text-xs leading-5 text-quiet [overflow-wrap:anywhere]">{theme.place}</code>
        )}
        <span className="mt-1 block sm:hidden">
          <TrendSummary trend={theme.trend} />
        </span>
      </RowHeader>
      <Cell className="text-right tabular-nums">{formatNumber(theme.signals)}</Cell>
      <Cell className="text-right tabular-nums max-sm:hidden">{formatNumber(theme.customers)}</Cell>
      <Cell className="max-sm:hidden">
        <TrendSummary trend={theme.trend} />
      </Cell>
      <Cell className="text-quiet max-md:hidden">
        <Time at={theme.newest} as="date" className="whitespace-nowrap" />
      </Cell>
      {atLeast('member') && (
        <td className="px-2 text-right">
          <ThemeMenu theme={theme} />
        </td>
      )}
    </>
  );
}

interface PinChange {
  themes: readonly Theme[];
  pinned: boolean;
}

/** Pins themes with the names that they have, or unpins them; the message that tells of it takes it back. */
function usePinThemes(): Action<PinChange> {
  const { path, apply, tell } = useChanges();
  return useAction(({ themes, pinned }: PinChange) => {
    const changed = themes.filter(({ labelled }) => labelled !== pinned);
    const set = async (to: boolean): Promise<void> => {
      for (const { id } of changed) await send('PATCH', path(`themes/${encodeURIComponent(id)}`), { pinned: to });
    };
    const says = `${pinned ? 'Pinned' : 'Unpinned'} ${formatCount(changed.length, 'theme')}`;
    return apply(set(pinned), { to: 'signals', says, undo: () => set(!pinned) });
  }, tell);
}
