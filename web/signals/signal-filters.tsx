import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { SelectField } from '../components/field.tsx';
import { FilterField } from '../components/filter-field.tsx';
import type { Signal, SignalList } from '../knowledge/bodies.ts';
import { signalFilter } from '../knowledge/filters.ts';
import { type SignalFilter, themesQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';

const DAY_MS = 24 * 60 * 60_000;

export const INTENTS = ['bug', 'request', 'question', 'praise', 'churn', 'other'] as const satisfies Signal['intent'][];
const POLARITIES = ['negative', 'positive'];
const SORTS = [
  { value: '', label: 'Newest' },
  { value: 'oldest', label: 'Oldest' },
  { value: 'value', label: 'Highest value' },
];
const SPANS = [7, 30, 90, 365];
const VALUES = [100, 1_000, 10_000, 100_000];

interface SignalFiltersProps {
  filter: SignalFilter;
  /** What the product has, whatever is filtered. */
  known: SignalList['counts'];
}

/** What of the signals is shown, and in which order; the address says it. */
export function SignalFilters({ filter, known }: SignalFiltersProps) {
  const { product } = useSession();
  const navigate = useNavigate();
  const themes = useQuery(themesQuery(product.id, { least: 1 })).data?.themes ?? [];
  const change = (fields: SignalFilter): void =>
    void navigate({ to: '/signals', search: signalFilter({ ...filter, ...fields }), replace: true });
  const select = (name: keyof SignalFilter, label: string, choices: readonly Choice[]) => (
    <SelectField
      key={name}
      label={label}
      value={filter[name] ?? ''}
      choices={withChosen(choices, filter[name])}
      onChoose={(value) => change({ [name]: value })}
    />
  );
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 *:min-w-0 lg:grid-cols-5">
      <FilterField
        label="Text"
        value={filter.query ?? ''}
        placeholder="export"
        onChange={(query) => change({ query })}
      />
      <FilterField label="Customer" value={filter.customer ?? ''} onChange={(customer) => change({ customer })} />
      {select('theme', 'Theme', [all('All themes'), ...themes.map(({ id, label }) => ({ value: id, label }))])}
      {select('source', 'Source', [all('All sources'), ...known.sources.map(asChoice)])}
      {known.segments.length > 0 &&
        select('segment', 'Segment', [all('All segments'), ...known.segments.map(asChoice)])}
      {select('intent', 'Intent', [all('Any intent'), ...INTENTS.map(asChoice)])}
      {select('polarity', 'Polarity', [all('Any polarity'), ...POLARITIES.map(asChoice)])}
      {select('since', 'Period', [all('All time'), ...SPANS.map(asSpan)])}
      {select('least_value', 'Value', [all('Any value'), ...VALUES.map(asValue)])}
      {select('sort', 'Sort by', SORTS)}
    </div>
  );
}

interface Choice {
  value: string;
  label: string;
}

function all(label: string): Choice {
  return { value: '', label };
}

function asChoice(value: string): Choice {
  return { value, label: value };
}

/** The address holds the day, so that it shows the same signals tomorrow. */
function asSpan(days: number): Choice {
  const value = new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
  return { value, label: `Last ${days} days` };
}

function asValue(value: number): Choice {
  return { value: String(value), label: `${value.toLocaleString('en')} or more` };
}

/** What the address says stands in the list even while that is loaded, or when it is gone. */
function withChosen(known: readonly Choice[], chosen: string | undefined): readonly Choice[] {
  const isKnown = chosen === undefined || known.some(({ value }) => value === chosen);
  return isKnown ? known : [...known, { value: chosen, label: /^\d{4}-/.test(chosen) ? `Since ${chosen}` : chosen }];
}
