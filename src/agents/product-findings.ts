import { termsOf, termsOfWord, WORD } from '../kernel/terms.ts';
import type { ProductFit } from './confidence.ts';
import type { AskedQuestion } from './question/question.ts';
import { bestSentence } from './prose/excerpt.ts';
import { asks, toneAsked } from './question/kinds.ts';
import { subjectOf } from './question/subject.ts';
import { coverage, type TermWeights, weighTerms } from './question/term-weights.ts';
import { findCommits } from './gather/around.ts';
import type { Effort } from './gather/code.ts';
import { hearSignals, type Voices } from './gather/signals.ts';
import type { Tools } from './gather/tools.ts';
import {
  type Corpus,
  findMoves,
  findTasks,
  findWritten,
  readWritten,
  type WrittenHit,
  type WrittenText,
} from './gather/written.ts';

/** Texts that are read. */
export const READ = { quick: 2, standard: 4, deep: 8 } as const;
/** For each that is quoted. */
const SIGNALS_READ = 3;
/** The same where praise or complaints alone are asked for. */
const SIGNALS_OF_TONE_READ = 8;
const CORPORA: readonly Corpus[] = ['plans', 'decisions', 'documents'];
/** What fits less than this share of the best hit is about something else. */
const LEAST_SHARE = 0.5;

/** A text or a commit that has no more of the words of a question speaks of something else: of two it has both. */
const MOST_FOREIGN = 0.5;

/** What was found for a question about the product. */
export interface ProductFindings {
  /** What the question is about, in its words. */
  query: string;
  /** The same, each word as heavy as another: without counts of a collection all say the same. */
  subject: TermWeights;
  voices: Voices;
  texts: readonly WrittenText[];
  /** The plans among them, with their work items. */
  plans: readonly { plan: WrittenText; tasks: Awaited<ReturnType<typeof findTasks>> }[];
  done: Awaited<ReturnType<typeof findCommits>>;
  /** Of the best hit, 0..1; 0 without any. */
  topScore: number;
}

/** Looks for what customers say, what is planned, decided and done, and how competitors moved: 6 to 30 calls. */
export async function gatherProduct(tools: Tools, question: AskedQuestion, effort: Effort): Promise<ProductFindings> {
  const query = subjectOf(question.words);
  const subject = weighTerms(termsIn(query, question), 1, {});
  // Of `login or sign in` each is asked for by itself.
  const things = alternativesIn(query);
  const alternatives = things.map((words) => weighTerms(termsIn(words, question), 1, {}));
  const isAbout = (...said: string[]): boolean =>
    alternatives.some((weights) => coverage(weights, said) > MOST_FOREIGN);
  const [hits, moved, voices, commits] = await Promise.all([
    findWritten(tools, query, { corpora: CORPORA, limit: 20 }),
    findMoves(tools, query, { limit: READ[effort] }),
    hearSignals(tools, { query, alternatives: things }, isAbout),
    findCommits(tools, query, { limit: 3 }),
  ]);
  const inOrder = asks('since', question.words)
    ? voices.signals.toSorted((a, b) => (a.date < b.date ? -1 : 1))
    : voices.signals;
  // Who asks since when is shown all of them, the oldest first.
  const tone = asks('since', question.words) ? undefined : toneAsked(question.words);
  const most = READ[effort] * (tone === undefined ? SIGNALS_READ : SIGNALS_OF_TONE_READ);
  const heard = withTone(await readWritten(tools, inOrder.slice(0, most).map(signalHit)), tone);
  const quoted = asks('since', question.words) ? heard : mostTelling(heard, subject);
  const read = [...quoted.slice(0, READ[effort]), ...(await readWritten(tools, bestOf(hits, READ[effort])))];
  // What customers say without a word of the question was found by its meaning.
  const texts = read.filter(({ kind, title, heading, text }) => {
    // A document is long: a sentence of it must speak of the question, under its heading.
    const said = kind === 'document' ? (bestSentence(text, subject) ?? '') : `${title} ${text}`;
    return kind === 'signal' || isAbout(heading, said);
  });
  const plans = await Promise.all(
    texts.filter(({ kind }) => kind === 'plan').map(async (plan) => ({ plan, tasks: await findTasks(tools, plan.id) })),
  );
  return {
    query,
    subject,
    voices,
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

/** Signals that sound as asked; all of them where none does, or any tone will do. */
export function withTone(signals: readonly WrittenText[], tone: ReturnType<typeof toneAsked>): WrittenText[] {
  const fitting = signals.filter((signal) => soundsAs(signal, tone));
  return fitting.length === 0 ? [...signals] : fitting;
}

/** The first signal that sounds as asked, where more than half of the signals of a theme do; undefined for a theme of another tone. */
export function sampleWithTone(
  signals: readonly WrittenText[],
  tone: ReturnType<typeof toneAsked>,
): WrittenText | undefined {
  const fitting = signals.filter((signal) => soundsAs(signal, tone));
  return fitting.length * 2 > signals.length ? fitting[0] : undefined;
}

/** Whether a signal may be praise, or a complaint: many of those are said in plain words. */
function soundsAs({ about }: WrittenText, tone: ReturnType<typeof toneAsked>): boolean {
  const isPraise = (about.polarity ?? 0) > 0;
  return tone === undefined || isPraise === (tone === 'positive');
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
