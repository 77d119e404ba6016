import type { AuditEntry } from '../../src/accounts/account-bodies.ts';
import { useAction, useChanges } from '../action.ts';
import { Button } from '../components/button.tsx';
import { Menu, MenuItem } from '../components/menu.tsx';
import { type Column, csvOf, jsonLinesOf, saveFile } from '../export-file.ts';
import { formatCount } from '../format.ts';
import { type AuditFilter, readAudit } from './queries.ts';

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
export function ExportAudit({ filter }: { filter: AuditFilter }) {
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
