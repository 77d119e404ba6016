import { dayOf, type SignalRow } from './signals.ts';
import { countSignals, findNewestDay } from './search-signals.ts';
import type { Tools } from './tools.ts';

/** Days of the two spans that are compared: the longest for which there are enough signals of the earlier one. */
const SPANS = [90, 30, 7] as const;
/** The earlier span must have this share of what the later one has: else most of it lies before the first signal. */
const LEAST_SHARE = 0.2;
/** No signal is older. */
const FIRST_DAY = '1990-01-01';
const DAY_MS = 24 * 60 * 60 * 1000;

/** How many of the counted signals, and how many of all, are from the last days that there are signals of, and from as many before. */
export interface Trend {
  days: number;
  /** The day of the newest of all signals. */
  end: string;
  late: number;
  before: number;
  allLate: number;
  allBefore: number;
}

/** Counts what tells whether more is said of it; undefined where the signals are of too short a time. 3 to 7 calls. */
export async function findTrend(
  tools: Tools,
  signals: readonly SignalRow[],
  customer: string | undefined,
): Promise<Trend | undefined> {
  const end = await findNewestDay(tools, customer);
  if (end === undefined) return undefined;
  for (const days of SPANS) {
    const from = dayBefore(end, days - 1);
    const earlier = dayBefore(end, 2 * days - 1);
    const [allLate, both] = await Promise.all([from, earlier].map((since) => countSignals(tools, { customer, since })));
    const [all = 0, allOfBoth = 0] = [allLate, both];
    if (allOfBoth - all < LEAST_SHARE * all) continue;
    const dates = signals.map(dayOf);
    const late = dates.filter((date) => date >= from).length;
    const before = dates.filter((date) => date >= earlier && date < from).length;
    return { days, end, late, before, allLate: all, allBefore: allOfBoth - all };
  }
  return undefined;
}

/**
 * The day of the oldest of all signals, when some are of the day `known`. Halving the time before it finds the last day since which
 * there are all: two calls, or some 15.
 */
export async function findOldestDay(tools: Tools, known: string, customer: string | undefined): Promise<string> {
  const countSince = (since: string): Promise<number> => countSignals(tools, { customer, since });
  const all = await countSince(FIRST_DAY);
  if ((await countSince(known)) === all) return known;
  let early = 0;
  let late = Math.round((Date.parse(known) - Date.parse(FIRST_DAY)) / DAY_MS);
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if ((await countSince(dayBefore(FIRST_DAY, -middle))) === all) early = middle;
    else late = middle;
  }
  return dayBefore(FIRST_DAY, -early);
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);
}
