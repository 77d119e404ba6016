import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AuditEntry } from '../../src/accounts/account-bodies.ts';
import { useAction, useChanges } from '../action.ts';
import { Change, wordsOf } from '../activity.tsx';
import { Button } from '../components/button.tsx';
import { type Facet, ListPage } from '../components/list-page.tsx';
import { Menu, MenuItem } from '../components/menu.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { type Column, csvOf, jsonLinesOf, saveFile } from '../export-file.ts';
import { formatCount } from '../format.ts';
import { auditChoicesQuery, type AuditFilter, auditQuery, readAudit } from './queries.ts';

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

const COLUMNS: readonly Column<AuditEntry>[] = [
  ['at', ({ at }) => at],
  ['actor', ({ actor }) => actor],
  ['actor_id', ({ actor_id: id }) => id],
  ['action', ({ action }) => action],
  ['target', ({ target }) => target],
  ['target_name', ({ target_name: name }) => name],
  ['detail', ({ detail }) => JSON.stringify(detail)],
];

/** Saves every entry that the filter of the page shows. */
function ExportAudit({ filter }: { filter: AuditFilter }) {
  const { say, tell } = useChanges();
  const save = useAction(async (format: 'csv' | 'jsonl') => {
    const entries = await readAudit(filter);
    if (format === 'csv') saveFile('audit-log.csv', 'text/csv', csvOf(COLUMNS, entries));
    else saveFile('audit-log.jsonl', 'application/jsonl', jsonLinesOf(entries));
    say(`Exported ${formatCount(entries.length, 'entry', 'entries')}`);
  }, tell);
  return (
    <Menu
      trigger={
        <Button icon="download" disabled={save.busy}>
          {save.busy ? 'Exporting…' : 'Export'}
        </Button>
      }
    >
      <MenuItem onSelect={() => save.run('csv')}>CSV, for spreadsheets</MenuItem>
      <MenuItem onSelect={() => save.run('jsonl')}>JSON Lines, one entry a line</MenuItem>
    </Menu>
  );
}
