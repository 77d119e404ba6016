import { poissonTail, findSurprising } from '../kernel/poisson.ts';

/** Weeks before the last one that say what is usual. */
export const BASELINE_WEEKS = 12;

/** Fewer mentions than this in a week are never a burst. */
const LEAST_MENTIONS = 4;

export interface Trend {
  /** Mentions in the last seven days. A customer counts once a week, whatever it says. */
  last: number;
  /** Mentions in the last fourteen days. */
  fortnight: number;
  /** Mean mentions a week in the twelve weeks before the last one. */
  usual: number;
  /** How likely so many or more mentions in seven or in fourteen days are when nothing has changed. */
  chance: number;
  /** `rising` only when it is no accident among all themes looked at. */
  direction: 'rising' | 'falling' | 'steady';
}

/**
 * Trends of series of weekly counts, each with the last week at its end and the thirteen before it. What begins is looked
 * for in the last week and in the last two: some bursts are short, others slow.
 */
export function trendsOf(series: readonly (readonly number[])[]): Trend[] {
  const measured = series.map((weeks) => {
    const [short, long] = [windowOf(weeks, 1), windowOf(weeks, 2)];
    const fallen = 1 - poissonTail(short.count + 1, short.expected);
    // Two looks give twice the chance of an accident.
    return { short, long, chance: Math.min(1, 2 * Math.min(short.chance, long.chance)), fallen };
  });
  const rising = findSurprising(measured.map(({ long, chance }) => (long.count >= LEAST_MENTIONS ? chance : 1)));
  const falling = findSurprising(measured.map(({ short, fallen }) => (short.usual >= LEAST_MENTIONS ? fallen : 1)));
  return measured.map(({ short, long, chance }, index) => ({
    last: short.count,
    fortnight: long.count,
    usual: Math.round(short.usual * 100) / 100,
    chance: Number(chance.toPrecision(3)),
    direction: rising[index] === true ? 'rising' : falling[index] === true ? 'falling' : 'steady',
  }));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

/** The last weeks against the twelve before them. */
function windowOf(weeks: readonly number[], length: number) {
  const count = sum(weeks.slice(-length));
  const usual = sum(weeks.slice(-length - BASELINE_WEEKS, -length)) / BASELINE_WEEKS;
  // Half a mention more than seen: what was never said before is no proof that nobody thought it.
  const expected = length * (usual + 0.5 / BASELINE_WEEKS);
  return { count, usual, expected, chance: poissonTail(count, expected) };
}
