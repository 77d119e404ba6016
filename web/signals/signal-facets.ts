import { useQuery } from '@tanstack/react-query';
import type { Facet } from '../components/list-page.tsx';
import { formatNumber } from '../format.ts';
import { type Signal, type SignalCounts, type SignalFilter, themesQuery } from '../knowledge/queries.ts';
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

/** Filters and orders of signals. `counts` are those of the product, whatever is filtered. */
export function useSignalFacets(counts: SignalCounts | undefined): Facet<keyof SignalFilter>[] {
  const { product } = useSession();
  const themes = useQuery(themesQuery(product.id, { least: 1 })).data?.themes ?? [];
  const segments = counts?.segments ?? [];
  return [
    { kind: 'text', name: 'query', label: 'Text', placeholder: 'export' },
    { kind: 'text', name: 'customer', label: 'Customer' },
    select(
      'theme',
      'Theme',
      'All themes',
      themes.map(({ id, label }) => ({ value: id, label })),
    ),
    select('source', 'Source', 'All sources', (counts?.sources ?? []).map(asChoice)),
    ...(segments.length > 0 ? [select('segment', 'Segment', 'All segments', segments.map(asChoice))] : []),
    select('intent', 'Intent', 'Any intent', INTENTS.map(asChoice)),
    select('polarity', 'Polarity', 'Any polarity', POLARITIES.map(asChoice)),
    select('since', 'Period', 'All time', SPANS.map(asSpan)),
    select('least_value', 'Value', 'Any value', VALUES.map(asValue)),
    { kind: 'choice', name: 'sort', label: 'Sort by', choices: SORTS },
  ];
}

function select(
  name: keyof SignalFilter,
  label: string,
  none: string,
  choices: readonly Choice[],
): Facet<keyof SignalFilter> {
  return { kind: 'choice', name, label, choices: [{ value: '', label: none }, ...choices] };
}

interface Choice {
  value: string;
  label: string;
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
  return { value: String(value), label: `${formatNumber(value)} or more` };
}
