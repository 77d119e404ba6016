import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { wordsOf } from '../activity.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { FilterField } from '../components/filter-field.tsx';
import { auditFilter } from '../knowledge/filters.ts';
import { auditChoicesQuery, type AuditFilter } from './queries.ts';

/** Which changes are shown; the address says it. */
export function AuditFilters({ filter }: { filter: AuditFilter }) {
  const navigate = useNavigate();
  const { data } = useQuery(auditChoicesQuery());
  const change = (fields: AuditFilter): void =>
    void navigate({ to: '/settings/audit-log', search: auditFilter({ ...filter, ...fields }), replace: true });
  const actors = (data?.actors ?? []).map(({ name, ids }) => ({ value: ids.join(','), label: name }));
  const actions = (data?.actions ?? [])
    .map((action) => ({ value: action, label: wordsOf(action) }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 *:min-w-0 lg:grid-cols-5">
      <FilterField
        label="Words"
        placeholder="Name or id"
        value={filter.query ?? ''}
        onChange={(query) => change({ query })}
      />
      <SelectField
        label="Who"
        value={filter.actor ?? ''}
        choices={withChosen('Everybody', actors, filter.actor)}
        onChoose={(actor) => change({ actor })}
      />
      <SelectField
        label="Action"
        value={filter.action ?? ''}
        choices={withChosen('Any action', actions, filter.action)}
        onChoose={(action) => change({ action })}
      />
      <TextField
        label="From"
        type="date"
        value={filter.since ?? ''}
        max={filter.until}
        onChange={(event) => change({ since: event.target.value })}
      />
      <TextField
        label="To"
        type="date"
        value={filter.until ?? ''}
        min={filter.since}
        onChange={(event) => change({ until: event.target.value })}
      />
    </div>
  );
}

interface Choice {
  value: string;
  label: string;
}

/** What the address says stands in the list even while that is loaded, or when it is gone. */
function withChosen(none: string, known: readonly Choice[], chosen: string | undefined): readonly Choice[] {
  const all = [{ value: '', label: none }, ...known];
  return chosen === undefined || known.some(({ value }) => value === chosen)
    ? all
    : [...all, { value: chosen, label: chosen }];
}
