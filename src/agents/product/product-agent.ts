import { describeCall } from '../../kernel/answer.ts';
import { counted } from '../../kernel/counted.ts';
import { termsOf } from '../../kernel/terms.ts';
import type { Effort } from '../gather/code.ts';
import { findAskedCustomers } from '../gather/asked-customers.ts';
import { productConfidenceOf } from './product-confidence.ts';
import { askedBlocks } from './asked-blocks.ts';
import { boundFit } from './bound-fit.ts';
import { tellRivals } from './tell-rivals.ts';
import { themesOfTone, type Tone } from './themes-of-tone.ts';
import {
  gatherProduct,
  mostTelling,
  type ProductFindings,
  productFitOf,
  READ,
  isSought,
  signalHit,
} from './product-findings.ts';
import { hearSignals, type ThemeRow, type Voices } from '../gather/signals.ts';
import type { Tools } from '../gather/tools.ts';
import { findMoves, readWritten, type WrittenText } from '../gather/written.ts';
import { Ledger } from '../ledger/ledger.ts';
import { Citer } from '../prose/cite.ts';
import { quoteWritten } from '../prose/code.ts';
import type { Investigation } from '../prose/investigation.ts';
import { weighTerms } from '../question/term-weights.ts';
import { moves, progress, reason, tellTrend } from '../prose/product.ts';
import { countVoices, quoteVoices, surveyThemes } from '../prose/voices.ts';
import { day, type Paragraph, quote, type Sentence } from '../prose/prose.ts';
import type { AskedQuestion } from '../question/question.ts';
import { asks, toneAsked } from '../question/kinds.ts';
import { hasSubjectOfVoices, subjectOf } from '../question/subject.ts';

/** Themes among which those are told whose signals sound as asked. */
const MOST_THEMES = 50;
/** Without words nothing says whether the themes are what is meant. */
const SURVEYED = 0.6;
/** What all customers speak of. */
const THE_PRODUCT = /\b(?:apps?|applications?|products?|services?|software|tool|website|site|platform|company)\b/gi;

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
  const voices = await hearSignals(tools, { query: '', mostThemes: MOST_THEMES, customer });
  const themes = themesOfTone(voices.themes, tone).slice(0, READ[effort]);
  const newest =
    themes.length > 0 ? [] : voices.signals.filter((signal) => isSought(signal, tone)).slice(0, READ[effort]);
  const samples = await Promise.all(themes.map((theme) => findSample(tools, theme, { tone, customer })));
  const shown = [...samples.flatMap((sample) => sample ?? []), ...newest];
  const read = await readWritten(tools, shown.map(signalHit));
  const ledger = new Ledger();
  const cite = new Citer(ledger, weighTerms(question.terms, 1, {}), (repo) => tools.commitOf(repo));
  const sampled = themes.flatMap((theme, at) => {
    const sample = read.find(({ id }) => id === samples[at]?.id);
    return sample === undefined ? [] : [{ theme, sample }];
  });
  const told = themes.length > 0 ? surveyThemes(cite, sampled, tone) : quoteVoices(cite, read);
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

/** A signal of the tone that says what the theme is called; else one of those that stand for the theme. Its words decide, not its place. */
async function findSample(
  tools: Tools,
  theme: ThemeRow,
  { tone, customer }: { tone: Tone; customer: string | undefined },
): Promise<{ id: string; score: number } | undefined> {
  const named = await hearSignals(tools, { query: theme.theme, customer, mostThemes: 1 });
  const subject = weighTerms(termsOf(theme.theme), 1, {});
  const [best] = mostTelling(named.isNamed ? named.signals.filter((signal) => isSought(signal, tone)) : [], subject);
  if (best !== undefined) return best;
  const [id] = (tone === undefined ? theme : theme[tone]).sample_ids;
  return id === undefined ? undefined : { id, score: 1 };
}

/** What the themes are that follow. */
function leadOf({ searched }: Voices, tone: Tone, told: readonly Sentence[]): Sentence[] {
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

/** Answers what customers want, what is planned, decided and done, and how competitors moved: 6 to 60 calls, without a model. */
export async function askProduct(tools: Tools, asked: AskedQuestion, effort: Effort): Promise<Investigation> {
  const blocks = askedBlocks(asked.words);
  if (blocks.moves && !blocks.intended) {
    const told = await tellMoves(tools, asked, effort);
    // Where nobody watches them, customers may name them.
    return told.isRefused ? ((await tellRivals(tools, asked, { effort, gaps: told.composed.gaps })) ?? told) : told;
  }
  const { words, customer } = await findAskedCustomers(tools, asked.words);
  const question = { ...asked, words };
  if (asks('competitors', words) && !blocks.intended && !/\p{Lu}/u.test(words.slice(1))) {
    const told = await tellRivals(tools, question, { effort, customer, gaps: [] });
    if (told !== undefined) return told;
  }
  const isSurvey = asks('priorities', asked.words) || (blocks.voices && !blocks.isByDefault && !hasThing(words));
  if (isSurvey) return surveyCustomers(tools, asked, { effort, customer });
  const findings = await gatherProduct(tools, question, { effort, customer });
  const { query, voices, quoted, intended, documents } = findings;
  const ledger = new Ledger();
  const cite = new Citer(ledger, findings.subject, (repo) => tools.commitOf(repo));
  const confidence = boundFit(productConfidenceOf(productFitOf(findings)), findings);
  const isHeard = blocks.voices && voices.isNamed;
  const isMeant = intended.length > 0 && findings.nearest !== 'words';
  return {
    ledger,
    confidence,
    // Signals that have the words of the question are what customers say of it, however few they are.
    isRefused: !isHeard && !isMeant && documents.length === 0 && findings.moves.length === 0,
    composed: {
      paragraphs: tell(cite, findings, { words: asked.words, customer }),
      gaps: gapsOf(findings),
      next: nextCalls(query, [...quoted, ...intended.map(({ text }) => text), ...documents]),
    },
  };
}

/** Whether a question about customers names something that they speak of. The product itself is what all of them speak of. */
function hasThing(words: string): boolean {
  return hasSubjectOfVoices(words.replaceAll(THE_PRODUCT, ' '));
}

/** What is asked for, in the order of the question, and at most one thing more: what is planned or decided, or what is documented. */
function tell(
  cite: Citer,
  findings: ProductFindings,
  { words, customer }: { words: string; customer: string | undefined },
): Paragraph[] {
  const { asked, documents, done, voices } = findings;
  const commits = done.map((row) => ({
    text: `${day(row.date)}, ${row.author} committed ${quote(row.subject)}.`,
    sources: [cite.commit(row.repo, row)],
  }));
  // Documentation that has the words answers what nobody says and nobody asked customers about.
  const isDocumented =
    asked.isByDefault && documents.length > 0 && voices.things.every(({ way }) => way === 'rarest' || way === 'none');
  const said = asked.voices && !isDocumented ? tellVoices(cite, findings, { words, customer }) : [];
  const intended = { sentences: tellIntended(cite, findings) };
  const parts: Paragraph[] = [
    ...(asked.isIntendedFirst ? [intended, ...said] : [...said, intended]),
    { sentences: moves(cite, findings.moves) },
    { sentences: asked.documents || intended.sentences.length === 0 ? quoteWritten(cite, documents) : [] },
    { sentences: commits, isList: commits.length > 1 },
  ];
  return parts.filter(({ sentences }) => sentences.length > 0);
}

/** Plans with how far they are, and decisions with why. */
function tellIntended(cite: Citer, { intended, nearest, query, tasks }: ProductFindings): Sentence[] {
  const told = intended.flatMap(({ text }) =>
    text.kind === 'plan'
      ? [...quoteWritten(cite, [text]), ...progress(cite, text, tasks.get(text.id) ?? [])]
      : [...quoteWritten(cite, [text]), ...reason(cite, text)],
  );
  if (nearest === undefined) return told;
  const sources = intended.map(({ text }) => cite.written(text));
  const which = nearest === 'meaning' ? 'the nearest in meaning follows' : 'the nearest follows';
  return [{ text: `No plan or decision has the words ${quote(query)}; ${which}.`, sources }, ...told];
}

/** What customers say: the count first, or whether it is becoming more where that is asked, then quotes. */
function tellVoices(
  cite: Citer,
  { query, voices, quoted, sought, fitting, trend, oldestOfAll }: ProductFindings,
  { words, customer }: { words: string; customer: string | undefined },
): Paragraph[] {
  if (quoted.length === 0) return [];
  if (!voices.isNamed) {
    const near = { text: `No signal mentions ${quote(query)}; the nearest in meaning:`, sources: [] };
    return [{ sentences: [near, ...quoteVoices(cite, quoted)], isList: true }];
  }
  const isWho = asks('who', words);
  const counts = countVoices(cite, { voices, sought, fitting, customer, isWho, oldestOfAll }, quoted);
  const rise = asks('trend', words) ? tellTrend(cite, trend, quoted) : [];
  return [{ sentences: [...rise, ...counts] }, { sentences: quoteVoices(cite, quoted), isList: quoted.length > 1 }];
}

/** What there is nothing of, as far as it was asked for. */
function gapsOf({ asked, voices, intended, nearest, sought, fitting }: ProductFindings): string[] {
  return [
    ...(asked.voices && !voices.isNamed
      ? [voices.signals.length === 0 ? 'no signal of a customer fits' : 'no signal of a customer has these words']
      : []),
    ...(asked.intended && (intended.length === 0 || nearest === 'words') ? ['no plan or decision fits'] : []),
    ...(asked.voices && sought !== undefined && fitting.length > 0 && voices.isNamed
      ? ['how signals sound and what they are for is an estimate from their words, unless they have stars']
      : []),
    ...(asked.voices && voices.isCut ? [`only the best ${counted(voices.signals.length, 'signal')} are counted`] : []),
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
