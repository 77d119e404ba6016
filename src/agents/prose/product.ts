import { counted } from '../../kernel/counted.ts';
import type { Voices } from '../gather/signals.ts';
import type { WrittenText } from '../gather/written.ts';
import type { Citer } from './cite.ts';
import { sentencesOf } from './excerpt.ts';
import { day, quote, type Sentence } from './prose.ts';

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
