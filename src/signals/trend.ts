import { roundTo } from '../kernel/shown-values.ts';
import { LEAST_EXPECTED } from './grouping/find-emerging.ts';
import { poissonTail } from '../kernel/poisson.ts';

/** Weeks that are looked at, the last two included. */
export const TREND_WEEKS = 52;
/** Weeks of a period that is compared with all others. */
const PERIOD_WEEKS = 2;
/** Weeks before the last one whose mean is called usual. */
const USUAL_WEEKS = 12;
/** Fewer mentions in a period are never a burst. */
const LEAST_MENTIONS = 4;
/** Chance below which a rise or a fall is no accident, among the hundreds of themes that are looked at. */
const NO_ACCIDENT = 1e-4;

export interface Trend {
  /** Mentions in the last seven days. A customer counts once a week, whatever it says. */
  last: number;
  /** Mentions in the last fourteen days. */
  fortnight: number;
  /** Mean mentions a week in the twelve weeks before the last one. */
  usual: number;
  /** Chance of so many or more mentions in fourteen days when nothing has changed. */
  chance: number;
  /**
   * `new`: hardly anybody spoke of it before. `past`: the product has no dated signal of the last fourteen days, so that its
   * signals are history. Others than `steady` only when it is no accident.
   */
  direction: 'new' | 'rising' | 'falling' | 'steady' | 'past';
}

/** Two weeks in which a subject was more frequent than chance allows. */
export interface Burst {
  /** Weeks ago, of the first and the last of them; 0 is the one that ends now. */
  fromWeek: number;
  toWeek: number;
  mentions: number;
  /** Mentions that were expected by all other weeks. */
  expected: number;
  chance: number;
}

/**
 * The trend of a series of weekly counts, oldest first, the last seven days at its end: the last two weeks against all before.
 *
 * @param weeks of the series in which there was anything to count: those before the first signal of the product say nothing.
 */
export function trendOf(series: readonly number[], weeks: number): Trend {
  const fortnight = sum(series.slice(-PERIOD_WEEKS));
  const earlier = Math.min(series.length, weeks) - PERIOD_WEEKS;
  const expected =
    earlier <= 0 ? undefined : (sum(series.slice(-PERIOD_WEEKS - earlier, -PERIOD_WEEKS)) * PERIOD_WEEKS) / earlier;
  // Without a time before nothing is more or less than usual.
  const chance = expected === undefined ? 1 : poissonTail(fortnight, Math.max(LEAST_EXPECTED, expected));
  const fallen = expected === undefined ? 1 : 1 - poissonTail(fortnight + 1, expected);
  const isRising = fortnight >= LEAST_MENTIONS && chance < NO_ACCIDENT;
  const usual = sum(series.slice(-1 - USUAL_WEEKS, -1)) / USUAL_WEEKS;
  return {
    last: series.at(-1) ?? 0,
    fortnight,
    usual: roundTo(2, usual),
    chance: Number(chance.toPrecision(3)),
    direction: isRising ? 'rising' : fallen < NO_ACCIDENT ? 'falling' : 'steady',
  };
}

/**
 * Periods of a series of weekly counts that were more than all other weeks explain, the newest first; none of them overlap.
 *
 * @param weeks of the series in which there was anything to count, as for `trendOf`.
 */
export function burstsOf(allWeeks: readonly number[], weeks: number): Burst[] {
  const series = allWeeks.slice(Math.max(0, allWeeks.length - weeks));
  const all = sum(series);
  const others = series.length - PERIOD_WEEKS;
  if (others <= 0) return [];
  const periods = Array.from({ length: others + 1 }, (_, at) => {
    const mentions = sum(series.slice(at, at + PERIOD_WEEKS));
    const expected = ((all - mentions) * PERIOD_WEEKS) / others;
    const chance = poissonTail(mentions, Math.max(LEAST_EXPECTED, expected));
    const toWeek = series.length - at - PERIOD_WEEKS;
    return { fromWeek: toWeek + PERIOD_WEEKS - 1, toWeek, mentions, expected, chance };
  });
  const chosen: Burst[] = [];
  for (const period of periods.toSorted((a, b) => a.chance - b.chance)) {
    if (period.mentions < LEAST_MENTIONS || period.chance >= NO_ACCIDENT) continue;
    if (chosen.every(({ toWeek }) => Math.abs(toWeek - period.toWeek) >= PERIOD_WEEKS)) chosen.push(period);
  }
  return chosen.toSorted((a, b) => a.toWeek - b.toWeek);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
