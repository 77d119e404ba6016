import { useQuery } from '@tanstack/react-query';
import { wordsOf } from '../activity.tsx';
import type { Facet } from '../components/list-page.tsx';
import { auditChoicesQuery, type AuditFilter } from './queries.ts';

/** Filters of the audit log: people and actions that occur in it, and days. */
export function useAuditFacets({ since, until }: AuditFilter): Facet<keyof AuditFilter>[] {
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
