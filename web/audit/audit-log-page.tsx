import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AuditEntry } from '../../src/accounts/account-bodies.ts';
import { Change, wordsOf } from '../activity.tsx';
import { type Facet, ListPage } from '../components/list-page.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { formatCount } from '../format.ts';
import { ExportAudit } from './export-audit.tsx';
import { auditChoicesQuery, type AuditFilter, auditQuery } from './queries.ts';

const route = getRouteApi('/shell/settings/audit-log');

export function AuditLogPage() {
  const filter = route.useSearch();
  const facets = useAuditFacets(filter);
  const query = useInfiniteQuery(auditQuery(filter));
  const entries = useMemo(() => query.data?.pages.flatMap((page) => page.entries), [query.data]);
  return (
    <ListPage
      title="Audit Log"
      lead="Who changed what, newest first. Entries are never changed or removed."
      rowActions={entries?.length !== 0 && <ExportAudit filter={filter} />}
      noun={{ one: 'entry', all: 'entries' }}
      icon="list"
      query={query}
      rows={entries}
      filter={filter}
      facets={facets}
      summary={entries && describeCount(entries.length, query.hasNextPage)}
      empty={{ title: 'No changes yet', text: 'Keys, repositories, members and sign-ins are recorded here.' }}
      noMatch="No entry matches these words and filters."
    >
      {(rows) => (
        <VirtualList
          label="Changes"
          rows={rows}
          {...(query.hasNextPage && { total: -1 })}
          keyOf={({ id }) => id}
          estimatePx={() => 43}
          query={query}
        >
          {showEntry}
        </VirtualList>
      )}
    </ListPage>
  );
}

/** The whole log is never counted. */
function describeCount(loaded: number, hasMore: boolean): string {
  return hasMore ? `The newest ${formatCount(loaded, 'entry', 'entries')}` : formatCount(loaded, 'entry', 'entries');
}

function showEntry(entry: AuditEntry) {
  return <Change entry={entry} />;
}

/** Filters of the audit log: people and actions that occur in it, and days. */
function useAuditFacets({ since, until }: AuditFilter): Facet<keyof AuditFilter>[] {
  const { data } = useQuery(auditChoicesQuery());
  const actors = (data?.actors ?? []).map(({ name, ids }) => ({ value: ids.join(','), label: name }));
  const actions = (data?.actions ?? [])
    .map((action) => ({ value: action, label: wordsOf(action) }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  return [
    { kind: 'text', name: 'query', label: 'Words', placeholder: 'Name or id' },
    { kind: 'choice', name: 'actor', label: 'Who', choices: [{ value: '', label: 'Everybody' }, ...actors] },
    { kind: 'choice', name: 'action', label: 'Action', choices: [{ value: '', label: 'Any action' }, ...actions] },
    { kind: 'day', name: 'since', label: 'From', to: until },
    { kind: 'day', name: 'until', label: 'To', from: since },
  ];
}
