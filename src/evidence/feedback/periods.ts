import { once } from '../../kernel/once.ts';
import { DAY_MS, dayOf } from '../../kernel/time.ts';
import { type Scan, wordsPattern } from './scan.ts';

/** Languages whose names of months and spans are read; the names come from the runtime. */
export const LOCALES = ['en', 'de', 'fr', 'nl', 'es', 'it', 'pt'] as const;

/** A period as `since` and `until` of an operation: days, months or years, each counted whole. */
export interface Period {
  since: string;
  until: string;
  /** Offset in the question. */
  at: number;
}

const UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const;
type Unit = (typeof UNITS)[number];
/** Before a number of days: `the last 30 days`. */
const LAST = String.raw`(?:last|past|letzten|vergangenen|derni[eè]re?s|laatste|afgelopen|[uú]ltim[oa]s|ultim[ei])`;
/** Of the parts of a year, and numbers of a span. */
const ORDINALS = ['first', 'second', 'third', 'fourth'];
const COUNTS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** First month of a season in the north; winter begins in December of its year. */
const SEASONS = { spring: 3, summer: 6, autumn: 9, fall: 9, winter: 12 } as const;

/** Takes the periods of a question out of it, in its order. `lastMonth` is the month of the newest data: it tells which May is meant. */
export function takePeriods(scan: Scan, { now, lastMonth }: { now: Date; lastMonth: string }): Period[] {
  const periods = [
    ...scan.take(/\b(\d{4}-\d{2}(?:-\d{2})?)\b/).map((match) => whole(match[1] ?? '', match.index)),
    ...scan.take(/\bQ([1-4])[ /-]?((?:19|20)\d\d)\b/).map(({ 1: quarter, 2: year, index }) => {
      return months(Number(year), Number(quarter) * 3 - 2, 3, index);
    }),
    ...takeParts(scan),
    ...scan.take(new RegExp(String.raw`\b(spring|summer|autumn|fall|winter)(?: of)? ((?:19|20)\d\d)\b`)).map(seasonOf),
    ...takeMonths(scan, lastMonth),
    ...scan
      .take(/(?<![\p{L}\p{N}.,-])((?:19|20)\d\d)(?![\p{L}\p{N}-])/u)
      .map((match) => whole(match[1] ?? '', match.index)),
    ...takeSpans(scan, now),
    ...takeRelative(scan, now),
  ];
  return periods.toSorted((a, b) => a.at - b.at);
}

/** One period from the beginning of the first to the end of the last. */
export function joinPeriods(
  periods: readonly Pick<Period, 'since' | 'until'>[],
): Pick<Period, 'since' | 'until'> | undefined {
  const [first] = periods;
  const last = periods.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return first.since <= last.since
    ? { since: first.since, until: last.until }
    : { since: last.since, until: first.until };
}

/** `the first and the second quarter of 2026`, `the second half of 2025`. */
function takeParts(scan: Scan): Period[] {
  const part = `(${ORDINALS.join('|')})`;
  const pattern = String.raw`\b${part}(?: (?:and|to|or|until)(?: the)? ${part})? (quarter|half)(?: of)? ((?:19|20)\d\d)\b`;
  return scan.take(new RegExp(pattern)).flatMap(({ 1: from = '', 2: to, 3: unit = '', 4: year, index }) => {
    const count = unit.toLowerCase() === 'half' ? 6 : 3;
    return [from, ...(to === undefined ? [] : [to])].map((name, at) =>
      months(Number(year), ORDINALS.indexOf(name.toLowerCase()) * count + 1, count, index + at),
    );
  });
}

function seasonOf({ 1: season = '', 2: year = '', index }: RegExpExecArray): Period {
  return months(Number(year), SEASONS[season.toLowerCase() as keyof typeof SEASONS], 3, index);
}

function takeMonths(scan: Scan, lastMonth: string): Period[] {
  const names = monthNames();
  const pattern = new RegExp(
    `(${wordsPattern(names.keys())})\\.?,?(?: (?:of|de|van) )? ?((?:19|20)\\d\\d)?(?![\\p{L}\\p{N}])`,
  );
  // "may", "mar" and the Portuguese "out" are words too: without a year only a name with a capital is a month.
  const isMonth = ([, name = '', year]: RegExpExecArray): boolean =>
    year !== undefined || (/^\p{Lu}/u.test(name) && names.get(name.toLowerCase())?.isAlone === true);
  const mentions = scan.take(pattern, isMonth).flatMap(({ 1: name = '', 2: year, index }) => {
    const month = names.get(name.toLowerCase())?.month;
    return month === undefined ? [] : [{ month, year: year === undefined ? undefined : Number(year), at: index }];
  });
  const [lastYear = 0, newest = 12] = lastMonth.split('-').map(Number);
  return mentions.map(({ month, year, at }, position) => {
    // "from November to December 2024": the year is said once.
    const named = year ?? mentions.slice(position).find((other) => other.year !== undefined)?.year;
    return months(named ?? (month <= newest ? lastYear : lastYear - 1), month, 1, at);
  });
}

function takeSpans(scan: Scan, now: Date): Period[] {
  const units = unitNames();
  const pattern = new RegExp(String.raw`${LAST}\s+(\d{1,3}|${COUNTS.join('|')})\s+(${wordsPattern(units.keys())})`);
  return scan.take(pattern).map((match) => {
    const unit = units.get((match[2] ?? '').toLowerCase()) ?? 'day';
    const days =
      { day: 1, week: 7, month: 30, quarter: 91, year: 365 }[unit] *
      (Number(match[1]) || COUNTS.indexOf((match[1] ?? '').toLowerCase()) + 1);
    return { since: dayOf(new Date(now.getTime() - days * DAY_MS)), until: dayOf(now), at: match.index };
  });
}

/** `this week`, `last month`, as the runtime says them in each language. */
function takeRelative(scan: Scan, now: Date): Period[] {
  const names = relativeNames();
  return scan.take(new RegExp(wordsPattern(names.keys()))).flatMap((match) => {
    const [unit, count] = names.get(match[0].toLowerCase()) ?? [];
    return unit === undefined || count === undefined ? [] : [{ ...relative(now, unit, count), at: match.index }];
  });
}

function relative(now: Date, unit: Unit, count: number): Pick<Period, 'since' | 'until'> {
  const day = new Date(now.getTime() + (unit === 'day' ? count : 0) * DAY_MS);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  switch (unit) {
    case 'day':
      return { since: dayOf(day), until: dayOf(day) };
    case 'week': {
      const monday = new Date(now.getTime() + (count * 7 - ((now.getUTCDay() + 6) % 7)) * DAY_MS);
      return { since: dayOf(monday), until: dayOf(new Date(monday.getTime() + 6 * DAY_MS)) };
    }
    case 'month':
      return months(year, month + 1 + count, 1, 0);
    case 'quarter':
      return months(year, Math.floor(month / 3) * 3 + 1 + 3 * count, 3, 0);
    case 'year':
      return whole(`${year + count}`, 0);
  }
}

function whole(text: string, at: number): Period {
  return { since: text, until: text, at };
}

/** Months from the first one on, which may be before or after its year. */
function months(year: number, first: number, count: number, at: number): Period {
  const monthOf = (month: number): string => new Date(Date.UTC(year, month - 1)).toISOString().slice(0, 7);
  return { since: monthOf(first), until: monthOf(first + count - 1), at };
}

/** Months, 1 to 12, by name, and whether the name alone is one: short names of other languages ("set", "out") are words too. */
const monthNames = once((): Map<string, { month: number; isAlone: boolean }> => {
  const names = LOCALES.flatMap((locale) =>
    (['short', 'long'] as const).flatMap((style) => {
      const format = new Intl.DateTimeFormat(locale, { month: style, timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, at) => {
        const name = lower(format.format(Date.UTC(2024, at, 15))).replace('.', '');
        return { name, month: at + 1, isAlone: style === 'long' || locale === 'en' };
      });
    }),
  ).filter(({ name }) => name.length > 2);
  // Of a name that is short in one language and long in another, the long one counts.
  return new Map(
    names.toSorted((a, b) => Number(a.isAlone) - Number(b.isAlone)).map(({ name, ...own }) => [name, own]),
  );
});

/** `today`, `last month`, `dieses Jahr`: the unit, and how many of it before now. */
const relativeNames = once(
  (): Map<string, readonly [Unit, number]> =>
    new Map(
      LOCALES.flatMap((locale) => {
        const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
        return UNITS.flatMap((unit) =>
          [0, -1].map((count) => [lower(format.format(count, unit)), [unit, count]] as const),
        );
      }),
    ),
);

/** Names of units, one and several: `day`, `days`, `Tage`. */
const unitNames = once(
  (): Map<string, Unit> =>
    new Map(
      LOCALES.flatMap((locale) =>
        UNITS.filter((unit) => unit !== 'quarter').flatMap((unit) =>
          [1, 3].map((count) => {
            const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
            const name = format.formatToParts(count).find(({ type }) => type === 'unit')?.value ?? unit;
            return [lower(name), unit] as const;
          }),
        ),
      ),
    ),
);

function lower(name: string): string {
  return name.toLowerCase().normalize('NFC');
}
