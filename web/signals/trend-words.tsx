import { Badge } from '../components/inline.tsx';
import type { Theme } from '../knowledge/queries.ts';

/** The trend in words: the usual number, and new, rising or falling where that is no accident. */
export function TrendWords({ trend }: Pick<Theme, 'trend'>) {
  return (
    <>
      <TrendBadge trend={trend} /> {isDated(trend) ? `usually ${formatUsual(trend)} a week` : NONE_DATED}
    </>
  );
}

/** Last week against what is usual. */
export function TrendSummary({ trend }: Pick<Theme, 'trend'>) {
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <TrendBadge trend={trend} />
      <span className="text-sm text-quiet tabular-nums">
        {isDated(trend)
          ? `${trend.last} in 7 days, ${trend.fortnight} in 14, ${formatUsual(trend)} a week before`
          : NONE_DATED}
      </span>
    </span>
  );
}

const NONE_DATED = 'history: none of the last 13 weeks';

function TrendBadge({ trend: { direction } }: Pick<Theme, 'trend'>) {
  if (direction === 'new' || direction === 'rising') return <Badge tone="warn">{direction}</Badge>;
  return direction === 'falling' ? <Badge tone="good">falling</Badge> : null;
}

function isDated({ fortnight, usual }: Theme['trend']): boolean {
  return fortnight + usual > 0;
}

function formatUsual({ usual }: Theme['trend']): string {
  return usual < 10 ? usual.toFixed(1) : String(Math.round(usual));
}
