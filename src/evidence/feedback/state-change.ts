import { ThemesOutput } from '../../search/search.ts';
import type { Fact } from '../model/brief.ts';
import { joinPeriods, type Period } from './periods.ts';
import { compareNumbers, nameOf, number, percent, predicate } from './phrases.ts';
import { OPERATION, type Scope, type SignalQuery } from './signal-query.ts';

type Span = Pick<Period, 'since' | 'until'>;

const MOST_THEMES = 8;
/** Fewer mentions a month begin nothing. */
const LEAST_MENTIONS = 3;
/** A mean that moved less is the same, and a share that changed by less of itself. */
const [LEAST_STARS, LEAST_CHANGE] = [0.1, 0.1];

/** States how a number of one period differs from that of another one: the two that a question names, or the halves of one. */
export async function stateTrend(query: SignalQuery): Promise<Fact[]> {
  const { periods, by, rank } = query.reading;
  const { since: _, until: __, ...scope } = query.scope();
  const [first, second] = periods.length > 1 ? [periods[0], periods.at(-1)] : query.halves(periods[0]);
  if (first === undefined || second === undefined) return [];
  const isAll = scope.query === undefined && scope.filter === undefined;
  const measure = by === 'rating' || rank !== undefined ? 'mean' : isAll ? 'number' : 'share';
  const before = await measurePeriod(query, { scope, period: first, measure });
  const now = await measurePeriod(query, { scope, period: second, measure });
  if (before === undefined || now === undefined) return [];
  const least = measure === 'mean' ? LEAST_STARS : LEAST_CHANGE * before.value;
  const what = {
    mean: 'The mean rating',
    number: 'The number of signals',
    share: `The share of signals that ${predicate(scope, {})}`,
  }[measure];
  const sentence = `${what} ${compareNumbers(before.value, now.value, least)}: ${before.words}, ${now.words}.`;
  return query.state(sentence, { ...scope, ...joinPeriods([first, second]) });
}

/** Measures a period, as a number and in words. */
async function measurePeriod(
  query: SignalQuery,
  { scope, period, measure }: { scope: Scope; period: Span; measure: 'mean' | 'number' | 'share' },
): Promise<{ value: number; words: string } | undefined> {
  const { since, until } = period;
  const part = await query.ask({ action: 'count', ...scope, since, until });
  const all = await query.read({ action: 'count', since, until });
  if (part === undefined || all === undefined) return undefined;
  const name = nameOf({ since, until });
  const mean = part.rows[0]?.mean_rating;
  if (measure === 'mean')
    return { value: mean ?? 0, words: `${name} ${mean?.toFixed(2) ?? 'none'} (${number(part.counted)} signals)` };
  if (measure === 'number') return { value: part.counted, words: `${name} ${number(part.counted)} signals` };
  const share = percent(part.counted, all.counted);
  return {
    value: part.counted / Math.max(1, all.counted),
    words: `${name} ${number(part.counted)} of ${number(all.counted)} signals (${share})`,
  };
}

export async function stateBeginning(query: SignalQuery): Promise<Fact[]> {
  const scope = query.scope();
  query.show({ action: 'count', ...scope, group_by: 'month' });
  const answer = await query.readAll({ action: 'count', ...scope, group_by: 'month' });
  if (answer === undefined) return [];
  const [first] = answer.rows;
  if (first?.value === undefined) return query.state(`No signal with a date ${predicate(scope, {})}.`, scope);
  const begin = answer.rows.find(({ signals }) => signals >= LEAST_MENTIONS);
  const isLater = begin?.value !== undefined && begin !== first;
  const since =
    begin?.value === undefined
      ? ''
      : ` In ${begin.value} there are ${number(begin.signals)}, the first month with ${LEAST_MENTIONS} or more.`;
  const from = `The first of the signals that ${predicate(scope, {})} is of ${first.value}${isLater ? ` (${number(first.signals)} in that month)` : ''}.`;
  return query.state(`${from}${since}`, scope);
}

/** Compares the amount of each theme in one period and in another. */
export async function compareThemes(query: SignalQuery): Promise<Fact[]> {
  const { filter, periods } = query.reading;
  const sides = [];
  for (const period of [periods[0], periods.at(-1)]) {
    if (period === undefined) return [];
    const scope = { ...(filter.length > 0 && { filter }), since: period.since, until: period.until };
    const args = { action: 'themes', ...scope, limit: 50 };
    query.show(args);
    const themes = await query.operations.read(OPERATION, args, ThemesOutput);
    const all = await query.read({ action: 'count', ...scope });
    sides.push({ name: nameOf(period), themes: themes?.rows ?? [], all: all?.counted ?? 0 });
  }
  const [before, now] = sides;
  if (before === undefined || now === undefined) return [];
  const earlier = new Map(before.themes.map(({ theme, signals }) => [theme, signals]));
  const grown = now.themes
    .map((row) => ({ ...row, earlier: earlier.get(row.theme) ?? 0 }))
    .map((row) => ({ ...row, growth: row.signals / Math.max(1, now.all) - row.earlier / Math.max(1, before.all) }))
    .filter(({ growth }) => growth > 0)
    .toSorted((a, b) => b.growth - a.growth)
    .slice(0, MOST_THEMES);
  const parts = grown.map(
    ({ theme, earlier: old, signals }) => `${theme}: ${percent(old, before.all)} to ${percent(signals, now.all)}`,
  );
  return [
    {
      sentence: `Themes with a larger share of the signals in ${now.name} (${number(now.all)}) than in ${before.name} (${number(before.all)}): ${parts.join('; ') || 'none'}.`,
      sources: await query.quoteThemes(grown),
    },
  ];
}
