import { type MonthCount, selectMonths } from '../store/store-changes.ts';
import { type CompetitorCall, filterOf, type Found } from './competitor-call.ts';

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
}

/** How many changes of each kind there were in each month, newest month first; a year unless the call says otherwise. */
export async function countTrends(call: CompetitorCall, offset: number): Promise<Found> {
  const { competitors, scope, args } = call;
  const filter = await filterOf(call, YEAR_MS);
  const trends = trendsOf(await selectMonths(competitors.db, scope.caller, filter));
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
  const trends = groups.flatMap((group): Trend[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { kind, month } = first;
    const before = counts.filter((one) => one.kind === kind && one.month === monthBefore(month));
    const count = sumOf(group);
    return [
      {
        kind,
        month,
        count,
        delta: count - sumOf(before),
        competitors: group.toSorted((a, b) => b.count - a.count).map(({ competitor }) => competitor),
        topIds: group.flatMap(({ topIds }) => topIds).slice(0, 3),
      },
    ];
  });
  return trends.toSorted((a, b) => b.month.localeCompare(a.month) || b.count - a.count || a.kind.localeCompare(b.kind));
}

function sumOf(counts: readonly MonthCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** `2027-01` becomes `2026-12`. */
function monthBefore(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}

function trendRow({ kind, month, count, delta, competitors, topIds }: Trend) {
  const ids = topIds.map((id) => `chg:${id}`);
  return {
    group: month,
    id: `${month} ${kind}`,
    line: ` ${kind} ${count} (${delta >= 0 ? '+' : ''}${delta}) · ${competitors.join(', ')} · ${ids.join(' ')}`,
    json: { kind, month, count, delta, competitors, top_change_ids: ids },
  };
}
