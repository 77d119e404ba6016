const UNIT_MS = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  mo: 30 * 86_400_000,
  y: 365 * 86_400_000,
} as const;
const DURATION = /^([1-9]\d{0,6}) ?(?:(m|h|d|w|mo|y)|(minute|hour|day|week|month|year)s?)(?: ago)?$/;
const UNIT_WORDS: Record<string, keyof typeof UNIT_MS> = {
  minute: 'm',
  hour: 'h',
  day: 'd',
  week: 'w',
  month: 'mo',
  year: 'y',
};
const ISO = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/;

export const HOUR_MS = UNIT_MS.h;
export const WEEK_MS = UNIT_MS.w;
export const DAY_MS = UNIT_MS.d;

/**
 * Milliseconds of a span such as `90m`, `12h`, `30d`, `2w`, `6mo`, `2y` (minutes, hours, days, weeks, months of 30 days,
 * years of 365), or in words, `2 weeks`; undefined for other text.
 */
export function durationMs(text: string): number | undefined {
  const [, count, unit, word = ''] = DURATION.exec(text) ?? [];
  const unitKey = unit === undefined ? UNIT_WORDS[word] : (unit as keyof typeof UNIT_MS);
  return unitKey === undefined ? undefined : Number(count) * UNIT_MS[unitKey];
}

/**
 * The moment of an ISO 8601 date or date and time; undefined for other text and for days that do not exist. A date
 * means its first moment, a time without a zone is UTC.
 */
export function isoDate(text: string): Date | undefined {
  const [, day, time = '00:00', zone = 'Z'] = ISO.exec(text) ?? [];
  if (day === undefined) return undefined;
  // Date accepts the 31st of any month and moves on to the next one.
  const midnight = new Date(`${day}T00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return undefined;
  const moment = new Date(`${day}T${time}${zone}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

/** The day of a moment in UTC: `2027-01-31`. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The minute of a moment in UTC: `2027-01-31 09:30`. */
export function minuteOf(date: Date): string {
  return date.toISOString().slice(0, 16).replace('T', ' ');
}

/** The day of a time in seconds, as git has them. */
export function dayOfSeconds(seconds: number): string {
  return dayOf(new Date(seconds * 1000));
}
