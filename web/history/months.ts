import type { DatedCount } from '../components/bar-chart.tsx';

/** Counts by month such as `2026-11` as bars, with months in which nothing happened between them; oldest first. */
export function monthBars(groups: readonly { name: string; commits: number }[]): DatedCount[] {
  const counts = new Map(groups.flatMap(({ name, commits }) => (/^\d{4}-\d\d$/.test(name) ? [[name, commits]] : [])));
  const [first, ...others] = [...counts.keys()].toSorted();
  if (first === undefined) return [];
  const last = others.at(-1) ?? first;
  const bars: DatedCount[] = [];
  for (let month = first; month <= last; month = monthAfter(month))
    bars.push({ day: `${month}-01`, count: counts.get(month) ?? 0 });
  return bars;
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}
