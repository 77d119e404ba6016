import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FilterField, SelectField } from '../components/field.tsx';
import { LoadMore } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { formatTotal } from '../format.ts';
import type { ChangeHistory, HistoryParameters } from './parameters.ts';
import type { HistorySource } from './queries.ts';

/** Props of every view of a history. */
export interface ViewProps {
  source: HistorySource;
  parameters: HistoryParameters;
  onChange: ChangeHistory;
}

const PERIODS = [
  { value: '90d', label: '90 days' },
  { value: '', label: '12 months' },
  { value: '1095d', label: '3 years' },
  { value: '1980-01-01', label: 'The whole history' },
];

export function PeriodField({ parameters, onChange }: Pick<ViewProps, 'parameters' | 'onChange'>) {
  const since = parameters.since ?? '';
  const isListed = PERIODS.some(({ value }) => value === since);
  return (
    <SelectField
      label="Period"
      value={since}
      choices={isListed ? PERIODS : [...PERIODS, { value: since, label: `Since ${since}` }]}
      onChoose={(value) => onChange({ since: value })}
    />
  );
}

export function PathField({ parameters, onChange }: Pick<ViewProps, 'parameters' | 'onChange'>) {
  return (
    <FilterField
      label="Path"
      placeholder="File, folder or glob"
      value={parameters.path ?? ''}
      onChange={(path) => onChange({ path }, { replace: true })}
    />
  );
}

export function Filters({ children }: { children: ReactNode }) {
  return <div className="mb-4 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-5">{children}</div>;
}

interface NotesProps {
  shown: number;
  page: { total: number; at_least: boolean; notes: readonly string[] };
  noun: string;
  plural?: string;
}

/** Number of rows, their period, and what was omitted. */
export function Notes({ shown, page, noun, plural = `${noun}s` }: NotesProps) {
  return (
    <p role="status" className="mb-2 text-sm text-quiet [overflow-wrap:anywhere]">
      {formatTotal({ ...page, shown }, noun, plural)}
      {page.notes.map((note) => ` · ${note}`)}
    </p>
  );
}

interface ListPage {
  total: number;
  at_least: boolean;
  notes: readonly string[];
  rows: readonly unknown[];
}

interface ListViewProps<Page extends ListPage> extends Pick<ViewProps, 'parameters' | 'onChange'> {
  query: UseInfiniteQueryResult<InfiniteData<Page>>;
  /** Name of the loaded thing. */
  what: string;
  noun: string;
  empty: ReactNode;
  children: (rows: Page['rows'][number][]) => ReactNode;
}

/** A list of a period and a path: its filters, what there is instead of rows, and the rows with how many they are. */
export function ListView<Page extends ListPage>(props: ListViewProps<Page>) {
  const { parameters, onChange, query, what, noun, empty, children } = props;
  const [first] = query.data?.pages ?? [];
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      <Filters>
        <PeriodField parameters={parameters} onChange={onChange} />
        <PathField parameters={parameters} onChange={onChange} />
      </Filters>
      <QueryState query={query} what={what} rows={6} />
      {first !== undefined && rows.length === 0 && empty}
      {first !== undefined && rows.length > 0 && (
        <>
          <Notes shown={rows.length} page={first} noun={noun} />
          {children(rows)}
        </>
      )}
      <LoadMore query={query} />
    </>
  );
}
