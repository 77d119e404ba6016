import { roundTo } from '../../kernel/shown-values.ts';
import type { CountRow } from '../../search/search.ts';
import type { Count, Scope } from './signal-query.ts';

/** Returns the property that the signals of a scope share, as the end of a sentence: `mention “bots” with rating=1 in 2023`. */
export function predicate(scope: Scope, whole: Scope): string {
  const { query, filter = [], since, until } = scope;
  const more = filter.filter((condition) => whole.filter?.includes(condition) !== true);
  const about = query === undefined ? '' : `mention “${query}”`;
  const has = more.length === 0 ? '' : `${query === undefined ? 'have' : 'with'} ${more.join(' and ')}`;
  const isSame = whole.since === since && whole.until === until;
  const when =
    isSame || since === undefined
      ? ''
      : `${about === '' && has === '' ? 'are from' : 'in'} ${nameOf({ since, until: until ?? since })}`;
  return [about, has, when].filter((part) => part !== '').join(' ') || 'are there';
}

/** The same behind `the signals`: `with rating=1 in 2023`; empty for all. */
export function describe({ query, filter = [], since, until }: Scope): string {
  return [
    ...(query === undefined ? [] : [`that mention “${query}”`]),
    ...(filter.length === 0 ? [] : [`with ${filter.join(' and ')}`]),
    ...(since === undefined ? [] : [`in ${nameOf({ since, until: until ?? since })}`]),
  ].join(' ');
}

export function after(words: string): string {
  return words === '' ? '' : ` ${words}`;
}

/** `2023-01`, `2022-09 to 2022-11`. */
export function nameOf({ since, until }: { since: string; until: string }): string {
  return since === until ? since : `${since} to ${until}`;
}

export function number(value: number): string {
  return value.toLocaleString('en');
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '0 %' : `${(Math.round((part / whole) * 1_000) / 10).toFixed(1)} %`;
}

/** `rose`, `fell`, or `is the same`, where a difference of so much is none. */
export function compareNumbers(before: number, now: number, least: number): string {
  if (Math.abs(now - before) <= least) return 'is about the same';
  return now > before ? 'rose' : 'fell';
}

/** `116 are negative, 45 neutral`. */
export function tonesOf({ rows, lacking }: Pick<Count, 'rows' | 'lacking'>): string {
  const parts = rows.map(({ value = '', signals }) => `${number(signals)} are ${value}`);
  return [...parts, ...(lacking > 0 ? [`${number(lacking)} have no clear tone`] : [])].join(', ');
}

/** A value as people know it: the name of a language or country beside its code. */
export function valueName({ value = '' }: Pick<CountRow, 'value'>): string {
  const type = /^[A-Z]{2}$/.test(value) ? 'region' : /^[a-z]{2}$/.test(value) ? 'language' : undefined;
  const name = type === undefined ? undefined : new Intl.DisplayNames('en', { type, fallback: 'none' }).of(value);
  return name === undefined ? value : `${name} (${value})`;
}

/** Months joined to years; customers of several months are counted in each. */
export function yearsOf(rows: readonly CountRow[]): CountRow[] {
  const years = Map.groupBy(rows, ({ value = '' }) => value.slice(0, 4));
  return Array.from(years, ([value, own]) => {
    const sum = (of: (row: CountRow) => number): number => own.reduce((total, row) => total + of(row), 0);
    const signals = sum((row) => row.signals);
    const rated = own.filter((row) => row.mean_rating !== undefined);
    const stars = rated.reduce((total, row) => total + (row.mean_rating ?? 0) * row.signals, 0);
    const of = rated.reduce((total, row) => total + row.signals, 0);
    return {
      value,
      signals,
      customers: sum((row) => row.customers),
      share: sum((row) => row.share),
      ...(of > 0 && { mean_rating: roundTo(2, stars / of) }),
    };
  });
}
