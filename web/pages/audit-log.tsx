import { useInfiniteQuery } from '@tanstack/react-query';
import { Activity } from '../activity.tsx';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Page } from '../components/page.tsx';
import { LoadFailure } from '../components/problem.tsx';
import { SkeletonRows } from '../components/skeleton.tsx';
import { auditQuery } from '../queries.ts';

export function AuditLogPage() {
  const query = useInfiniteQuery(auditQuery());
  const entries = query.data?.pages.flatMap((page) => page.entries);
  return (
    <Page title="Audit Log" lead="Who changed what, newest first. Entries are never changed or removed.">
      {query.isPending && <SkeletonRows label="Loading the audit log" rows={8} />}
      {query.isError && <LoadFailure what="the audit log" problem={query.error} onRetry={() => void query.refetch()} />}
      {entries?.length === 0 && (
        <EmptyState icon="list" title="No changes yet">
          Keys, repositories, members and sign-ins are recorded here.
        </EmptyState>
      )}
      {entries !== undefined && entries.length > 0 && <Activity entries={entries} />}
      {query.hasNextPage && (
        <Button className="mt-3 w-full" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {query.isFetchingNextPage ? 'Loading…' : 'Earlier changes'}
        </Button>
      )}
    </Page>
  );
}
