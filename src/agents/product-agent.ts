import { describeCall } from '../kernel/answer.ts';
import { counted } from '../kernel/counted.ts';
import { levelOf, productConfidenceOf } from './confidence.ts';
import type { Effort } from './gather/code.ts';
import {
  gatherProduct,
  type ProductFindings,
  productFitOf,
  READ,
  signalHit,
  sampleWithTone,
  withTone,
} from './product-findings.ts';
import { hearSignals } from './gather/signals.ts';
import type { Tools } from './gather/tools.ts';
import { readWritten, type WrittenText } from './gather/written.ts';
import type { Investigation } from './investigation.ts';
import { Ledger } from './ledger/ledger.ts';
import { Citer } from './prose/cite.ts';
import { quoteWritten } from './prose/code.ts';
import { weighTerms } from './question/term-weights.ts';
import { moves, progress, reason, signalCounts, themeSentences, trendOf } from './prose/product.ts';
import { day, type Paragraph, quote } from './prose/prose.ts';
import type { AskedQuestion } from './question/question.ts';
import { asks, asksPlansFirst, toneAsked } from './question/kinds.ts';
import { hasSubjectOfVoices } from './question/subject.ts';

/** The most that is left of the confidence when customers are asked for and none has said anything. */
const UNHEARD = 0.2;
/** Themes among which those are told whose signals sound as asked. */
const MOST_THEMES = 12;
/** Signals of a theme, and the newest ones, that are looked through for one that sounds as asked. */
const SAMPLES = 3;
const NEWEST = 30;

/** A signal of a theme, of the asked tone; undefined for a theme of another tone. */
async function sampleOf(
  tools: Tools,
  ids: readonly string[],
  tone: ReturnType<typeof toneAsked>,
): Promise<WrittenText | undefined> {
  const hits = ids.slice(0, tone === undefined ? 1 : SAMPLES).map((id) => signalHit({ id, score: 1 }));
  const read = await readWritten(tools, hits);
  return sampleWithTone(read, tone);
}

/**
 * Answers what customers say about anything: the largest themes, each with a signal of theirs. Nothing else can: without signals it
 * is told that there are none.
 */
async function surveyCustomers(tools: Tools, question: AskedQuestion, effort: Effort): Promise<Investigation> {
  const tone = toneAsked(question.words);
  const voices = await hearSignals(tools, { query: '', mostThemes: MOST_THEMES }, () => true);
  const samples = await Promise.all(voices.themes.map(async ({ sample_ids: ids }) => sampleOf(tools, ids, tone)));
  const newest = voices.signals.slice(0, tone === undefined ? READ[effort] : NEWEST).map(signalHit);
  const sampled = samples.flatMap((sample) => sample ?? []).slice(0, READ[effort]);
  const texts = sampled.length > 0 ? sampled : withTone(await readWritten(tools, newest), tone).slice(0, READ[effort]);
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

/** Answers what customers want, what is planned, decided and done, and how competitors moved: 6 to 15 calls, without a model. */
export async function askProduct(tools: Tools, question: AskedQuestion, effort: Effort): Promise<Investigation> {
  // Whether something becomes more is told by how many say it.
  const isAboutVoices = asks('customers', question.words) || asks('trend', question.words);
  if (isAboutVoices && !hasSubjectOfVoices(question.words)) return surveyCustomers(tools, question, effort);
  const findings = await gatherProduct(tools, question, effort);
  const { query, texts, voices } = findings;
  const ledger = new Ledger();
  const cite = new Citer(ledger, findings.subject, (repo) => tools.commitOf(repo));
  const fit = productConfidenceOf(productFitOf(findings));
  // Documentation does not say what customers do.
  const isUnheard = isAboutVoices && voices.signals.length === 0;
  const confidence = isUnheard ? Math.min(fit, UNHEARD) : fit;
  const paragraphs = tell(cite, findings, question);
  return {
    ledger,
    confidence,
    // Signals that have the words of the question are what customers say of it, however few they are.
    isRefused: texts.length === 0 || (levelOf(confidence) === 'low' && !(isAboutVoices && voices.isNamed)),
    composed: { paragraphs, gaps: gapsOf(findings), next: nextCalls(query, texts) },
  };
}

function tell(
  cite: Citer,
  { query, voices, texts, plans, done }: ProductFindings,
  { words }: Pick<AskedQuestion, 'words'>,
): Paragraph[] {
  const of = (...kinds: string[]): WrittenText[] => texts.filter(({ kind }) => kinds.includes(kind));
  const signals = of('signal');
  const commits = done.map((row) => ({
    text: `${day(row.date)}, ${row.author} committed ${quote(row.subject)}.`,
    sources: [cite.commit(row.repo, row)],
  }));
  const near = { text: `No signal has the words ${quote(query)}; the nearest in meaning:`, sources: [] };
  // What is near to a question about plans is beside it, where there are any.
  const isHeard = !asksPlansFirst(words) || (plans.length === 0 && of('decision').length === 0);
  const said = voices.isNamed
    ? {
        sentences: [
          ...signalCounts(cite, voices, signals),
          ...(asks('trend', words) ? trendOf(cite, voices, signals) : []),
          ...themeSentences(cite, voices, { read: signals, isAll: false }),
          ...quoteWritten(cite, signals),
        ],
      }
    : { sentences: signals.length === 0 || !isHeard ? [] : [near, ...quoteWritten(cite, signals)], isList: true };
  const planned = plans.flatMap(({ plan, tasks }) => [...quoteWritten(cite, [plan]), ...progress(cite, plan, tasks)]);
  const decided = of('decision').flatMap((decision) => [...quoteWritten(cite, [decision]), ...reason(cite, decision)]);
  const intended = { sentences: asks('decisions', words) ? [...decided, ...planned] : [...planned, ...decided] };
  const parts: Paragraph[] = [
    ...(asksPlansFirst(words) ? [intended, said] : [said, intended]),
    { sentences: moves(cite, of('competitor')) },
    { sentences: quoteWritten(cite, of('document')) },
    { sentences: commits, isList: commits.length > 1 },
  ];
  return parts.filter(({ sentences }) => sentences.length > 0);
}

function gapsOf({ voices, texts, done }: ProductFindings): string[] {
  const has = (kind: string): boolean => texts.some((text) => text.kind === kind);
  return [
    ...(voices.signals.length === 0
      ? ['no signal of a customer fits']
      : voices.isNamed
        ? []
        : ['no signal of a customer has these words: those quoted are near to them in meaning']),
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
