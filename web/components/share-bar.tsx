import type { ReactNode } from 'react';
import { formatNumber } from '../format.ts';

/** By rank: the names stand below. */
const FILLS = ['fill-series-1', 'fill-series-2', 'fill-series-3', 'fill-series-4', 'fill-series-5'];
const GAP = 0.4;

/** Parts of a whole as one bar, with their names and counts below, in the order given. */
export function ShareBar({ label, parts }: { label: string; parts: readonly { name: string; value: number }[] }) {
  const total = Math.max(
    1,
    parts.reduce((sum, { value }) => sum + value, 0),
  );
  const starts = parts.map((_, at) => parts.slice(0, at).reduce((sum, { value }) => sum + (100 * value) / total, 0));
  return (
    <div>
      <svg aria-hidden="true" viewBox="0 0 100 2" preserveAspectRatio="none" className="h-2.5 w-full rounded-full">
        {parts.map(({ name, value }, rank) => (
          <rect
            key={name}
            x={starts[rank]}
            width={Math.max((100 * value) / total - (rank === parts.length - 1 ? 0 : GAP), 0.4)}
            height={2}
            className={fill(rank)}
          />
        ))}
      </svg>
      <ul aria-label={label} className="mt-1.5 flex flex-wrap gap-x-3 text-sm text-quiet">
        {parts.map(({ name, value }, rank) => (
          <li key={name} className="flex items-center gap-1.5 tabular-nums">
            <svg aria-hidden="true" viewBox="0 0 8 8" className="size-2">
              <circle cx={4} cy={4} r={4} className={fill(rank)} />
            </svg>
            {formatNumber(value)} {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

function fill(rank: number): string {
  return FILLS[Math.min(rank, FILLS.length - 1)] ?? '';
}

/** Counts with a bar each, as long as it is of the most; in the order given. */
export function CountBars({ rows }: { rows: readonly { key: string; name: ReactNode; count: number }[] }) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ul className="text-sm">
      {rows.map(({ key, name, count }) => (
        <li key={key} className="grid grid-cols-[minmax(0,1fr)_5rem_auto] items-center gap-2 py-0.5">
          {name}
          <svg aria-hidden="true" viewBox="0 0 100 6" preserveAspectRatio="none" className="h-1.5 w-full rounded-full">
            <rect width={100} height={6} className="fill-hover" />
            <rect width={(100 * count) / most} height={6} className="fill-accent" />
          </svg>
          <span className="min-w-10 text-right text-quiet tabular-nums">{formatNumber(count)}</span>
        </li>
      ))}
    </ul>
  );
}
