import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AuditEntry } from '../../src/accounts/account-bodies.ts';
import { Change } from '../activity.tsx';
import { AuditFilters } from '../audit/audit-filters.tsx';
import { ExportAudit } from '../audit/export-audit.tsx';
import { auditQuery } from '../audit/queries.ts';
import { buttonClass } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { SkeletonRows } from '../components/skeleton.tsx';
import { LIST_CLASS, VirtualList } from '../components/virtual-list.tsx';

const route = getRouteApi('/shell/settings/audit-log');

export function AuditLogPage() {
  const filter = route.useSearch();
  const query = useInfiniteQuery(auditQuery(filter));
  const entries = useMemo(() => query.data?.pages.flatMap((page) => page.entries), [query.data]);
  const hasEntries = entries !== undefined && entries.length > 0;
  return (
    <Page
      title="Audit Log"
      lead="Who changed what, newest first. Entries are never changed or removed."
      actions={hasEntries && <ExportAudit filter={filter} />}
    >
      <AuditFilters filter={filter} />
      <QueryState
        query={query}
        what="the audit log"
        placeholder={<SkeletonRows label="Loading the audit log" rows={8} />}
      />
      {entries?.length === 0 && <NoEntries isFiltered={Object.keys(filter).length > 0} />}
      {hasEntries && (
        <VirtualList
          label="Changes"
          rows={entries}
          {...(query.hasNextPage && { total: -1 })}
          keyOf={idOf}
          estimatePx={estimatePx}
          query={query}
          className={LIST_CLASS}
        >
          {showEntry}
        </VirtualList>
      )}
    </Page>
  );
}

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) {
    return (
      <EmptyState icon="list" title="No changes yet">
        Keys, repositories, members and sign-ins are recorded here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="list"
      title="No entry matches"
      action={
        <Link to="/settings/audit-log" className={buttonClass()}>
          Show all entries
        </Link>
      }
    >
      No entry matches these words and filters.
    </EmptyState>
  );
}

function idOf({ id }: AuditEntry): string {
  return id;
}

/** Most entries take one line. */
function estimatePx(): number {
  return 43;
}

function showEntry(entry: AuditEntry) {
  return <Change entry={entry} />;
}
