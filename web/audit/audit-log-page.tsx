import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AuditEntry } from '../../src/accounts/account-bodies.ts';
import { Change } from '../activity.tsx';
import { ListPage } from '../components/list-page.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { formatCount } from '../format.ts';
import { auditFilter } from '../knowledge/filters.ts';
import { useAuditFacets } from './audit-facets.ts';
import { ExportAudit } from './export-audit.tsx';
import { auditQuery } from './queries.ts';

const route = getRouteApi('/shell/settings/audit-log');

export function AuditLogPage() {
  const filter = route.useSearch();
  const navigate = useNavigate();
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
      filter={{
        filter,
        facets,
        onChange: (fields) =>
          void navigate({
            to: '/settings/audit-log',
            search: (now) => auditFilter({ ...now, ...fields }),
            replace: true,
          }),
      }}
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
