import { poissonTail, findSurprising } from '../../kernel/poisson.ts';
import { type MonthCount, selectMonths } from '../store/store-changes.ts';
import { type CompetitorCall, filterOf, type CallResult } from './competitor-call.ts';

const YEAR_MS = 365 * 86_400_000;

/** One kind of change in one month. */
interface Trend {
  kind: string;
  month: string;
  count: number;
  /** More or less than in the month before. */
  delta: number;
  competitors: string[];
  topIds: string[];
  /** Mean of the months before, and how likely so many or more are when nothing is different. */
  usual: number;
  chance: number;
  /** True if the number is higher than chance explains, among all rows. */
  isBurst: boolean;
}

/** Fewer changes are never a burst. */
const LEAST_BURST = 4;
/** A month is compared with so many before it, as far as there are any. */
const USUAL_MONTHS = 6;

/** Counts the changes of each kind in each month, newest month first; over a year unless the call says otherwise. */
export async function countTrends(call: CompetitorCall, offset: number): Promise<CallResult> {
  const { competitors, context, args } = call;
  const filter = await filterOf(call, YEAR_MS);
  const trends = trendsOf(await selectMonths(competitors.db, context.caller, filter));
  return {
    rows: trends.slice(offset, offset + args.limit).map(trendRow),
    total: trends.length,
    coverage: `since ${filter.since?.toISOString().slice(0, 10) ?? ''}, severity ${args.min_severity} and above`,
    notes: trends.length === 0 ? ['no change was seen in this time: try min_severity=low or an earlier since'] : [],
  };
}

/** Counts of all competitors together, newest month first, the most frequent kind first. */
export function trendsOf(counts: readonly MonthCount[]): Trend[] {
  const groups = [...Map.groupBy(counts, ({ month, kind }) => `${month} ${kind}`).values()];
  const trends = groups.flatMap((group): Omit<Trend, 'isBurst'>[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { kind, month } = first;
    const before = counts.filter((monthCount) => monthCount.kind === kind && monthCount.month === monthBefore(month));
    const count = sumOf(group);
    const { usual, chance } = comparedWithUsual(counts, { kind, month, count });
    return [
      {
        kind,
        month,
        count,
        delta: count - sumOf(before),
        competitors: group.toSorted((a, b) => b.count - a.count).map(({ competitor }) => competitor),
        topIds: group.flatMap(({ topIds }) => topIds).slice(0, 3),
        usual,
        chance,
      },
    ];
  });
  const bursts = findSurprising(trends.map(({ count, chance }) => (count >= LEAST_BURST ? chance : 1)));
  const rows = trends.map((trend, at) => ({ ...trend, isBurst: bursts[at] === true }));
  return rows.toSorted((a, b) => b.month.localeCompare(a.month) || b.count - a.count || a.kind.localeCompare(b.kind));
}

/** A month without any month before it is compared with nothing: what has just begun to be watched is no burst. */
function comparedWithUsual(
  counts: readonly MonthCount[],
  { kind, month, count }: Pick<Trend, 'kind' | 'month' | 'count'>,
): Pick<Trend, 'usual' | 'chance'> {
  const first = counts.map((monthCount) => monthCount.month).toSorted()[0] ?? month;
  const before: number[] = [];
  for (let at = monthBefore(month); at >= first && before.length < USUAL_MONTHS; at = monthBefore(at))
    before.push(sumOf(counts.filter((monthCount) => monthCount.kind === kind && monthCount.month === at)));
  if (before.length === 0) return { usual: 0, chance: 1 };
  const usual = before.reduce((sum, value) => sum + value, 0) / before.length;
  // Half a change more than seen: what never happened may still be usual.
  return { usual, chance: poissonTail(count, usual + 0.5 / before.length) };
}

function sumOf(counts: readonly MonthCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** `2027-01` becomes `2026-12`. */
function monthBefore(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}

function trendRow({ kind, month, count, delta, competitors, topIds, usual, chance, isBurst }: Trend) {
  const ids = topIds.map((id) => `chg:${id}`);
  return {
    group: month,
    id: `${month} ${kind}`,
    line: ` ${kind} ${count} (${delta >= 0 ? '+' : ''}${delta})${isBurst ? ` · burst: usually ${usual.toFixed(1)}` : ''} · ${competitors.join(', ')} · ${ids.join(' ')}`,
    json: { kind, month, count, delta, competitors, top_change_ids: ids, usual, chance, burst: isBurst },
  };
}
