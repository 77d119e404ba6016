import { describeCall } from '../kernel/answer.ts';
import { counted } from '../kernel/counted.ts';
import { productConfidenceOf } from './confidence.ts';
import { findCommits } from './gather/around.ts';
import type { Effort } from './gather/code.ts';
import { hearSignals, type Voices } from './gather/signals.ts';
import type { Tools } from './gather/tools.ts';
import {
  type Corpus,
  findMoves,
  findWritten,
  readWritten,
  type WrittenHit,
  type WrittenText,
} from './gather/written.ts';
import type { Investigation } from './investigation.ts';
import { Ledger } from './ledger/ledger.ts';
import { Citer } from './prose/cite.ts';
import { quoteWritten } from './prose/code.ts';
import { coverage, weighTerms } from './question/term-weights.ts';
import { moves, signalCounts, themeSentences } from './prose/product.ts';
import { day, type Paragraph, quote } from './prose/prose.ts';
import type { AskedQuestion } from './question/question.ts';
import { asksCustomers, hasSubject, subjectOf } from './question/subject.ts';

const READ = { quick: 2, standard: 4, deep: 8 } as const;
/** The most that is left of the confidence when customers are asked for and none has said anything. */
const UNHEARD = 0.2;
const CORPORA: readonly Corpus[] = ['signals', 'plans', 'decisions', 'documents'];
/** What fits less than this share of the best hit is about something else. */
const LEAST_SHARE = 0.5;

/** A text or a commit that has no more of the words of a question speaks of something else: of two it has both. */
const MOST_FOREIGN = 0.5;

/** What was found for a question about the product. */
interface Findings {
  voices: Voices;
  texts: readonly WrittenText[];
  done: Awaited<ReturnType<typeof findCommits>>;
}

/**
 * Answers what customers say about anything: the largest themes, each with a signal of theirs. Nothing else can: without signals it
 * is told that there are none.
 */
async function surveyCustomers(tools: Tools, question: AskedQuestion, effort: Effort): Promise<Investigation> {
  const voices = await hearSignals(tools, '');
  const samples = voices.themes.flatMap(({ sample_ids: [id] }) => (id === undefined ? [] : [signalHit(id)]));
  const newest = voices.signals.slice(0, READ[effort]).map(({ id }) => signalHit(id));
  const texts = await readWritten(tools, samples.length > 0 ? samples : newest);
  const ledger = new Ledger();
  const cite = new Citer(ledger, weighTerms(question.terms, 1, {}), (repo) => tools.commitOf(repo));
  const themes = themeSentences(cite, voices, { read: texts, isAll: true });
  const paragraphs = [{ sentences: themes, isList: themes.length > 1 }, { sentences: quoteWritten(cite, texts) }];
  const isSilent = voices.signals.length === 0;
  return {
    ledger,
    confidence: isSilent ? 0 : 0.8,
    isRefused: isSilent,
    composed: {
      paragraphs: paragraphs.filter(({ sentences }) => sentences.length > 0),
      gaps: isSilent ? ['no signal of a customer has been recorded'] : [],
      next: [describeCall('document-search-tool', { action: 'themes' })],
    },
  };
}

function signalHit(id: string): WrittenHit {
  return { corpus: 'signals', id, title: '', where: '', snippet: '', score: 1 };
}

/** Answers what customers want, what is planned, decided and done, and how competitors moved: 6 to 15 calls, without a model. */
export async function askProduct(tools: Tools, question: AskedQuestion, effort: Effort): Promise<Investigation> {
  const isAboutVoices = asksCustomers(question.words);
  if (isAboutVoices && !hasSubject(question.words)) return surveyCustomers(tools, question, effort);
  const query = subjectOf(question.words);
  const [hits, moved, voices, commits] = await Promise.all([
    findWritten(tools, query, { corpora: CORPORA, limit: 20 }),
    findMoves(tools, query, { limit: READ[effort] }),
    hearSignals(tools, query),
    findCommits(tools, query, { limit: 3 }),
  ]);
  const subject = weighTerms(termsIn(query, question), 1, {});
  const speaksOfIt = (...said: string[]): boolean => coverage(subject, said) > MOST_FOREIGN;
  const read = await readWritten(tools, bestOf(hits, READ[effort]));
  // Signals are found by meaning too: what customers say has other words.
  const fitting = read.filter(
    ({ kind, title, heading, text }) => kind === 'signal' || speaksOfIt(title, heading, text),
  );
  const texts = [...fitting, ...moved];
  const done = commits.filter((row) => speaksOfIt(row.subject));
  const ledger = new Ledger();
  // Without counts of a collection all terms say the same.
  const weights = weighTerms(question.terms, 1, {});
  const cite = new Citer(ledger, weights, (repo) => tools.commitOf(repo));
  const titles = [...voices.themes.map(({ theme }) => theme), ...texts.flatMap(titleOf)];
  const confidence = productConfidenceOf({
    // Of one text: several that speak of different things have all words together, too.
    coverage: Math.max(0, ...texts.map(({ title, text }) => coverage(subject, [title, text]))),
    titled: Math.max(0, ...titles.map((title) => coverage(subject, [title]))),
    topScore: hits[0]?.score ?? 0,
  });
  // Documentation does not say what customers do.
  const isUnheard = isAboutVoices && voices.signals.length === 0;
  const paragraphs = tell(cite, { voices, texts, done });
  return {
    ledger,
    confidence: isUnheard ? Math.min(confidence, UNHEARD) : confidence,
    isRefused: texts.length === 0 || isUnheard,
    composed: { paragraphs, gaps: gapsOf({ voices, texts, done }), next: nextCalls(query, texts) },
  };
}

/** What a text is called; a signal has no title, but a customer. */
function titleOf({ kind, title, heading }: WrittenText): string[] {
  return kind === 'signal' ? [] : [`${title} ${heading}`];
}

function termsIn(query: string, { terms }: AskedQuestion): string[] {
  const kept = terms.filter((term) => query.toLowerCase().includes(term.slice(0, 4)));
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

function tell(cite: Citer, { voices, texts, done }: Findings): Paragraph[] {
  const of = (...kinds: string[]): WrittenText[] => texts.filter(({ kind }) => kinds.includes(kind));
  const signals = of('signal');
  const commits = done.map((row) => ({
    text: `${day(row.date)}, ${row.author} committed ${quote(row.subject)}.`,
    sources: [cite.commit(row.repo, row)],
  }));
  const parts: Paragraph[] = [
    {
      sentences: [
        ...signalCounts(cite, voices, signals),
        ...themeSentences(cite, voices, { read: signals, isAll: false }),
        ...quoteWritten(cite, signals),
      ],
    },
    { sentences: quoteWritten(cite, of('plan', 'decision')) },
    { sentences: moves(cite, of('competitor')) },
    { sentences: quoteWritten(cite, of('document')) },
    { sentences: commits, isList: commits.length > 1 },
  ];
  return parts.filter(({ sentences }) => sentences.length > 0);
}

function gapsOf({ voices, texts, done }: Findings): string[] {
  const has = (kind: string): boolean => texts.some((text) => text.kind === kind);
  return [
    ...(voices.signals.length === 0 ? ['no signal of a customer fits'] : []),
    ...(has('plan') ? [] : ['no plan fits']),
    ...(has('decision') ? [] : ['no decision fits']),
    ...(has('competitor') ? [] : ['no change of a competitor fits']),
    ...(done.length === 0 ? ['no commit fits'] : []),
    ...(voices.isCut ? [`only the best ${counted(voices.signals.length, 'signal')} are counted`] : []),
  ];
}

function nextCalls(query: string, texts: readonly WrittenText[]): string[] {
  const [first] = texts;
  return [
    ...(first === undefined ? [] : [describeCall('document-search-tool', { action: 'get', query: first.id })]),
    describeCall('document-search-tool', { action: 'themes', query }),
    describeCall('search-tool', { query, limit: 20 }),
  ];
}
