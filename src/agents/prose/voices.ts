import { counted } from '../../kernel/counted.ts';
import { countCustomers, isCustomerName } from '../gather/customer-names.ts';
import type { HeardThing, SignalRow, ThemeRow, Voices } from '../gather/signals.ts';
import type { WrittenText } from '../gather/written.ts';
import type { Citer } from './cite.ts';
import { day, joinWords, listNames, quote, type Sentence } from './prose.ts';

/** Customers and segments that are named with how many signals they have. */
const MOST_NAMED = 5;
const MOST_LARGEST = 3;

/** What was searched for and counted. */
export interface Counted {
  voices: Voices;
  /** What kind of them is asked for, if any, and those that are. */
  sought: 'negative' | 'positive' | 'request' | undefined;
  fitting: readonly SignalRow[];
  /** Whose signals alone were counted. */
  customer: string | undefined;
  /** Whether it is asked who says so. */
  isWho: boolean;
  /** The day of the oldest of all signals, where it is asked since when. */
  oldestOfAll: string | undefined;
}

const READS: Record<NonNullable<Counted['sought']>, readonly [string, string]> = {
  negative: ['sounds like a complaint or reports a fault', 'sound like complaints or report faults'],
  positive: ['sounds positive', 'sound positive'],
  request: ['reads like a request', 'read like requests'],
};

/** How many signals have the words, since when; which of them are what is asked for, from whom and what these are worth. Cites those read. */
export function countVoices(cite: Citer, asked: Counted, read: readonly WrittenText[]): Sentence[] {
  const { voices, sought, fitting } = asked;
  if (!voices.isNamed || read.length === 0) return [];
  const sources = read.map((text) => cite.written(text));
  const told = [mentionsIn(asked), ...(sought === undefined ? [] : [soughtAmong(sought, fitting)])].join('; ');
  const counting = sought === undefined || fitting.length === 0 ? voices.signals : fitting;
  const further = [...whoAmong(counting, asked.isWho), ...valueOf(counting)];
  const since = asked.oldestOfAll === undefined ? [] : sinceOf(counting, asked.oldestOfAll);
  const { silent } = voices;
  const nobody =
    silent.length === 0
      ? []
      : [
          `No signal mentions ${joinWords(
            silent.map((thing) => quote(thing)),
            'or',
          )}.`,
        ];
  return [...since, `${told}.`, ...nobody, ...aloneOf(voices), ...further].map((text) => ({ text, sources }));
}

function mentionsIn({ voices, customer }: Counted): string {
  const { signals, searched, isCut, since, latest, things } = voices;
  const all = searched > 0 && customer === undefined ? ` of ${searched.toLocaleString('en')}` : '';
  const share = all === '' || isCut ? '' : ` (${shareOf(signals.length, searched)})`;
  const whose = customer === undefined ? '' : ` of ${customer}`;
  const span =
    since === '' ? '' : day(since) === day(latest) ? `, on ${day(since)}` : `, from ${day(since)} to ${day(latest)}`;
  const noun = all === '' ? counted(signals.length, 'signal') : `${signals.length}${all} signals`;
  const verb = signals.length === 1 ? 'mentions' : 'mention';
  const words = joinWords(things.map(wordsOf), 'or');
  const none = things.filter(({ way }) => way === 'rarest').map(({ thing }) => quote(thing));
  const lead = none.length === 0 ? '' : `No signal mentions all of ${joinWords(none, 'or')}. `;
  return `${lead}${isCut ? 'At least ' : ''}${noun}${whose}${share} ${verb} ${words}${span}`;
}

/** How many more have only the word that says most. */
function aloneOf({ things, signals }: Voices): string[] {
  return things.flatMap(({ alone }) => {
    if (alone === undefined || alone.signals <= signals.length) return [];
    const words = joinWords(
      alone.words.map((word) => quote(word)),
      'or',
    );
    return [
      `With or without the other words, ${counted(alone.signals, 'signal')} ${alone.signals === 1 ? 'mentions' : 'mention'} ${words}.`,
    ];
  });
}

/** What signals say of a thing: its words, with others that they have instead. Of several words they have most, close together. */
function wordsOf({ thing, way, words }: HeardThing): string {
  const [first = []] = words;
  if (words.length === 1)
    return joinWords(
      first.map((word) => quote(word)),
      'or',
    );
  const others = words.flatMap((group) => group.slice(1));
  if (words.length > 2)
    return `most of the words ${quote(thing)}${
      others.length === 0
        ? ''
        : ` (or ${listNames(
            others.map((word) => quote(word)),
            MOST_NAMED,
          )})`
    }`;
  if (way === 'words' && others.length === 0) return quote(thing);
  return words
    .map((group) =>
      joinWords(
        group.map((word) => quote(word)),
        'or',
      ),
    )
    .join(' together with ');
}

function shareOf(part: number, all: number): string {
  const percent = (100 * part) / all;
  return percent < 1 ? 'less than 1 %' : `${Math.round(percent)} %`;
}

function soughtAmong(sought: NonNullable<Counted['sought']>, fitting: readonly SignalRow[]): string {
  const [one, many] = READS[sought];
  const { length } = fitting;
  const oldest = fitting
    .map(({ date }) => date)
    .filter((date) => date !== '')
    .toSorted()[0];
  const since = oldest === undefined ? '' : length === 1 ? `, from ${day(oldest)}` : `, the oldest from ${day(oldest)}`;
  return `${length === 0 ? 'none' : length} of them ${length < 2 ? one : many}${since}`;
}

/** When the oldest of those that are asked for is from, and the oldest of all: before it nobody could say anything. */
function sinceOf(signals: readonly SignalRow[], oldestOfAll: string): string[] {
  const [oldest] = signals.flatMap(({ date }) => (date === '' ? [] : [date])).toSorted();
  if (oldest === undefined) return [];
  return day(oldest) === day(oldestOfAll)
    ? [`The oldest is from ${day(oldest)}, where the signals themselves begin: it may have begun before.`]
    : [`The oldest is from ${day(oldest)}; the oldest signal of all is from ${day(oldestOfAll)}.`];
}

/** How many customers they are from; by name those with several, or all that there is room for when it is asked who. */
function whoAmong(signals: readonly SignalRow[], isWho: boolean): string[] {
  const customers = countCustomers(signals);
  const named = isWho ? customers : customers.filter(([, count]) => count > 1).slice(0, MOST_LARGEST);
  const segments = largestOf(signals.map(({ segment }) => segment));
  const names =
    named.length === 0
      ? ''
      : named.length < customers.length
        ? `, most from ${nameLargest(named)}`
        : `: ${nameLargest(named)}`;
  const others = signals.length - customers.reduce((sum, [, count]) => sum + count, 0);
  const rest = others === 0 ? '' : `; ${counted(others, 'signal')} ${others === 1 ? 'names' : 'name'} no customer`;
  return [
    ...(customers.length === 0 ? [] : [`They are from ${counted(customers.length, 'customer')}${names}${rest}.`]),
    ...(isWho && segments.length > 1 ? [`By segment: ${nameLargest(segments)}.`] : []),
  ];
}

function nameLargest(groups: readonly (readonly [string, number])[]): string {
  return listNames(
    groups.map(([name, count]) => `${name} (${count})`),
    MOST_NAMED,
  );
}

function largestOf(names: readonly string[]): [string, number][] {
  const groups = Map.groupBy(
    names.filter((name) => name !== ''),
    (name) => name,
  );
  return [...groups].map(([name, all]): [string, number] => [name, all.length]).toSorted((a, b) => b[1] - a[1]);
}

/** What customers are worth is said with each of their signals: the largest value of each counts once. */
function valueOf(signals: readonly SignalRow[]): string[] {
  const values = new Map<string, number>();
  for (const { customer, value } of signals)
    if (isCustomerName(customer) && value != null && value > 0)
      values.set(customer, Math.max(values.get(customer) ?? 0, value));
  if (values.size === 0) return [];
  const sum = [...values.values()].reduce((total, value) => total + value, 0);
  const whose = values.size === 1 ? '1 of these customers has' : `${values.size} of these customers have`;
  return [`${whose} a stated value, ${sum.toLocaleString('en')} in total.`];
}

/** What signals say, each with whose it is and when. */
export function quoteVoices(cite: Citer, signals: readonly WrittenText[]): Sentence[] {
  return signals.map((signal) => {
    const entry = cite.written(signal);
    const { customer, date } = signal.about;
    const from = [isCustomerName(customer) ? customer : '', day(date)].filter((part) => part !== '').join(', ');
    return { text: `${quote(entry.text, 220)}${from === '' ? '' : ` (${from})`}.`, sources: [entry] };
  });
}

/** Themes with most signals of a tone, or most signals, each with a signal that was read. */
export function surveyThemes(
  cite: Citer,
  themes: readonly { theme: ThemeRow; sample: WrittenText }[],
  tone: 'negative' | 'positive' | undefined,
): Sentence[] {
  return themes.map(({ theme, sample }) => {
    const [said = { text: '', sources: [] }] = quoteVoices(cite, [sample]);
    return { text: `${quote(theme.theme)}, ${countsOf(theme, tone)}: ${said.text}`, sources: said.sources };
  });
}

/** Competitors with how many signals mention them, and what some of these say. */
export function tellNamed(
  cite: Citer,
  { name, voices, read }: { name: string; voices: Voices; read: readonly WrittenText[] },
): Sentence[] {
  const [first, ...others] = quoteVoices(cite, read);
  if (first === undefined) return [];
  const count = `${voices.isCut ? 'at least ' : ''}${counted(voices.signals.length, 'signal')}`;
  const span = voices.since === '' ? '' : `, from ${day(voices.since)} to ${day(voices.latest)}`;
  return [{ text: `${quote(name)}, ${count}${span}: ${first.text}`, sources: first.sources }, ...others];
}

/** Fewer signals in 7 days are none, rounded. */
const LEAST_USUAL = 0.05;

function countsOf(
  { signals, customers, trend, value, ...sounding }: ThemeRow,
  tone: 'negative' | 'positive' | undefined,
): string {
  // One customer of many signals is whoever is not named.
  const whose = customers < 2 ? '' : ` of ${counted(customers, 'customer')}`;
  const worth = value === undefined || value === 0 ? '' : ` worth ${value.toLocaleString('en')} together`;
  if (tone !== undefined)
    return `${sounding[tone].signals} of its ${counted(signals, 'signal')}${whose}${worth} ${sounding[tone].signals === 1 ? 'sounds' : 'sound'} ${tone}`;
  const isQuiet = trend.last === 0 && trend.usual < LEAST_USUAL;
  const rise = isQuiet ? '' : ` (${trend.direction}: ${trend.last} in 7 days, usually ${trend.usual.toFixed(1)})`;
  return `${counted(signals, 'signal')}${whose}${worth}${rise}`;
}
