import { counted } from '../../kernel/counted.ts';
import type { Trend } from '../gather/trend.ts';
import type { WrittenText } from '../gather/written.ts';
import type { Citer } from './cite.ts';
import { sentencesOf } from './excerpt.ts';
import { day, quote, type Sentence } from './prose.ts';

/** So many times as often, or as seldom, is more than chance, from so many signals on. */
const MUCH = 1.5;
const LEAST_OF_TREND = 10;

/** Whether more is said of it: how many of the counted signals are from the last days and from as many before, and of how many in all. */
export function tellTrend(cite: Citer, trend: Trend | undefined, read: readonly WrittenText[]): Sentence[] {
  if (read.length === 0) return [];
  const sources = read.map((one) => cite.written(one));
  if (trend === undefined)
    return [{ text: 'No trend can be told: there are hardly any signals of the time before.', sources }];
  const { days, end, late, before, allLate, allBefore } = trend;
  const text =
    `${verdictOf(trend)}: ${late} of ${allLate.toLocaleString('en')} signals in the ${days} days to ${end}, ` +
    `${before} of ${allBefore.toLocaleString('en')} in the ${days} days before.`;
  return [{ text, sources }];
}

/** By shares of all signals: where more is said of everything, no part of it has become more. */
function verdictOf({ late, before, allLate, allBefore }: Trend): string {
  if (late + before < LEAST_OF_TREND) return 'Too few signals mention it to tell a trend';
  // Shares of all, without dividing.
  const [now, then] = [late * allBefore, before * allLate];
  if (now >= MUCH * then) return 'It is mentioned more often';
  return then >= MUCH * now ? 'It is mentioned less often' : 'It is mentioned about as often as before';
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
