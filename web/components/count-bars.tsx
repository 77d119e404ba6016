import type { ReactNode } from 'react';
import { formatNumber } from '../format.ts';

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
