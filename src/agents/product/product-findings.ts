import { termsOf } from '../../kernel/terms.ts';
import { findCommits } from '../gather/around.ts';
import { shownSubject } from '../gather/asked-customers.ts';
import type { Effort } from '../gather/code.ts';
import { aboutAsked, findIntended, type IntendedText, nearestInMeaning } from '../gather/intended.ts';
import { namesOfOthers } from '../gather/rivals.ts';
import { shareSaid } from '../gather/near-words.ts';
import { dayOf, hearSignals, type SignalRow, type Voices } from '../gather/signals.ts';
import type { Tools } from '../gather/tools.ts';
import { findOldestDay, findTrend, type Trend } from '../gather/trend.ts';
import {
  findMoves,
  findTasks,
  findWritten,
  readWritten,
  type WrittenHit,
  type WrittenText,
} from '../gather/written.ts';
import { bestSentence } from '../prose/excerpt.ts';
import { asks, toneAsked } from '../question/kinds.ts';
import type { AskedQuestion } from '../question/question.ts';
import { coverage, type TermWeights, weighTerms } from '../question/term-weights.ts';
import { type AskedBlocks, askedBlocks } from './asked-blocks.ts';
import type { ProductFit } from './product-confidence.ts';

/** Texts that are read. */
export const READ = { quick: 2, standard: 4, deep: 8 } as const;
/** Characters of a sentence that is more than an exclamation, and of one that is quoted whole; how much that counts beside its words. */
const SHORT = 40;
const LONG = 220;
const IN_FULL = 0.5;
/** For each that is quoted. */
const SIGNALS_READ = 3;
/** Plans and decisions that are told where they are asked for. */
const MOST_INTENDED = 3;

/** A text or a commit that has no more of the words of a question speaks of something else: of two it has both. */
const MOST_FOREIGN = 0.5;

/** What customers must say: a wish, or something that sounds so. */
type Sought = 'negative' | 'positive' | 'request';

/** What was found for a question about the product. */
export interface ProductFindings {
  asked: AskedBlocks;
  /** What the question is about, in its words. */
  query: string;
  /** The same, with the words by which signals say it; each as heavy as another. */
  subject: TermWeights;
  voices: Voices;
  /** Which of them the question asks for; undefined when any will do. */
  sought: Sought | undefined;
  /** The signals that are so, the best first; all without. */
  fitting: readonly SignalRow[];
  /** Those that are quoted. */
  quoted: readonly WrittenText[];
  /** Plans and decisions about it, the best first; where there are none and they are asked for, the one that is nearest. */
  intended: readonly IntendedText[];
  /** How the nearest was found. */
  nearest: 'words' | 'meaning' | undefined;
  /** The work items of the plans among them, by plan. */
  tasks: ReadonlyMap<string, Awaited<ReturnType<typeof findTasks>>>;
  documents: readonly WrittenText[];
  moves: readonly WrittenText[];
  done: Awaited<ReturnType<typeof findCommits>>;
  trend: Trend | undefined;
  /** The day of the oldest of all signals, where it is asked since when. */
  oldestOfAll: string | undefined;
}

/** Looks for what customers say, what is planned, decided and done, and how competitors moved: 6 to 60 calls. */
export async function gatherProduct(
  tools: Tools,
  question: AskedQuestion,
  { effort, customer }: { effort: Effort; customer?: string | undefined },
): Promise<ProductFindings> {
  const asked = askedBlocks(question.words);
  const query = await soughtThings(tools, question.words);
  const things = alternativesIn(query);
  const isAbout = (...said: string[]): boolean => things.some((thing) => shareIn(thing, said) > MOST_FOREIGN);
  const [hits, moves, voices, commits, found] = await Promise.all([
    asked.documents || asked.isByDefault ? findWritten(tools, query, { corpora: ['documents'], limit: 10 }) : [],
    asked.moves ? findMoves(tools, query, { limit: READ[effort] }) : [],
    hearSignals(tools, { query, alternatives: things, customer }),
    asked.done ? findCommits(tools, query, { limit: 3 }) : [],
    findIntended(tools, things),
  ]);
  const told = voices.isNamed ? voices.things.flatMap(({ words }) => words.flat()) : [];
  const subject = weighTerms(termsOf([query, ...told].join(' ')), 1, {});
  const sought = soughtIn(question.words);
  const fitting = voices.signals.filter((signal) => isSought(signal, sought));
  const quoted = await readTelling(
    tools,
    { voices, fitting, subject },
    { effort, isOldestFirst: asks('since', question.words) },
  );
  const read = await readWritten(tools, hits.slice(0, READ[effort]));
  const { intended, nearest } = chooseIntended(found, asked, question.words);
  const plans = intended.filter(({ text }) => text.kind === 'plan');
  const tasks = await Promise.all(plans.map(async ({ text: { id } }) => [id, await findTasks(tools, id)] as const));
  const isSince = asks('since', question.words) && voices.isNamed && voices.since !== '';
  const counting = sought === undefined || fitting.length === 0 ? voices.signals : fitting;
  return {
    asked,
    query,
    subject,
    voices,
    sought,
    fitting,
    quoted,
    intended,
    nearest: intended.length === 0 ? undefined : nearest,
    tasks: new Map(tasks),
    documents: read.filter(({ heading, text }) => isAbout(heading, bestSentence(text, subject) ?? '')),
    moves,
    done: commits.filter((row) => isAbout(row.subject)),
    oldestOfAll: isSince ? await findOldestDay(tools, dayOf({ date: voices.since }), customer) : undefined,
    trend: asks('trend', question.words) ? await findTrend(tools, counting, customer) : undefined,
  };
}

/** The share of the words of a thing, or words near to them, that some texts have. */
function shareIn(thing: string, texts: readonly string[]): number {
  return shareSaid(thing, texts);
}

/** What is told of plans and decisions: those about what is asked, of a kind nobody asked for the best alone; else the nearest, where somebody did. */
function chooseIntended(
  found: readonly IntendedText[],
  { intended }: AskedBlocks,
  words: string,
): Pick<ProductFindings, 'intended' | 'nearest'> {
  const isOfPlans = !asks('decisions', words);
  const fitting = aboutAsked(found, (kind) => (kind === 'plan') === isOfPlans);
  if (!intended)
    return { intended: fitting.filter(({ titled }) => titled > MOST_FOREIGN).slice(0, 1), nearest: undefined };
  if (fitting.length > 0) return { intended: fitting.slice(0, MOST_INTENDED), nearest: undefined };
  const meant = nearestInMeaning(found);
  return {
    intended: meant === undefined ? found.slice(0, 1) : [meant],
    nearest: meant === undefined ? 'words' : 'meaning',
  };
}

/** Reads the signals that say most about it: sentences with most of the words, none too short to say more and none too long to be quoted whole. */
async function readTelling(
  tools: Tools,
  { voices, fitting, subject }: { voices: Voices; fitting: readonly SignalRow[]; subject: TermWeights },
  { effort, isOldestFirst }: { effort: Effort; isOldestFirst: boolean },
): Promise<WrittenText[]> {
  const heard = fitting.length === 0 || !voices.isNamed ? voices.signals : fitting;
  const most = READ[effort];
  // The oldest are those that are asked for, whatever else they say.
  const among = isOldestFirst ? heard.toSorted(byDate).slice(0, most * SIGNALS_READ) : heard;
  const telling = voices.isNamed ? mostTelling(among, subject) : among;
  const oldest = among.slice(0, 1);
  const chosen = isOldestFirst
    ? [...oldest, ...telling.filter((signal) => !oldest.includes(signal))].slice(0, most).toSorted(byDate)
    : telling;
  return readWritten(tools, chosen.slice(0, most).map(signalHit));
}

function byDate(a: { date: string }, b: { date: string }): number {
  return a.date < b.date ? -1 : 1;
}

/** Signals by how much of the question a sentence of theirs has, those that are worth a quote first. */
export function mostTelling(signals: readonly SignalRow[], subject: TermWeights): SignalRow[] {
  const worthOf = ({ snippet }: SignalRow): number => {
    const said = bestSentence(snippet, subject) ?? '';
    return coverage(subject, [said]) + (said.length >= SHORT && said.length <= LONG ? IN_FULL : 0);
  };
  const worth = new Map(signals.map((signal) => [signal, worthOf(signal)]));
  const ranked = signals.toSorted((a, b) => (worth.get(b) ?? 0) - (worth.get(a) ?? 0));
  // What several say word for word is quoted once.
  return [...Map.groupBy(ranked, ({ snippet }) => snippet).values()].flatMap(([first]) => first ?? []);
}

/** What customers must say to be asked for. */
function soughtIn(words: string): Sought | undefined {
  return toneAsked(words) ?? (asks('customers', words) && asks('wishes', words) ? 'request' : undefined);
}

/** Whether a signal is what is sought. A bug is no praise, however calmly it is told. */
export function isSought({ polarity, intent }: SignalRow, sought: Sought | undefined): boolean {
  switch (sought) {
    case undefined:
      return true;
    case 'request':
      return intent === 'request';
    case 'positive':
      return (polarity ?? 0) > 0;
    case 'negative':
      return (polarity ?? 0) < 0 || intent === 'bug';
  }
}

/** A signal to be read. */
export function signalHit({ id, score }: { id: string; score: number }): WrittenHit {
  return { corpus: 'signals', id, title: '', where: '', snippet: '', score };
}

/** How well what was found fits the question. */
export function productFitOf({ asked, query, voices, quoted, intended, documents }: ProductFindings): ProductFit {
  const things = alternativesIn(query);
  const named = intended.map(({ text }) => text);
  const shareOf = (...said: string[]): number => Math.max(...things.map((thing) => shareIn(thing, said)));
  const titles = [
    ...voices.themes.map(({ theme }) => theme),
    ...[...named, ...documents].map(({ title, heading }) => `${title} ${heading}`),
  ];
  // Of one text: several that speak of different things have all words together, too.
  const shares = (asked.isIntendedFirst ? [...named, ...documents] : quoted).map(({ title, text, parts }) =>
    shareOf(title, text, ...parts.map((part) => part.text)),
  );
  return {
    coverage: Math.max(0, ...shares),
    titled: Math.max(0, ...titles.map((title) => shareOf(title))),
    quoted: shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length),
  };
}

/** What a question is about; of what customers say about competitors, these by name or as people speak of others. */
async function soughtThings(tools: Tools, words: string): Promise<string> {
  const query = shownSubject(words);
  const isOfOthers = asks('competitors', words) && asks('customers', words) && !/\p{Lu}/u.test(query);
  return isOfOthers ? (await namesOfOthers(tools)).join(', ') : query;
}

/** What a question joins by commas, `and` or `or`; all of it where it joins nothing. */
function alternativesIn(query: string): string[] {
  const parts = query.split(/,\s*|\s+(?:and|or)\s+/i).filter((part) => termsOf(part).length > 0);
  return parts.length === 0 ? [query] : parts;
}
