import { roundTo } from '../kernel/shown-values.ts';
import { isUuid } from '../kernel/ids.ts';
import type { Tenant } from '../kernel/tenant.ts';
import { WEEK_MS, dayOf } from '../kernel/time.ts';
import type { Signals } from './context.ts';
import { type MergeRow, selectMerges } from './store-merges.ts';
import {
  selectThemeCustomers,
  selectThemeShares,
  selectThemeWeeks,
  type ThemeCustomer,
  type ThemeShare,
  type ThemeWeek,
} from './store-theme-detail.ts';
import { selectThemeQuotes, type SignalRow } from './store.ts';
import { type MoveRow, selectMoves } from './store-moves.ts';
import { type CountedSignal, selectCounted, selectOldestDate, selectThemes } from './store-themes.ts';
import { listThemes, type Theme, unknownTheme, weeklyVoices, weeksSince } from './themes.ts';
import { type Burst, burstsOf, TREND_WEEKS } from './trend.ts';
import { wordsOf } from '../text/words.ts';

/** Weeks of the trend where no period is chosen, and the most of one. */
const WEEKS = 26;
const MOST_WEEKS = 520;
const CUSTOMERS = 10;
const QUOTES = 5;
const MOVES = 20;
const QUOTE_CANDIDATES = 80;
/** Share of common words from which on two quotes say the same. */
const SAME_QUOTE_SHARE = 0.5;

/** All that is known of a theme. */
export interface ThemeDetail {
  theme: Theme;
  /** The period of its trend: the one that was chosen, else the last 26 weeks with signals of the product. */
  period: { since: Date; until: Date };
  /** Customers in the period, and in one as long before it; a signal without a customer counts as one. */
  now: number;
  before: number;
  /** Of the period, oldest first, the one that has not ended included. */
  weeks: ThemeWeek[];
  shares: ThemeShare[];
  customers: ThemeCustomer[];
  /** The signal that says best what all say, then what the customers say that are worth most. */
  quotes: SignalRow[];
  merges: MergeRow[];
  /** Two weeks each of the period in which it was more frequent than chance allows, the newest first. */
  bursts: DatedBurst[];
  /** Signals that came from other themes or went there, the newest first. */
  moves: MoveRow[];
}

interface DatedBurst {
  since: Date;
  until: Date;
  mentions: number;
  expected: number;
}

/**
 * A theme with its weeks, customers and quotes; for one that was merged, the theme that it is part of. Eleven queries, one
 * of which counts all signals of the product.
 *
 * @throws ServiceError `unknown_id` when the product has no such theme, or nothing is left of it.
 */
export async function describeTheme(
  signals: Pick<Signals, 'db' | 'now'>,
  tenant: Tenant,
  id: string,
  chosen: { since?: Date | undefined; until?: Date | undefined } = {},
): Promise<ThemeDetail> {
  const { db, now } = signals;
  const row = isUuid(id) ? (await selectThemes(db, tenant)).find((one) => one.id === id) : undefined;
  const theme = (await listThemes(signals, tenant)).find((one) => one.id === (row?.mergedInto ?? row?.id));
  if (theme === undefined) throw unknownTheme(id);
  const counted = await selectCounted(db, tenant, theme.id);
  const oldest = await selectOldestDate(db, tenant);
  const period = periodOf(chosen, {
    newest: theme.trend.direction === 'past' ? counted.find(({ dateGiven }) => dateGiven)?.date : undefined,
    now: now(),
  });
  const quoteId = theme.quoteId?.replace('sig:', '') ?? null;
  const [weeks, shares, customers, quotes, merges, moves] = await Promise.all([
    selectThemeWeeks(db, tenant, { theme: theme.id, ...period }),
    selectThemeShares(db, tenant, theme.id),
    selectThemeCustomers(db, tenant, { theme: theme.id, limit: CUSTOMERS }),
    selectThemeQuotes(db, tenant, { theme: theme.id, first: quoteId, limit: QUOTE_CANDIDATES }),
    selectMerges(db, tenant, theme.id),
    selectMoves(db, tenant, { theme: theme.id, limit: MOVES }),
  ]);
  return {
    theme,
    period,
    ...countPeriods(counted, period),
    weeks: fillWeeks(weeks, period),
    shares,
    customers,
    quotes: chooseQuotes(quotes),
    merges,
    bursts: burstsIn(counted, { oldest, period, now: now() }),
    moves,
  };
}

/** The period of a trend. History ends with its newest signal, not today. */
function periodOf(
  { since, until }: { since?: Date | undefined; until?: Date | undefined },
  { newest, now }: { newest: Date | undefined; now: Date },
): ThemeDetail['period'] {
  const end = until ?? (since === undefined ? newest : undefined) ?? now;
  const start = since ?? new Date(mondayOf(end).getTime() - (WEEKS - 1) * WEEK_MS);
  return { since: new Date(Math.max(start.getTime(), end.getTime() - MOST_WEEKS * WEEK_MS)), until: end };
}

/** Counts those who spoke of a theme in a period, and in one as long before it. */
function countPeriods(
  counted: readonly CountedSignal[],
  { since, until }: ThemeDetail['period'],
): Pick<ThemeDetail, 'now' | 'before'> {
  const dated = counted.filter(({ dateGiven }) => dateGiven);
  const voicesBetween = (from: number, to: number): number =>
    new Set(
      dated
        .filter(({ date }) => date.getTime() >= from && date.getTime() <= to)
        .map(({ id, customer }) => (customer === '' ? id : customer)),
    ).size;
  const start = since.getTime();
  return {
    now: voicesBetween(start, until.getTime()),
    before: voicesBetween(2 * start - until.getTime(), start - 1),
  };
}

/** The bursts of a period, each compared with all weeks since the oldest signal of the product. */
function burstsIn(
  counted: readonly CountedSignal[],
  { oldest, period, now }: { oldest: Date | undefined; period: ThemeDetail['period']; now: Date },
): DatedBurst[] {
  const all = Math.min(MOST_WEEKS, Math.max(TREND_WEEKS, weeksSince(oldest, now)));
  return burstsOf(weeklyVoices(counted, now, all), weeksSince(oldest, now))
    .map((burst) => datedBurst(burst, now))
    .filter(({ since, until }) => until > period.since && since < period.until);
}

function datedBurst({ fromWeek, toWeek, mentions, expected }: Burst, now: Date): DatedBurst {
  const at = now.getTime();
  const [since, until] = [new Date(at - (fromWeek + 1) * WEEK_MS), new Date(at - toWeek * WEEK_MS)];
  return { since, until, mentions, expected: roundTo(1, expected) };
}

/** The first ones of which no two say the same; those that do only where there are too few others. */
export function chooseQuotes<Quote extends { text: string }>(candidates: readonly Quote[]): Quote[] {
  const chosen: { quote: Quote; words: Set<string> }[] = [];
  const rest: Quote[] = [];
  for (const quote of candidates) {
    const words = new Set(wordsOf(quote.text.toLowerCase(), 'letters'));
    const isNew = chosen.every((other) => shareOfCommon(words, other.words) < SAME_QUOTE_SHARE);
    if (isNew) chosen.push({ quote, words });
    else rest.push(quote);
  }
  return [...chosen.map(({ quote }) => quote), ...rest].slice(0, QUOTES);
}

/** Of all words of both. */
function shareOfCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = a.intersection(b).size;
  return common / Math.max(1, a.size + b.size - common);
}

/** The Monday, in UTC, of the week of a moment. */
function mondayOf(moment: Date): Date {
  const day = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()));
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day;
}

/** All weeks of a period, those in which nothing was said too. */
function fillWeeks(heard: readonly ThemeWeek[], { since, until }: ThemeDetail['period']): ThemeWeek[] {
  const byWeek = new Map(heard.map((week) => [week.week, week]));
  const first = mondayOf(since).getTime();
  return Array.from({ length: 1 + Math.floor((until.getTime() - first) / WEEK_MS) }, (_, at) => {
    const week = dayOf(new Date(first + at * WEEK_MS));
    return byWeek.get(week) ?? { week, signals: 0, customers: 0, value: null };
  });
}
