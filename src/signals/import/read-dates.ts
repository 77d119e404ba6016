import { once } from '../../kernel/once.ts';

/** In which order the parts of the dates of a column stand. */
type DateOrder = 'year first' | 'day first' | 'month first' | 'named months' | 'serial numbers' | 'Unix time';

/** Reading of the dates of a column. */
export interface DateColumn {
  order: DateOrder;
  /** Nothing in the column proves the order: the likelier one was taken. */
  isGuess: boolean;
}

interface Parts {
  year: number;
  month: number;
  day: number;
}

const OFFSET = String.raw`((?:UTC|GMT)?[+-]\d{2}:?\d{2}|Z|UTC|GMT)`;
const TIME = String.raw`(?:[T,\s]+(?:um\s+|at\s+)?(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*([ap]\.?m\.?)?\s*${OFFSET}?(?:\s*Uhr|\s*\([^)]*\))?)?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${TIME}$`, 'i');
const NUMBERS = new RegExp(String.raw`^(\d{1,2})([-/.])\s?(\d{1,2})[-/.]\s?(\d{4}|\d{2})${TIME}$`, 'i');
const WEEKDAY = /^\p{L}{2,10}\.?,\s*/u;
const DAY_NAMED = new RegExp(
  String.raw`^(\d{1,2})(?:\.|st|nd|rd|th)?[\s/-]+(\p{L}{3,10})\.?,?[\s/-]+(\d{4}|\d{2})${TIME}$`,
  'iu',
);
const MONTH_NAMED = new RegExp(
  String.raw`^(?:\p{L}{2,10}\s+)?(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})${TIME}$`,
  'iu',
);
/** As C writes the time, and Twitter with an offset: `Wed Oct 11 06:55:44 +0000 2017`. */
const YEAR_LAST = new RegExp(
  String.raw`^(?:\p{L}{2,10}\s+)?(\p{L}{3,10})\s+(\d{1,2})\s+(\d{1,2}:\d{2}(?::\d{2})?)(?:\s+${OFFSET})?\s+(\d{4})$`,
  'iu',
);
const NUMBER = /^\d+(?:\.\d+)?$/;

/** Days from 1899-12-30, as spreadsheets count them: 1954 to 2119. */
const SERIALS = [20_000, 80_000] as const;
const SERIAL_START_MS = Date.UTC(1899, 11, 30);
const DAY_MS = 86_400_000;
const SECONDS = [300_000_000, 5_000_000_000] as const;
const YEARS = [1970, 2120] as const;
const CENTURY = 2_000;
const MONTHS = 12;

/** The names of months in English, German, French and Spanish, and their first three letters, which is how they are cut. */
const monthNames = once(
  () =>
    new Map(
      ['en', 'de', 'fr', 'es'].flatMap((language) => {
        const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
        return Array.from(
          { length: MONTHS },
          (_, month) => [format.format(Date.UTC(2026, month, 15)).toLowerCase(), month + 1] as const,
        );
      }),
    ),
);

/** Finds out how the dates of a column are to be read, by all its values together; undefined when hardly any is a date. */
export function dateColumnOf(values: readonly string[], now: Date): DateColumn | undefined {
  const given = values.map((value) => value.trim()).filter((value) => value !== '');
  const numbers = given.flatMap((value) => {
    const match = NUMBERS.exec(value);
    return match === null ? [] : [{ value, first: Number(match[1]), second: Number(match[3]), sign: match[2] ?? '/' }];
  });
  if (numbers.length > 0) return orderOfNumbers(numbers, now);
  const orders: [DateOrder, (value: string) => boolean][] = [
    ['year first', (value) => YEAR_FIRST.test(value)],
    ['serial numbers', (value) => NUMBER.test(value) && isWithin(Number(value), SERIALS)],
    ['Unix time', (value) => unixTime(value) !== undefined],
    ['named months', (value) => namedParts(value) !== undefined],
  ];
  const counted = orders.map(([order, fits]) => ({ order, count: given.filter(fits).length }));
  const best = counted.reduce((leader, candidate) => (candidate.count > leader.count ? candidate : leader));
  return best.count === 0 ? undefined : { order: best.order, isGuess: false };
}

/** By a day beyond twelve; else by which order leaves fewer dates in the future and out of sequence; else by the sign. */
function orderOfNumbers(
  numbers: readonly { value: string; first: number; second: number; sign: string }[],
  now: Date,
): DateColumn {
  const dayFirst = numbers.filter(({ first }) => first > MONTHS).length;
  const monthFirst = numbers.filter(({ second }) => second > MONTHS).length;
  if (dayFirst !== monthFirst) {
    return { order: dayFirst > monthFirst ? 'day first' : 'month first', isGuess: dayFirst > 0 && monthFirst > 0 };
  }
  if (numbers.every(({ sign }) => sign === '.')) return { order: 'day first', isGuess: false };
  const [day, month] = (['day first', 'month first'] as const).map((order) => faultsOf(numbers, order, now));
  const isDay = day === month ? numbers.some(({ sign }) => sign !== '/') : (day ?? 0) < (month ?? 0);
  return { order: isDay ? 'day first' : 'month first', isGuess: true };
}

/** Dates in the future, and turns of a list that is mostly in order. */
function faultsOf(numbers: readonly { value: string }[], order: DateOrder, now: Date): number {
  const times = numbers.flatMap(({ value }) => dateOf(value, order)?.getTime() ?? []);
  const future = times.filter((time) => time > now.getTime() + DAY_MS).length;
  const turns = times.filter((time, at) => {
    const [before, after] = [times[at - 1] ?? time, times[at + 1] ?? time];
    return (time - before) * (after - time) < 0;
  }).length;
  return future + turns + (numbers.length - times.length);
}

/** The moment that a value of a column names; without an offset in UTC. Undefined when it names none. */
export function dateOf(text: string, order: DateOrder): Date | undefined {
  const value = text.trim();
  const unix = unixTime(value);
  if (unix !== undefined) return unix;
  if (NUMBER.test(value)) {
    const serial = Number(value);
    return isWithin(serial, SERIALS) ? new Date(Math.round(SERIAL_START_MS + serial * DAY_MS)) : undefined;
  }
  const iso = YEAR_FIRST.exec(value);
  if (iso !== null) return momentOf({ year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }, iso.slice(4));
  const numbers = NUMBERS.exec(value);
  if (numbers !== null) {
    const [first, second] = [Number(numbers[1]), Number(numbers[3])];
    const [day, month] = order === 'month first' ? [second, first] : [first, second];
    return momentOf({ year: fullYear(numbers[4] ?? ''), month, day }, numbers.slice(5));
  }
  const named = namedParts(value);
  return named === undefined ? undefined : momentOf(named.parts, named.time);
}

function namedParts(value: string): { parts: Parts; time: (string | undefined)[] } | undefined {
  const text = value.replace(WEEKDAY, '').replace(YEAR_LAST, '$1 $2 $5 $3 $4').trim();
  const dayNamed = DAY_NAMED.exec(text);
  const match = dayNamed ?? MONTH_NAMED.exec(text);
  if (match === null) return undefined;
  const [day, name, year] = dayNamed === null ? [match[2], match[1], match[3]] : [match[1], match[2], match[3]];
  const month = monthOf(name ?? '');
  if (month === undefined) return undefined;
  return { parts: { year: fullYear(year ?? ''), month, day: Number(day) }, time: match.slice(4) };
}

function monthOf(name: string): number | undefined {
  const prefix = name.toLowerCase();
  const fitting = new Set(
    [...monthNames()].flatMap(([monthName, month]) => (monthName.startsWith(prefix) ? [month] : [])),
  );
  const [month] = fitting;
  return monthNames().get(prefix) ?? (fitting.size === 1 ? month : undefined);
}

function momentOf({ year, month, day }: Parts, time: readonly (string | undefined)[]): Date | undefined {
  const [hour, minute, second, half, offset] = time;
  const noon = half?.toLowerCase().startsWith('p') === true ? 12 : 0;
  const hours = half === undefined ? Number(hour ?? 0) : (Number(hour ?? 0) % 12) + noon;
  const at = Date.UTC(year, month - 1, day, hours, Number(minute ?? 0), Number(second ?? 0));
  const midnight = new Date(Date.UTC(year, month - 1, day));
  const isReal = midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  if (!isReal || !isWithin(year, YEARS) || hours > 24 || Number.isNaN(at)) return undefined;
  return new Date(at - offsetOf(offset));
}

function offsetOf(offset: string | undefined): number {
  const match = /([+-])(\d{2}):?(\d{2})$/.exec(offset ?? '');
  if (match === null) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000;
}

/** Seconds or thousandths of a second since 1970, or a million of one. */
function unixTime(value: string): Date | undefined {
  if (!NUMBER.test(value)) return undefined;
  const number = Number(value);
  const unit = [1, 1_000, 1_000_000].find((perSecond) => isWithin(number / perSecond, SECONDS));
  return unit === undefined ? undefined : new Date(Math.round((number / unit) * 1_000));
}

function fullYear(text: string): number {
  return text.length === 2 ? CENTURY + Number(text) : Number(text);
}

function isWithin(value: number, [least, most]: readonly [number, number]): boolean {
  return value >= least && value < most;
}
