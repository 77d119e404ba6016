import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AuditChoices, AuditEntry, AuditPage } from '../../src/accounts/account-bodies.ts';
import { get } from '../api.ts';
import { readAll } from '../export-file.ts';
import type { auditFilter } from '../knowledge/filters.ts';

const PAGE = 200;

export type AuditFilter = ReturnType<typeof auditFilter>;

export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => get<AuditPage>('audit', { ...filter, limit: PAGE, before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export function auditChoicesQuery() {
  return queryOptions({ queryKey: ['audit-choices'], queryFn: () => get<AuditChoices>('audit/choices') });
}

/** Every entry that matches, newest first. */
export async function readAudit(filter: AuditFilter): Promise<AuditEntry[]> {
  const pages = await readAll((before) => get<AuditPage>('audit', { ...filter, limit: PAGE, before }));
  return pages.flatMap(({ entries }) => entries);
}
