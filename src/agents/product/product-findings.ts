import { termsOf, termsOfWord, WORD } from '../../kernel/terms.ts';
import type { ProductFit } from './product-confidence.ts';
import type { AskedQuestion } from '../question/question.ts';
import { bestSentence } from '../prose/excerpt.ts';
import { asks, asksPlansFirst, toneAsked } from '../question/kinds.ts';
import { coverage, type TermWeights, weighTerms } from '../question/term-weights.ts';
import { findCommits } from '../gather/around.ts';
import type { Effort } from '../gather/code.ts';
import { shownSubject } from '../gather/asked-customers.ts';
import { hearSignals, type SignalRow, type Voices } from '../gather/signals.ts';
import type { Tools } from '../gather/tools.ts';
import {
  type Corpus,
  findMoves,
  findTasks,
  findWritten,
  readWritten,
  type WrittenHit,
  type WrittenText,
} from '../gather/written.ts';

/** Texts that are read. */
export const READ = { quick: 2, standard: 4, deep: 8 } as const;
/** For each that is quoted. */
const SIGNALS_READ = 3;
const CORPORA: readonly Corpus[] = ['plans', 'decisions', 'documents'];
/** What is looked through for the nearest plan or decision. */
const INTENDED = { corpora: ['plans', 'decisions'], limit: 3 } as const;
/** Words of a question of which each is looked for by itself. */
const MOST_WORDS = 4;
/** What fits less than this share of the best hit is about something else. */
const LEAST_SHARE = 0.5;

/** A text or a commit that has no more of the words of a question speaks of something else: of two it has both. */
const MOST_FOREIGN = 0.5;

/** What customers must say: a wish, or something that sounds so. */
type Sought = 'negative' | 'positive' | 'request';

/** What was found for a question about the product. */
export interface ProductFindings {
  /** What the question is about, in its words. */
  query: string;
  /** What it joins (`login or sign in`), each of which is asked for by itself. */
  things: readonly string[];
  /** The same, each word as heavy as another: without counts of a collection all say the same. */
  subject: TermWeights;
  voices: Voices;
  /** Which of them the question asks for; undefined when any will do. */
  sought: Sought | undefined;
  /** The signals that are so, the best first; all without. */
  fitting: readonly SignalRow[];
  /** Plans and decisions that have only some of the words, where none has them. */
  nearest: readonly WrittenText[];
  texts: readonly WrittenText[];
  /** The plans among them, with their work items. */
  plans: readonly { plan: WrittenText; tasks: Awaited<ReturnType<typeof findTasks>> }[];
  done: Awaited<ReturnType<typeof findCommits>>;
  /** Of the best hit, 0..1; 0 without any. */
  topScore: number;
}

/** Looks for what customers say, what is planned, decided and done, and how competitors moved: 6 to 30 calls. */
export async function gatherProduct(
  tools: Tools,
  question: AskedQuestion,
  { effort, customer }: { effort: Effort; customer?: string | undefined },
): Promise<ProductFindings> {
  const query = shownSubject(question.words);
  const subject = weighTerms(termsIn(query, question), 1, {});
  // Of `login or sign in` each is asked for by itself.
  const things = alternativesIn(query);
  const alternatives = things.map((words) => weighTerms(termsIn(words, question), 1, {}));
  const isAbout = (...said: string[]): boolean =>
    alternatives.some((weights) => coverage(weights, said) > MOST_FOREIGN);
  const [hits, moved, voices, commits] = await Promise.all([
    findWritten(tools, query, { corpora: CORPORA, limit: 20 }),
    findMoves(tools, query, { limit: READ[effort] }),
    hearSignals(tools, { query, alternatives: things, customer }, isAbout),
    findCommits(tools, query, { limit: 3 }),
  ]);
  const sought = soughtIn(question.words);
  const fitting = voices.signals.filter((signal) => isSought(signal, sought));
  const heard = fitting.length === 0 || !voices.isNamed ? voices.signals : fitting;
  const isOldestFirst = asks('since', question.words);
  const inOrder = isOldestFirst ? heard.toSorted((a, b) => (a.date < b.date ? -1 : 1)) : heard;
  const candidates = await readWritten(tools, inOrder.slice(0, READ[effort] * SIGNALS_READ).map(signalHit));
  const telling = mostTelling(candidates, subject);
  const quoted = isOldestFirst ? telling.toSorted((a, b) => (a.about.date < b.about.date ? -1 : 1)) : telling;
  const written = await readWritten(tools, bestOf(hits, READ[effort]));
  const read = [...quoted.slice(0, READ[effort]), ...written];
  // What customers say without a word of the question was found by its meaning.
  const texts = read.filter(({ kind, title, heading, text, parts }) => {
    // A document is long: a sentence of it must speak of the question, under its heading. The work items of a plan say what it is for.
    const all = kind === 'plan' ? parts.map((part) => part.text).join(' ') : text;
    const said = kind === 'document' ? (bestSentence(text, subject) ?? '') : `${title} ${all}`;
    return kind === 'signal' || isAbout(heading, said);
  });
  const intended = texts.filter(isIntended);
  const isMissed = asksPlansFirst(question.words) && intended.length === 0;
  const nearest = isMissed ? await findNearest(tools, query, subject) : [];
  const plans = await Promise.all(
    [...intended, ...nearest]
      .filter(({ kind }) => kind === 'plan')
      .map(async (plan) => ({ plan, tasks: await findTasks(tools, plan.id) })),
  );
  return {
    query,
    things,
    subject,
    voices,
    sought,
    fitting,
    nearest,
    texts: [...texts, ...moved],
    plans,
    done: commits.filter((row) => isAbout(row.subject)),
    topScore: Math.max(hits[0]?.score ?? 0, voices.signals[0]?.score ?? 0),
  };
}

/** Signals by how much of the question their title or a sentence of theirs has; those with most of it, where there are any. */
function mostTelling(signals: readonly WrittenText[], subject: TermWeights): WrittenText[] {
  const worthOf = ({ text }: WrittenText): number => {
    const [title = ''] = text.split('\n');
    return Math.max(coverage(subject, [title]), coverage(subject, [bestSentence(text, subject) ?? '']));
  };
  const worth = new Map(signals.map((signal) => [signal, worthOf(signal)]));
  const ranked = signals.toSorted((a, b) => (worth.get(b) ?? 0) - (worth.get(a) ?? 0));
  const telling = ranked.filter((signal) => (worth.get(signal) ?? 0) > MOST_FOREIGN);
  return telling.length === 0 ? ranked : telling;
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

function isIntended({ kind }: WrittenText): boolean {
  return kind === 'plan' || kind === 'decision';
}

/**
 * The plan or the decision with most of the words, in its title first: `drop the old settings page` and a decision that removes the
 * settings view. The search wants more of them together. None when all have none.
 */
async function findNearest(tools: Tools, query: string, subject: TermWeights): Promise<WrittenText[]> {
  const words = query.split(/\s+/).filter((word) => termsOf(word).length > 0);
  const lists = await Promise.all(words.slice(0, MOST_WORDS).map((word) => findWritten(tools, word, INTENDED)));
  const once = new Map(lists.flat().map((hit) => [hit.id, { ...hit, section: undefined }]));
  const read = await readWritten(tools, [...once.values()]);
  const worthOf = ({ title, text, parts }: WrittenText): number =>
    2 * coverage(subject, [title]) + coverage(subject, [title, text, ...parts.map((part) => part.text)]);
  const [best] = read.toSorted((a, b) => worthOf(b) - worthOf(a));
  return best === undefined || worthOf(best) === 0 ? [] : [best];
}

/** A signal to be read. */
export function signalHit({ id, score }: { id: string; score: number }): WrittenHit {
  return { corpus: 'signals', id, title: '', where: '', snippet: '', score };
}

/** How well what was found fits the question. */
export function productFitOf({ subject, voices, texts, topScore }: ProductFindings): ProductFit {
  const titles = [...voices.themes.map(({ theme }) => theme), ...texts.flatMap(titleOf)];
  return {
    // Of one text: several that speak of different things have all words together, too.
    coverage: Math.max(0, ...texts.map(({ title, text }) => coverage(subject, [title, text]))),
    titled: Math.max(0, ...titles.map((title) => coverage(subject, [title]))),
    topScore,
  };
}

/** What a text is called; a signal has no title, but a customer. */
function titleOf({ kind, title, heading }: WrittenText): string[] {
  return kind === 'signal' ? [] : [`${title} ${heading}`];
}

/** What a question joins by commas, `and` or `or`; all of it where it joins nothing. */
function alternativesIn(query: string): string[] {
  const parts = query.split(/,\s*|\s+(?:and|or)\s+/i).filter((part) => termsOf(part).length > 0);
  return parts.length === 0 ? [query] : parts;
}

function termsIn(query: string, { terms }: AskedQuestion): string[] {
  const asked = terms.filter((term) => query.toLowerCase().includes(term.slice(0, 4)));
  // A name of several words is one thing: what has only its words is not named.
  const parts = new Set(
    (query.match(WORD) ?? []).map(termsOfWord).flatMap((word) => (word.length > 1 ? word.slice(0, -1) : [])),
  );
  const kept = asked.filter((term) => !parts.has(term));
  return kept.length === 0 ? [...terms] : kept;
}

/** The best hits, each corpus in its turn: what is said, planned and decided, not only what there is most of. */
function bestOf(hits: readonly WrittenHit[], most: number): WrittenHit[] {
  const least = (hits[0]?.score ?? 0) * LEAST_SHARE;
  const fitting = hits.filter(({ score }) => score >= least);
  const turns = [...Map.groupBy(fitting, ({ corpus }) => corpus).values()];
  const rounds = Math.max(0, ...turns.map(({ length }) => length));
  const ordered = Array.from({ length: rounds }, (_, at) => turns.flatMap((list) => list[at] ?? [])).flat();
  return ordered.slice(0, most + turns.length);
}
