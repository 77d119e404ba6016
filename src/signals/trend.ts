/** Weeks before the last one that say what is usual. */
export const BASELINE_WEEKS = 12;

/** Fewer mentions than this in a week are never a burst. */
const LEAST_MENTIONS = 4;

/** Most share of false alarms among the bursts that are told of. */
const FALSE_SHARE = 0.05;

export interface Trend {
  /** Mentions in the last seven days. */
  last: number;
  /** Mean mentions a week in the twelve weeks before. */
  usual: number;
  /** How likely so many or more mentions are when nothing has changed. */
  chance: number;
  /** `rising` only when it is no accident among all themes looked at. */
  direction: 'rising' | 'falling' | 'steady';
}

/** Trends of series of weekly counts, each with the last week at its end and the twelve before it. */
export function trendsOf(series: readonly (readonly number[])[]): Trend[] {
  const measured = series.map((weeks) => {
    const last = weeks.at(-1) ?? 0;
    const before = weeks.slice(-1 - BASELINE_WEEKS, -1);
    const usual = before.reduce((sum, count) => sum + count, 0) / BASELINE_WEEKS;
    // Half a mention more than seen: what was never said before is no proof that nobody thought it.
    const expected = usual + 0.5 / BASELINE_WEEKS;
    return { last, usual, chance: poissonTail(last, expected), fallen: 1 - poissonTail(last + 1, expected) };
  });
  const rising = surprising(measured.map((one) => (one.last >= LEAST_MENTIONS ? one.chance : 1)));
  const falling = surprising(measured.map((one) => (one.usual >= LEAST_MENTIONS ? one.fallen : 1)));
  return measured.map(({ last, usual, chance }, index) => ({
    last,
    usual: Math.round(usual * 100) / 100,
    chance: Number(chance.toPrecision(3)),
    direction: rising[index] === true ? 'rising' : falling[index] === true ? 'falling' : 'steady',
  }));
}

/** The probability of `count` or more where `mean` are expected (Poisson). */
export function poissonTail(count: number, mean: number): number {
  if (count <= 0) return 1;
  let term = Math.exp(-mean);
  let below = term;
  for (let k = 1; k < count; k += 1) {
    term *= mean / k;
    below += term;
  }
  if (below < 0.999_999) return Math.max(0, 1 - below);
  // Far out the difference is lost; there the first terms of the tail are nearly all of it.
  let tail = 0;
  term *= mean / count;
  for (let k = count + 1; term > tail * 1e-12; k += 1) {
    tail += term;
    term *= mean / k;
  }
  return tail;
}

/** Which of the p-values stand when some share of false ones is allowed (Benjamini-Hochberg). */
export function surprising(chances: readonly number[]): boolean[] {
  const order = chances.map((chance, index) => ({ chance, index })).toSorted((a, b) => a.chance - b.chance);
  const last = order.findLastIndex(({ chance }, rank) => chance <= (FALSE_SHARE * (rank + 1)) / chances.length);
  const result = chances.map(() => false);
  for (const { index } of order.slice(0, last + 1)) result[index] = true;
  return result;
}
