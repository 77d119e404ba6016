import type { Encoder } from '../../text/encoder/encoder.ts';
import type { Brief, Fact, NextCall, Reference } from '../model/brief.ts';
import { Citations, linesOf } from '../model/citations.ts';
import type { Operations } from '../model/operations.ts';
import {
  compareSides,
  compareTones,
  countLacking,
  countSignals,
  listMeans,
  rankValues,
  stateMean,
  stateShare,
} from './count-signals.ts';
import { findMoves, findPlanned } from './find-written.ts';
import { listExamples, listNew, listThemes, stateMissing } from './list-subjects.ts';
import { nearestKind, type WholeKind } from './nearest-kind.ts';
import { readQuery, type Reading } from './read-query.ts';
import { type ComputedFact, SignalQuery } from './signal-query.ts';
import { compareThemes, stateBeginning, stateTrend } from './state-change.ts';
import { readVocabulary, type Vocabulary } from './vocabulary.ts';

const MOST_NEXT = 3;
/** Certainty of an answer about what is near the words of a question, which no signal has. */
const UNSURE = 0.3;

/** Kinds of questions whose answer is found by meaning, or is about no subject. */
const BY_MEANING: ReadonlySet<Reading['kind']> = new Set(['missing', 'lacking', 'new', 'examples', 'mean', 'means']);

/** Computations of the facts in the rows of a query, by its kind: one to eight calls. */
const COMPUTATIONS: Readonly<Record<Reading['kind'], (query: SignalQuery) => Promise<ComputedFact[]>>> = {
  missing: stateMissing,
  lacking: countLacking,
  count: countSignals,
  share: stateShare,
  mean: stateMean,
  means: listMeans,
  values: rankValues,
  compare: compareSides,
  trend: stateTrend,
  since: stateBeginning,
  tones: compareTones,
  themes: (query) => (query.reading.periods.length > 1 ? compareThemes(query) : listThemes(query)),
  new: listNew,
  examples: listExamples,
};

/**
 * Answers a question about a product with numbers and quotes: what customers say as one query of `document-search-tool`, which is
 * shown so that it can be corrected, what is planned or decided as those texts, and what competitors changed as those changes.
 */
export async function writeFeedbackBrief(
  operations: Operations,
  text: string,
  { now, encoder }: { now: Date; encoder?: Encoder | undefined },
): Promise<Brief> {
  const written = (await findPlanned(operations, text)) ?? (await findMoves(operations, text, now));
  if (written !== undefined) return briefOf(operations, text, written);
  const vocabulary = await readVocabulary(operations);
  const byWords = await findingsOf(operations, readQuery(text, vocabulary, now), vocabulary);
  const kind = byWords.isByMeaning ? await nearestKind(encoder, text) : undefined;
  if (kind === undefined) return briefOf(operations, text, byWords);
  const reading = readingOf(kind, byWords.reading);
  const whole = await findingsOf(operations, reading, vocabulary);
  const sentence = `No signal has “${byWords.words.join('”, “')}”: the question is answered as ${QUESTIONS[kind]}`;
  return briefOf(operations, text, { ...whole, facts: [...whole.facts, { sentence, sources: [] }], certainty: UNSURE });
}

/** What questions about all signals ask. */
const QUESTIONS: Readonly<Record<WholeKind, string>> = {
  complaints: 'what people complain about.',
  praise: 'what people like.',
  mean: 'the mean rating.',
  new: 'what is new.',
};

/** The reading of a question about all signals, in the period and with the conditions that its words name. */
function readingOf(kind: WholeKind, { filter, ...reading }: Reading): Reading {
  const whole = { ...reading, subjects: [], values: [], missing: [] };
  if (kind === 'mean' || kind === 'new') return { ...whole, filter, kind };
  const tone = `tone=${kind === 'praise' ? 'positive' : 'negative'}`;
  return {
    ...whole,
    filter: [...new Set([...filter.filter((condition) => !condition.startsWith('tone=')), tone])],
    kind: 'themes',
  };
}

/** Computes what a question was read as. */
async function findingsOf(
  operations: Operations,
  reading: Reading,
  vocabulary: Vocabulary,
): Promise<Findings & { reading: Reading; isByMeaning: boolean }> {
  const query = new SignalQuery(operations, reading, vocabulary);
  if (!BY_MEANING.has(reading.kind)) await query.findThemes();
  const computed = await COMPUTATIONS[reading.kind](query);
  const isByMeaning = computed.some((fact) => fact.isByMeaning === true);
  const facts = [...computed, ...query.themeFacts()].map((fact) => ({
    ...fact,
    sentence: query.nameThemes(fact.sentence),
  }));
  return {
    facts,
    query: query.shown,
    words: reading.subjects,
    certainty: isByMeaning ? UNSURE : certaintyOf(reading, facts),
    next: nextOf(query),
    reading,
    isByMeaning,
  };
}

/** Facts that were computed for a question. */
export interface Findings {
  facts: readonly Fact[];
  query: NextCall;
  /** Words that were searched for. */
  words: readonly string[];
  /** 0..1: how sure it is that the question was read as it was meant. */
  certainty: number;
  next: readonly NextCall[];
}

function briefOf(operations: Operations, text: string, { facts, query, words, certainty, next }: Findings): Brief {
  const citations = new Citations();
  const cite = ({ text: shown = '', ...source }: Reference): number =>
    citations.cite({ ...source, shown: linesOf(shown), score: 1 }).number;
  const answer = facts.map((fact) => ({ sentence: fact.sentence, cites: fact.sources.map(cite) }));
  const { sources } = citations;
  const level = certainty >= 0.65 ? 'high' : certainty >= 0.4 ? 'medium' : 'low';
  return {
    read: { text, words: words.flatMap((part) => part.split(' ')), names: [], absent: [] },
    query,
    answer,
    isComputed: true,
    sources,
    confidence: { level, score: certainty },
    gaps: operations.unread > 0 ? [`${operations.unread} documents are still being read`] : [],
    next: next.slice(0, MOST_NEXT),
    lookedAt: { calls: operations.calls.length, places: sources.length },
    engine: 'evidence',
    provenances: operations.provenances,
  };
}

/** A number of fields is sure, one of words depends on them, and what is new or in themes was grouped. */
function certaintyOf({ kind, subjects }: Reading, facts: readonly Fact[]): number {
  if (facts.length === 0 || kind === 'missing') return 0.1;
  if (kind === 'themes' || kind === 'examples' || kind === 'new') return 0.5;
  return subjects.length > 0 ? 0.65 : 0.9;
}

/** The query again for the texts, and by month. */
function nextOf(query: SignalQuery): NextCall[] {
  const { operation } = query.shown;
  const scope = query.scope();
  return [
    { operation, args: { action: 'count', ...scope, group_by: 'month' } },
    { operation, args: { action: 'themes', ...scope } },
    { operation, args: { action: 'search', types: ['signal'], ...scope } },
  ];
}
