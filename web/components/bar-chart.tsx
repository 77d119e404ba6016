import { useState } from 'react';
import { formatCompact, formatCount, formatDay, formatNumber } from '../format.ts';
import { axisEnd } from './axis-end.ts';

interface DayCount {
  /** Such as `2026-11-21`. */
  day: string;
  requests: number;
}

/** Units of the drawing; it is stretched to the room there is, so text stands outside of it. */
const HEIGHT = 100;
const BAR_SHARE = 0.72;
/** A day with few requests beside a busy one still shows. */
const LEAST_HEIGHT = 1.2;
/** Requests per day as bars, the newest day at the right. The same figures stand in a table below. */
export function BarChart({ days }: { days: readonly DayCount[] }) {
  const [pointed, setPointed] = useState<number>();
  const total = days.reduce((sum, { requests }) => sum + requests, 0);
  const peak = days.reduce((best, day) => (day.requests > best.requests ? day : best), { day: '', requests: 0 });
  const end = axisEnd(peak.requests);
  const shown = pointed === undefined ? undefined : days[pointed];
  return (
    <figure>
      <figcaption className="flex flex-wrap justify-between gap-x-4 text-xs text-quiet">
        <span>Requests per day, last {days.length} days</span>
        <span aria-hidden="true" className="tabular-nums">
          {shown === undefined
            ? `${formatNumber(total)} in total`
            : `${formatDay(shown.day)}: ${formatNumber(shown.requests)}`}
        </span>
      </figcaption>
      <div className="mt-4 flex gap-2 text-xs leading-4 text-quiet">
        <div aria-hidden="true" className="-my-2 flex h-39 flex-col justify-between text-right tabular-nums">
          {[end, end / 2, 0].map((value) => (
            <span key={value}>{formatCompact(value)}</span>
          ))}
        </div>
        <div className="min-w-0 flex-1">
          <svg
            viewBox={`0 0 ${days.length} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={total === 0 ? `No requests in ${days.length} days` : describe(total, days.length, peak)}
            className="h-35 w-full"
            onMouseLeave={() => setPointed(undefined)}
          >
            <Bars days={days} end={end} pointed={pointed} onPoint={setPointed} />
          </svg>
          <DayLabels days={days} />
        </div>
      </div>
      <DayTable days={days} />
    </figure>
  );
}

function describe(total: number, days: number, peak: DayCount): string {
  return `${formatCount(total, 'request')} in ${days} days; busiest day ${formatDay(peak.day)} with ${formatNumber(peak.requests)}`;
}

interface BarsProps {
  days: readonly DayCount[];
  end: number;
  pointed: number | undefined;
  onPoint: (index: number) => void;
}

function Bars({ days, end, pointed, onPoint }: BarsProps) {
  return (
    <>
      {[0, 0.5, 1].map((part) => (
        <line
          key={part}
          x1={0}
          x2={days.length}
          y1={HEIGHT * part}
          y2={HEIGHT * part}
          vectorEffect="non-scaling-stroke"
          className="stroke-line"
        />
      ))}
      {days.map(({ day, requests }, index) => {
        const height = requests === 0 ? 0 : Math.max((requests / end) * HEIGHT, LEAST_HEIGHT);
        return (
          <g key={day} onMouseEnter={() => onPoint(index)}>
            <rect x={index} y={0} width={1} height={HEIGHT} className="fill-transparent" />
            <rect
              x={index + (1 - BAR_SHARE) / 2}
              y={HEIGHT - height}
              width={BAR_SHARE}
              height={height}
              className={pointed === index ? 'fill-ink' : 'fill-accent'}
            />
          </g>
        );
      })}
    </>
  );
}

/** First, middle and last day. */
function DayLabels({ days }: { days: readonly DayCount[] }) {
  const named = [days[0], days[Math.floor(days.length / 2)], days.at(-1)].filter((day) => day !== undefined);
  return (
    <div aria-hidden="true" className="mt-1 flex justify-between">
      {named.map(({ day }) => (
        <span key={day}>{formatDay(day)}</span>
      ))}
    </div>
  );
}

function DayTable({ days }: { days: readonly DayCount[] }) {
  return (
    <details className="mt-1 text-xs text-quiet">
      <summary className="inline-block py-0.5">Show as table</summary>
      <div className="mt-1 max-h-64 overflow-y-auto" tabIndex={0} role="region" aria-label="Requests per day">
        <table>
          <thead>
            <tr>
              <th scope="col" className="pr-8 text-left font-medium">
                Day
              </th>
              <th scope="col" className="text-right font-medium">
                Requests
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, requests }) => (
              <tr key={day}>
                <td className="pr-8">{day}</td>
                <td className="text-right tabular-nums">{formatNumber(requests)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
