import type { AuditChoices, AuditEntry, AuditPage } from '../../src/accounts/account-bodies.ts';
import { get } from '../api.ts';
import { readAll } from '../export-file.ts';
import type { auditFilter } from '../knowledge/filters.ts';
import { readQuery, readPages } from '../queries.ts';

const PAGE = 200;

export type AuditFilter = ReturnType<typeof auditFilter>;

export function auditQuery(filter: AuditFilter) {
  return readPages<AuditPage>('audit', 'audit', { ...filter, limit: PAGE }, { cursor: 'before' });
}

export function auditChoicesQuery() {
  return readQuery<AuditChoices>('audit', 'audit/choices');
}

/** Every entry that matches, newest first. */
export async function readAudit(filter: AuditFilter): Promise<AuditEntry[]> {
  const pages = await readAll((before) => get<AuditPage>('audit', { ...filter, limit: PAGE, before }));
  return pages.flatMap(({ entries }) => entries);
}
