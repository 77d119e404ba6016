import { useState } from 'react';
import { formatCompact, formatCount, formatDay, formatMonth, formatNumber } from '../format.ts';
import { axisEnd } from './axis-end.ts';

/** A count of a day, or of the week or month that begins with it. */
export interface DatedCount {
  /** Such as `2026-11-21`. */
  day: string;
  count: number;
}

interface BarChartProps {
  /** Oldest first. */
  bars: readonly DatedCount[];
  /** Heading, which names the counted things: `Requests per day`. */
  title: string;
  /** One of what is counted. */
  noun: string;
  plural?: string;
  /** True if the newest bar need not be of now: then the chart says its days. */
  isDated?: boolean;
  /** Period of a bar. */
  unit?: 'day' | 'week' | 'month';
  /** True if counts add up; otherwise each bar counts anew, and the chart states the peak. */
  adds?: boolean;
}

/** Units of the drawing; it is stretched to the room there is, so text is outside of it. */
const HEIGHT = 100;
const BAR_SHARE = 0.72;
/** A day with little beside a busy one still shows. */
const LEAST_HEIGHT = 1.2;

/**
 * Counts over time as bars, the newest at the right. The same figures stand in a table below. Drawn here, in 1.5 kB: uPlot has
 * 20 kB and Chart.js 45 kB for a canvas that tells screen readers nothing, Recharts 94 kB (Brotli).
 */
export function BarChart({
  bars,
  title,
  noun,
  plural = `${noun}s`,
  unit = 'day',
  adds = true,
  isDated = unit === 'month',
}: BarChartProps) {
  const [pointed, setPointed] = useState<number>();
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const peak = bars.reduce((best, bar) => (bar.count > best.count ? bar : best), { day: '', count: 0 });
  const end = axisEnd(peak.count);
  const shown = pointed === undefined ? undefined : bars[pointed];
  const span = formatCount(bars.length, unit);
  const nameOf = unit === 'month' ? formatMonth : formatDay;
  const [oldest, newest] = [bars[0]?.day ?? '', bars.at(-1)?.day ?? ''];
  const period = isDated && bars.length > 0 ? `${nameOf(oldest)} to ${nameOf(newest)}` : `last ${span}`;
  const summary = (): string => {
    const sum = adds ? `${formatCount(total, noun, plural)} in ` : '';
    return `${sum}${span}; busiest ${unit} ${nameOf(peak.day)} with ${formatNumber(peak.count)}`;
  };
  return (
    <figure>
      <figcaption className="flex flex-wrap justify-between gap-x-4 text-xs text-quiet">
        <span>
          {title}, {period}
        </span>
        <span aria-hidden="true" className="tabular-nums">
          {shown === undefined
            ? adds
              ? `${formatNumber(total)} in total`
              : `at most ${formatNumber(peak.count)}`
            : `${nameOf(shown.day)}: ${formatNumber(shown.count)}`}
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
            viewBox={`0 0 ${bars.length} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={total === 0 ? `No ${plural} in ${span}` : summary()}
            className="h-35 w-full"
            onMouseLeave={() => setPointed(undefined)}
          >
            <Bars bars={bars} end={end} pointed={pointed} onPoint={setPointed} />
          </svg>
          <DayLabels bars={bars} nameOf={nameOf} />
        </div>
      </div>
      <CountTable bars={bars} title={title} unit={unit} />
    </figure>
  );
}

interface BarsProps {
  bars: readonly DatedCount[];
  end: number;
  pointed: number | undefined;
  onPoint: (index: number) => void;
}

function Bars({ bars, end, pointed, onPoint }: BarsProps) {
  return (
    <>
      {[0, 0.5, 1].map((part) => (
        <line
          key={part}
          x1={0}
          x2={bars.length}
          y1={HEIGHT * part}
          y2={HEIGHT * part}
          vectorEffect="non-scaling-stroke"
          className="stroke-line"
        />
      ))}
      {bars.map(({ day, count }, index) => {
        const height = count === 0 ? 0 : Math.max((count / end) * HEIGHT, LEAST_HEIGHT);
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
function DayLabels({ bars, nameOf }: Pick<BarChartProps, 'bars'> & { nameOf: (day: string) => string }) {
  const named = [bars[0], bars[Math.floor(bars.length / 2)], bars.at(-1)].filter((bar) => bar !== undefined);
  const distinct = [...new Set(named)];
  return (
    <div aria-hidden="true" className="mt-1 flex justify-between">
      {distinct.map(({ day }) => (
        <span key={day}>{nameOf(day)}</span>
      ))}
    </div>
  );
}

function CountTable({ bars, title, unit }: Required<Pick<BarChartProps, 'bars' | 'title' | 'unit'>>) {
  return (
    <details className="mt-1 text-xs text-quiet">
      <summary className="inline-block py-0.5">Show as table</summary>
      <div className="mt-1 max-h-64 overflow-y-auto" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col" className="pr-8 text-left font-medium">
                {{ day: 'Day', week: 'Week from', month: 'Month' }[unit]}
              </th>
              <th scope="col" className="text-right font-medium">
                {title.replace(/ per .*/, '')}
              </th>
            </tr>
          </thead>
          <tbody>
            {bars.toReversed().map(({ day, count }) => (
              <tr key={day}>
                <td className="pr-8">{unit === 'month' ? day.slice(0, 7) : day}</td>
                <td className="text-right tabular-nums">{formatNumber(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
