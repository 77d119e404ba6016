import { counted } from '../../kernel/counted.ts';
import type { Voices } from '../gather/signals.ts';
import type { WrittenText } from '../gather/written.ts';
import type { Citer } from './cite.ts';
import { sentencesOf } from './excerpt.ts';
import { day, listNames, quote, type Sentence } from './prose.ts';

/** How many signals of how many customers speak of it, since when, and what they are worth. Cites the ones that were read. */
export function signalCounts(cite: Citer, voices: Voices, read: readonly WrittenText[]): Sentence[] {
  const { signals, isNamed, customers, isCut, since, latest } = voices;
  if (!isNamed || read.length === 0) return [];
  const sources = read.map((text) => cite.written(text));
  const least = isCut ? 'At least ' : '';
  const from =
    customers.length === 0 ? '' : ` from ${counted(customers.length, 'customer')} (${listNames(customers, 3)})`;
  const span =
    since === '' ? '' : day(since) === day(latest) ? `, on ${day(since)}` : `, from ${day(since)} to ${day(latest)}`;
  const verb = signals.length === 1 ? 'speaks' : 'speak';
  return [
    { text: `${least}${counted(signals.length, 'signal')}${from} ${verb} of it${span}.`, sources },
    ...worth(sources, read),
  ];
}

/** Days of the two spans that are compared. */
const TREND_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether more is said of it: how many of the counted signals are from the last three months of them, and from the three before. */
export function trendOf(cite: Citer, { signals, latest, isCut }: Voices, read: readonly WrittenText[]): Sentence[] {
  const end = Date.parse(latest);
  if (Number.isNaN(end) || read.length === 0) return [];
  const ages = signals.map(({ date }) => (end - Date.parse(date)) / DAY_MS);
  const late = ages.filter((age) => age < TREND_DAYS).length;
  const before = ages.filter((age) => age >= TREND_DAYS && age < 2 * TREND_DAYS).length;
  const sources = read.map((one) => cite.written(one));
  if (late === signals.length) {
    const all = isCut ? 'All that were counted' : 'All of them';
    return [{ text: `${all} are from the ${TREND_DAYS} days to ${day(latest)}: too short to tell a trend.`, sources }];
  }
  const of = isCut ? 'Of the best that were counted' : 'Of them';
  const text = `${of} ${late} ${late === 1 ? 'is' : 'are'} from the ${TREND_DAYS} days to ${day(latest)}, ${before} from the ${TREND_DAYS} days before.`;
  return [{ text, sources }];
}

function worth(sources: Sentence['sources'], read: readonly WrittenText[]): Sentence[] {
  const values = read.map(({ about }) => about.value ?? 0).filter((value) => value > 0);
  if (values.length === 0) return [];
  const sum = values.reduce((total, value) => total + value, 0);
  return [{ text: `The quoted signals have a value of ${sum} in total, as stated with them.`, sources }];
}

const MOST_THEMES = 2;
/** Fewer signals in 7 days are none, rounded. */
const LEAST_USUAL = 0.05;

/** The themes that they belong to, with how many signals they have where all are told. */
export function themeSentences(
  cite: Citer,
  { themes }: Voices,
  { read, isAll }: { read: readonly WrittenText[]; isAll: boolean },
): Sentence[] {
  const told = themes.flatMap(({ theme, signals, customers, trend, sample_ids: samples }) => {
    const sources = read.filter(({ id }) => samples.includes(id)).map((text) => cite.written(text));
    // A theme whose signals are others, or that is called after something else, may be about that.
    if (sources.length === 0 || !(isAll || cite.worthOf(theme) > 0)) return [];
    // Of the signals that fit a question the themes count other ones than the search does.
    if (!isAll) return [{ text: `One theme of it is ${quote(theme)}.`, sources }];
    const isQuiet = trend.last === 0 && trend.usual < LEAST_USUAL;
    const rise = isQuiet ? '' : ` (${trend.direction}: ${trend.last} in 7 days, usually ${trend.usual.toFixed(1)})`;
    const whose = customers === 0 ? '' : ` of ${counted(customers, 'customer')}`;
    const text = `The theme ${quote(theme)} has ${counted(signals, 'signal')}${whose}${rise}.`;
    return [{ text, sources }];
  });
  return told.slice(0, MOST_THEMES);
}

/** What competitors changed. */
export function moves(cite: Citer, changes: readonly WrittenText[]): Sentence[] {
  return changes.map((change) => ({
    text: `${day(change.date)}, ${change.title}: ${quote(cite.written(change).text, 200)}.`,
    sources: [cite.written(change)],
  }));
}

/** Open work items of a plan that are named. */
const MOST_OPEN = 3;

/** How far a plan is: how many of its work items are done, and which ones are open. */
export function progress(
  cite: Citer,
  plan: WrittenText,
  tasks: readonly { title: string; status: string }[],
): Sentence[] {
  const open = tasks.filter(({ status }) => status !== 'done');
  const named = (open.length === 0 ? tasks : open).slice(0, MOST_OPEN);
  const sources = named.flatMap(({ title }) => (isIn(plan, title) ? [cite.quoted(plan, title)] : []));
  if (sources.length === 0) return [];
  const done = tasks.length - open.length;
  const counts = `${done} of its ${counted(tasks.length, 'work item')} ${done === 1 ? 'is' : 'are'} done`;
  const rest = open.length > named.length ? ` and ${open.length - named.length} more` : '';
  const which = open.length === 0 ? '' : `; open: ${named.map(({ title }) => quote(title, 120)).join(', ')}${rest}`;
  return [{ text: `${counts}${which}.`, sources }];
}

/** Why something was decided, as the decision says. */
export function reason(cite: Citer, decision: WrittenText): Sentence[] {
  const context = decision.parts.find(({ section }) => section === 'context');
  const [first] = sentencesOf(context?.text ?? '');
  if (first === undefined) return [];
  const source = cite.quoted({ ...decision, section: context?.section, heading: 'Context' }, first);
  return [{ text: `Its context: ${quote(source.text, 220)}.`, sources: [source] }];
}

function isIn({ parts }: WrittenText, said: string): boolean {
  return parts.some(({ text }) => text.includes(said));
}
