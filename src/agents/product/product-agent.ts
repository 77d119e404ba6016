import { describeCall } from '../../kernel/answer.ts';
import { counted } from '../../kernel/counted.ts';
import { asMedium, levelOf } from '../confidence.ts';
import type { Effort } from '../gather/code.ts';
import { findAskedCustomers } from '../gather/asked-customers.ts';
import { productConfidenceOf } from './product-confidence.ts';
import { gatherProduct, type ProductFindings, productFitOf, READ, isSought, signalHit } from './product-findings.ts';
import { hearSignals, type ThemeRow, type Voices } from '../gather/signals.ts';
import type { Tools } from '../gather/tools.ts';
import { findMoves, readWritten, type WrittenText } from '../gather/written.ts';
import { Ledger } from '../ledger/ledger.ts';
import { Citer } from '../prose/cite.ts';
import { quoteWritten } from '../prose/code.ts';
import type { Investigation } from '../prose/investigation.ts';
import { coverage, type TermWeights, weighTerms } from '../question/term-weights.ts';
import { moves, progress, reason, trendOf } from '../prose/product.ts';
import { countVoices, quoteVoices, surveyThemes } from '../prose/voices.ts';
import { day, type Paragraph, quote, type Sentence } from '../prose/prose.ts';
import type { AskedQuestion } from '../question/question.ts';
import { asks, asksPlansFirst, toneAsked } from '../question/kinds.ts';
import { hasSubjectOfVoices, subjectOf } from '../question/subject.ts';

/** The most that is left of the confidence when customers are asked for and none has said anything. */
const UNHEARD = 0.2;
/** Themes among which those are told whose signals sound as asked. */
const MOST_THEMES = 50;
/** Without words nothing says whether the themes are what is meant. */
const SURVEYED = 0.6;
/** Fewer signals that have the words may be chance. */
const LEAST_HEARD = 5;
/** Share of the words of a question that the title of a plan has which is surely about it. */
const LEAST_TITLED = 0.5;

/**
 * Answers what customers say about anything: the largest themes, each with a signal of theirs; asked for complaints or praise, those
 * with most signals that sound so. Nothing else can: without signals it is told that there are none.
 */
async function surveyCustomers(
  tools: Tools,
  question: AskedQuestion,
  { effort, customer }: { effort: Effort; customer: string | undefined },
): Promise<Investigation> {
  const tone = asks('priorities', question.words) ? 'negative' : toneAsked(question.words);
  const voices = await hearSignals(tools, { query: '', mostThemes: MOST_THEMES, customer }, () => true);
  const themes = themesOfTone(voices, tone).slice(0, READ[effort]);
  const ids = themes.flatMap((theme) => (tone === undefined ? theme : theme[tone]).sample_ids);
  const newest = themes.length > 0 ? [] : voices.signals.filter((signal) => isSought(signal, tone));
  const shown = [...ids.map((id) => ({ id, score: 1 })), ...newest.slice(0, READ[effort])];
  const read = await readWritten(tools, shown.map(signalHit));
  const ledger = new Ledger();
  const cite = new Citer(ledger, weighTerms(question.terms, 1, {}), (repo) => tools.commitOf(repo));
  const told = themes.length > 0 ? surveyThemes(cite, themes, { tone, read }) : quoteVoices(cite, read);
  const isSilent = voices.signals.length === 0;
  return {
    ledger,
    confidence: isSilent ? 0 : SURVEYED,
    isRefused: isSilent,
    composed: {
      paragraphs: [
        { sentences: [leadOf(voices, tone, themes.length > 0 ? told : [])].flat() },
        { sentences: told, isList: told.length > 1 },
      ].filter(({ sentences }) => sentences.length > 0),
      gaps: isSilent ? ['no signal of a customer has been recorded'] : [],
      next: [describeCall('document-search-tool', { action: 'themes' })],
    },
  };
}

/** Themes with most signals of a tone first, or with most signals at all. */
function themesOfTone({ themes }: Voices, tone: 'negative' | 'positive' | undefined): ThemeRow[] {
  if (tone === undefined) return [...themes];
  return themes.filter((theme) => theme[tone].signals > 0).toSorted((a, b) => b[tone].signals - a[tone].signals);
}

/** What the themes are that follow. */
function leadOf(
  { searched }: Voices,
  tone: 'negative' | 'positive' | undefined,
  told: readonly Sentence[],
): Sentence[] {
  if (told.length < 2 || searched === 0) return [];
  const kind = tone === undefined ? 'with most signals' : `with most signals that sound ${tone}`;
  const sources = told.flatMap((sentence) => sentence.sources);
  return [{ text: `Of ${searched.toLocaleString('en')} signals, the themes ${kind}:`, sources }];
}

/** Answers what competitors changed. */
async function tellMoves(tools: Tools, question: AskedQuestion, effort: Effort): Promise<Investigation> {
  const query = subjectOf(question.words);
  const changes = await findMoves(tools, query, { limit: READ[effort] });
  const ledger = new Ledger();
  const cite = new Citer(ledger, weighTerms(question.terms, 1, {}), (repo) => tools.commitOf(repo));
  const sentences = moves(cite, changes);
  return {
    ledger,
    confidence: changes.length === 0 ? 0 : SURVEYED,
    isRefused: changes.length === 0,
    composed: {
      paragraphs: sentences.length === 0 ? [] : [{ sentences, isList: sentences.length > 1 }],
      gaps: changes.length === 0 ? [`no change of a competitor about ${quote(query)} was seen`] : [],
      next: [describeCall('competitor-tool', { action: 'changes', since: '1y' })],
    },
  };
}

/** Answers what customers want, what is planned, decided and done, and how competitors moved: 6 to 20 calls, without a model. */
export async function askProduct(tools: Tools, asked: AskedQuestion, effort: Effort): Promise<Investigation> {
  if (asks('competitors', asked.words) && !asks('customers', asked.words)) return tellMoves(tools, asked, effort);
  // Whether something becomes more is told by how many say it.
  const isAboutVoices = asks('customers', asked.words) || asks('trend', asked.words);
  const { words, customer } = await findAskedCustomers(tools, asked.words);
  const question = { ...asked, words };
  const isSurvey = asks('priorities', asked.words) || (isAboutVoices && !hasSubjectOfVoices(words));
  if (isSurvey) return surveyCustomers(tools, asked, { effort, customer });
  const findings = await gatherProduct(tools, question, { effort, customer });
  const { query, texts, voices, nearest } = findings;
  const ledger = new Ledger();
  const cite = new Citer(ledger, findings.subject, (repo) => tools.commitOf(repo));
  const fit = boundFit(findings, { isAboutVoices });
  // Documentation does not say what customers do.
  const isUnheard = isAboutVoices && voices.signals.length === 0;
  const confidence = isUnheard ? Math.min(fit, UNHEARD) : fit;
  const paragraphs = tell(cite, findings, { words: asked.words, customer, isAboutVoices });
  return {
    ledger,
    confidence,
    // Signals that have the words of the question are what customers say of it, however few they are.
    isRefused:
      nearest.length === 0 &&
      (texts.length === 0 || (levelOf(confidence) === 'low' && !(isAboutVoices && voices.isNamed))),
    composed: { paragraphs, gaps: gapsOf(findings, asked.words), next: nextCalls(query, [...texts, ...nearest]) },
  };
}

/** High is what has the words of the question: some signals that are as it asks, or the title of a plan or a decision. */
function boundFit(findings: ProductFindings, { isAboutVoices }: { isAboutVoices: boolean }): number {
  const { voices, fitting, texts, nearest, subject } = findings;
  const fit = productConfidenceOf(productFitOf(findings));
  const isHeard = isAboutVoices && voices.isNamed && fitting.length >= LEAST_HEARD;
  const isIntended = nearest.length === 0 && texts.some((text) => isTitled(text, subject));
  return isHeard || isIntended ? fit : Math.min(fit, asMedium(fit));
}

function isTitled({ kind, title }: WrittenText, subject: TermWeights): boolean {
  return (kind === 'plan' || kind === 'decision') && coverage(subject, [title]) > LEAST_TITLED;
}

function tell(
  cite: Citer,
  findings: ProductFindings,
  { words, customer, isAboutVoices }: { words: string; customer: string | undefined; isAboutVoices: boolean },
): Paragraph[] {
  const { texts, plans, nearest, done, query } = findings;
  const of = (...kinds: string[]): WrittenText[] => texts.filter(({ kind }) => kinds.includes(kind));
  const commits = done.map((row) => ({
    text: `${day(row.date)}, ${row.author} committed ${quote(row.subject)}.`,
    sources: [cite.commit(row.repo, row)],
  }));
  const planned = plans.flatMap(({ plan, tasks }) => [...quoteWritten(cite, [plan]), ...progress(cite, plan, tasks)]);
  // Beside a plan that is asked for, a decision that only has the words somewhere is about something else.
  const isOnlyPlanned = asksPlansFirst(words) && !asks('decisions', words) && plans.length > 0;
  const fitting = of('decision').filter((text) => !isOnlyPlanned || isTitled(text, findings.subject));
  const decided = [...fitting, ...nearest.filter(({ kind }) => kind === 'decision')].flatMap((decision) => [
    ...quoteWritten(cite, [decision]),
    ...reason(cite, decision),
  ]);
  const only = {
    text: `No plan or decision has the words ${quote(query)}; the nearest follows.`,
    sources: nearest.map((text) => cite.written(text)),
  };
  const intended = {
    sentences: [
      ...(nearest.length === 0 ? [] : [only]),
      ...(asks('decisions', words) ? [...decided, ...planned] : [...planned, ...decided]),
    ],
  };
  const isPlansFirst = asksPlansFirst(words);
  const said = tellVoices(cite, findings, {
    words,
    customer,
    isBeside: isPlansFirst && intended.sentences.length > 0 && !isAboutVoices,
  });
  const parts: Paragraph[] = [
    ...(isPlansFirst ? [intended, ...said] : [...said, intended]),
    { sentences: moves(cite, of('competitor')) },
    // What is documented is no answer to what customers say.
    { sentences: isAboutVoices ? [] : quoteWritten(cite, of('document')) },
    { sentences: commits, isList: commits.length > 1 },
  ];
  return parts.filter(({ sentences }) => sentences.length > 0);
}

/** What customers say; not beside plans and decisions when these alone are asked for. */
function tellVoices(
  cite: Citer,
  { query, things, voices, texts, sought, fitting }: ProductFindings,
  { words, customer, isBeside }: { words: string; customer: string | undefined; isBeside: boolean },
): Paragraph[] {
  const signals = texts.filter(({ kind }) => kind === 'signal');
  if (signals.length === 0 || isBeside) return [];
  if (!voices.isNamed) {
    const near = { text: `No signal has the words ${quote(query)}; the nearest in meaning:`, sources: [] };
    return [{ sentences: [near, ...quoteVoices(cite, signals)], isList: true }];
  }
  const isWho = asks('who', words);
  const counts = countVoices(cite, { voices, things, sought, fitting, customer, isWho }, signals);
  const heard = sought === undefined || fitting.length === 0 ? voices.signals : [...fitting];
  const trend = asks('trend', words) ? trendOf(cite, { ...voices, signals: heard }, signals) : [];
  return [{ sentences: [...counts, ...trend] }, { sentences: quoteVoices(cite, signals), isList: signals.length > 1 }];
}

/** What there is nothing of, as far as it was asked for. */
function gapsOf({ voices, texts, plans, nearest, sought, fitting }: ProductFindings, words: string): string[] {
  const isIntended = plans.length > 0 || nearest.length > 0 || texts.some(({ kind }) => kind === 'decision');
  return [
    ...(voices.signals.length === 0
      ? ['no signal of a customer fits']
      : voices.isNamed
        ? []
        : ['no signal of a customer has these words: those quoted are near to them in meaning']),
    ...(isIntended ? [] : ['no plan or decision fits']),
    ...(asks('competitors', words) && !texts.some(({ kind }) => kind === 'competitor')
      ? ['no change of a competitor fits']
      : []),
    ...(sought !== undefined && fitting.length > 0 && voices.isNamed
      ? ['how signals sound and what they are for is an estimate from their words, unless they have stars']
      : []),
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
