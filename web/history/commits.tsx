import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { CommitPage } from '../../src/commits/history-bodies.ts';
import { FilterField, SelectField } from '../components/field.tsx';
import { EmptyState } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { CommitClass } from './commit-class.tsx';
import { commitsQuery } from './queries.ts';
import { Filters, Notes, PathField, PeriodField, type ViewProps } from './view-parts.tsx';

const TYPES = [
  'feat',
  'fix',
  'perf',
  'refactor',
  'docs',
  'test',
  'build',
  'ci',
  'style',
  'chore',
  'revert',
  'breaking',
];

/** Commits by words and filters, newest first. */
export function Commits({ source, parameters, onChange }: ViewProps) {
  const { since, path, query: words, author, types } = parameters;
  const query = useInfiniteQuery(commitsQuery(source, { since, path, query: words, author, types }));
  const [first] = query.data?.pages ?? [];
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data]);
  const show = useCallback((row: Row) => <CommitRow row={row} id={source.id} />, [source.id]);
  return (
    <>
      <Filters>
        <FilterField
          label="Words"
          placeholder="Words, +added or -removed"
          value={words ?? ''}
          onChange={(text) => onChange({ query: text }, { replace: true })}
        />
        <FilterField
          label="Author"
          placeholder="Name or address"
          value={author ?? ''}
          onChange={(text) => onChange({ author: text }, { replace: true })}
        />
        <SelectField
          label="Type"
          value={types ?? ''}
          choices={[{ value: '', label: 'Any' }, ...TYPES.map((type) => ({ value: type, label: type }))]}
          onChoose={(type) => onChange({ types: type })}
        />
        <PathField parameters={parameters} onChange={onChange} />
        <PeriodField parameters={parameters} onChange={onChange} />
      </Filters>
      <QueryState query={query} what="commits" rows={6} rowClass="h-[61px]" />
      {first !== undefined && rows.length === 0 && (
        <EmptyState icon="history" title="No commit matches">
          {first.notes.join('. ')}
        </EmptyState>
      )}
      {first !== undefined && rows.length > 0 && (
        <>
          <Notes shown={rows.length} page={first} noun="commit" />
          <VirtualList
            label="Commits"
            rows={rows}
            total={Math.max(first.total, rows.length)}
            keyOf={({ sha }) => sha}
            estimatePx={() => 63}
            query={query}
          >
            {show}
          </VirtualList>
        </>
      )}
    </>
  );
}

type Row = CommitPage['rows'][number];

function CommitRow({ row, id }: { row: Row; id: string }) {
  return (
    <div className="px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <Link
          to="/history/$repositoryId/commits/$sha"
          params={{ repositoryId: id, sha: row.sha }}
          className="name-link"
        >
          {row.subject === '' ? '(no message)' : row.subject}
        </Link>
        <CommitClass commit={row} />
      </div>
      <p className="text-sm text-quiet [overflow-wrap:anywhere]">
        <code className="font-mono text-xs">{row.sha.slice(0, 7)}</code> · {row.author} · <Time at={row.date} />
      </p>
    </div>
  );
}
