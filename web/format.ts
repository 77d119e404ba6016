const LOCALE = 'en';

/** The time zone of the viewer, in which days and months are counted. */
export const VIEWER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const UNITS_SECONDS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

const numbers = onceNeeded(() => new Intl.NumberFormat(LOCALE));
const compactNumbers = onceNeeded(
  () => new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 }),
);
const relative = onceNeeded(() => new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' }));
const dates = onceNeeded(() => new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' }));
const moments = onceNeeded(() => new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'long' }));
const months = onceNeeded(() => new Intl.DateTimeFormat(LOCALE, { month: 'short', year: 'numeric', timeZone: 'UTC' }));
const shortDays = onceNeeded(
  () => new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone: 'UTC' }),
);

/** Making a formatter takes a millisecond or so on a slow machine, and the first page needs few. */
function onceNeeded<Formatter>(make: () => Formatter): () => Formatter {
  let made: Formatter | undefined;
  return () => (made ??= make());
}

/** `12,345`. */
export function formatNumber(value: number): string {
  return numbers().format(value);
}

const amounts = onceNeeded(() => new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
const smallAmounts = onceNeeded(() => new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 3 }));

/** `0.0123`, `1,234.50`: an amount in a currency that only the operator knows. */
export function formatCost(cost: number): string {
  return cost >= 1 ? amounts().format(cost) : smallAmounts().format(cost);
}

/** `12.3K`. */
export function formatCompact(value: number): string {
  return compactNumbers().format(value);
}

/** `1 key`, `2 keys`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}

/** Files that a list of code does not have, in a sentence: `Left out: 14 data files, 3 generated files.`; '' for none. */
export function formatOmitted({ data, generated, prose }: { data: number; generated: number; prose: number }): string {
  const parts = [
    [data, 'data file'],
    [generated, 'generated file'],
    [prose, 'document'],
  ] as const;
  const named = parts.flatMap(([count, name]) => (count === 0 ? [] : [formatCount(count, name)]));
  return named.length === 0 ? '' : `Left out: ${named.join(', ')}.`;
}

/** `20 of 137 results`; `20 of at least 137 results` where the search ended at a limit. */
export function formatTotal(
  { shown, total, at_least: isCut }: { shown: number; total: number; at_least: boolean },
  noun: string,
  plural = `${noun}s`,
): string {
  const part = shown < total ? `${formatNumber(shown)} of ` : '';
  return `${part}${isCut ? 'at least ' : ''}${formatCount(total, noun, plural)}`;
}

/** `Nov 21, 2026`, in the viewer's zone. */
export function formatDate(iso: string): string {
  return dates().format(new Date(iso));
}

/** `Nov 21, 2026, 2:40:38 PM GMT+1`: to the second, with the zone. */
export function formatMoment(iso: string): string {
  return moments().format(new Date(iso));
}

/** `Nov 21` of a day such as `2026-11-21`, which belongs to no zone. */
export function formatDay(day: string): string {
  return shortDays().format(new Date(`${day}T00:00Z`));
}

/** `Nov 2026` of a day such as `2026-11-01`. */
export function formatMonth(day: string): string {
  return months().format(new Date(`${day}T00:00Z`));
}

/** `3 days ago`, `in 2 hours`, `just now`. */
export function formatRelative(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000;
  const unit = UNITS_SECONDS.find(([, size]) => Math.abs(seconds) >= size);
  if (unit !== undefined) return relative().format(Math.round(seconds / unit[1]), unit[0]);
  return Math.abs(seconds) < 10 ? 'just now' : relative().format(Math.round(seconds), 'second');
}

/** `93 %`, and `<1 %` for what is there but small. */
export function formatShare(share: number): string {
  const percent = Math.round(share * 100);
  return share > 0 && percent === 0 ? '<1 %' : `${percent} %`;
}

/** `812 B`, `12 kB`, `3.4 MB`, `20 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const power = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const [size, unit] = [bytes / 1000 ** power, ['B', 'kB', 'MB', 'GB'][power]];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
