import { roundTo } from '../../kernel/shown-values.ts';
import { compareTexts } from '../../kernel/text-order.ts';
import { describeCall, type Provenance } from '../../kernel/answer.ts';
import { levelOf } from '../../evidence/evidence.ts';
import type { Brief, Source, Statement } from '../../evidence/model/brief.ts';
import { Citations } from '../../evidence/model/citations.ts';
import type { Corpus, CorpusResult, CorpusSource, PartResult } from './collect.ts';
import { findDifferences, findSupport, type Quote } from './compare-quotes.ts';

const MOST_FINDINGS = { quick: 8, standard: 16, deep: 32 } as const;
const [MOST_CONTRADICTIONS, MOST_DATES, MOST_ACTIONS] = [5, 12, 5];
/** So many other voices that say the like make a finding certain, and one makes it likely. */
const CERTAIN = 2;

/** A corpus as people name what it has. */
const NAMES: Readonly<Record<Corpus, string>> = {
  code: 'code',
  commits: 'commits',
  plans: 'plans',
  documents: 'documents',
  signals: 'signals',
  decisions: 'decisions',
  competitors: 'changes of competitors',
};

interface Finding {
  /** A computed fact, or a line of a source; with a model, its sentence. */
  claim: string;
  /** Absent for a sentence of a model. */
  corpus?: Corpus;
  sources: number[];
  confidence: 'high' | 'medium' | 'low';
  /** Other voices that say the like. */
  corroboration: number;
  supported_by: number[];
}

/** Conclusions from the results of corpora; the fields of a brief that research has beside the usual ones. */
export interface Conclusion {
  findings: Finding[];
  contradictions: { a: Cited; b: Cited; why: string }[];
  timeline: { date: string; claim: string; sources: number[] }[];
  actions: string[];
}

interface Cited {
  claim: string;
  sources: number[];
}

interface Numbered extends CorpusSource {
  source: Source;
}

/** Input of the conclusion of a research. */
interface Results {
  question: string;
  subquestions: readonly string[];
  effort: keyof typeof MOST_FINDINGS;
  results: readonly CorpusResult[];
  provenances: readonly Provenance[];
}

/** Puts what corpora gave for the parts of a question into one brief: what supports what, what differs, when what was. Pure. */
export function conclude({ question, subquestions, effort, results, provenances }: Results): Brief & {
  extra: Conclusion;
} {
  const list = new Numbering();
  const parts = subquestions.map((about) => {
    const own = results.flatMap((result) => result.parts.filter((part) => part.about === about));
    return { about, own, ...list.addPart(own) };
  });
  const all = list.all;
  const quotes = all.map(({ quote, corpus, source }): Quote => ({ text: quote, corpus, voice: voiceOf(source) }));
  const support = findSupport(quotes);
  const facts = parts.flatMap((part) => part.facts);
  const cite = (at: number): Cited => ({ claim: all[at]?.quote ?? '', sources: [at + 1] });
  const contradictions = findDifferences(quotes)
    .slice(0, MOST_CONTRADICTIONS)
    .map(({ a, b, why }) => ({ a: cite(a), b: cite(b), why }));
  const quoted = all.flatMap(({ quote, corpus }, at): Finding[] => {
    const others = support[at] ?? [];
    if (quote === '') return [];
    return [findingOf({ claim: quote, corpus, sources: [at + 1], others: others.map((other) => other + 1) })];
  });
  const computed = facts.map(({ sentence, cites }): Finding => ({
    ...findingOf({ claim: sentence, corpus: 'code', sources: [...cites], others: [] }),
    confidence: 'high',
  }));
  const next = parts.flatMap(({ own }) => own.flatMap((part) => part.next)).slice(0, MOST_ACTIONS);
  const score = mean(parts.map(({ own }) => Math.max(0, ...own.map(({ fit }) => fit))));
  return {
    read: readingOf(question, parts),
    answer: [
      ...parts.flatMap((part) => describePart(part, subquestions.length > 1)),
      ...contradictions.map(({ a, b, why }) => ({
        sentence: `Sources differ, ${why}: “${a.claim}” and “${b.claim}”.`,
        cites: [...a.sources, ...b.sources],
      })),
    ],
    isComputed: facts.length > 0,
    sources: all.map(({ source }) => source),
    confidence: { level: levelOf(score), score: roundTo(3, score) },
    gaps: gapsOf(parts, results),
    next: next.slice(0, 3),
    lookedAt: { calls: results.reduce((sum, { calls }) => sum + calls.length, 0), places: all.length },
    engine: 'evidence',
    provenances,
    extra: {
      findings: [...computed, ...quoted].slice(0, MOST_FINDINGS[effort]),
      contradictions,
      timeline: timelineOf(all),
      actions: next.map(({ operation, args }) => describeCall(operation, args)),
    },
  };
}

interface ConcludedPart {
  about: string;
  own: readonly PartResult[];
  facts: readonly Statement[];
  first: Numbered | undefined;
}

/** Numbers sources over all parts, each once, those of facts before others of their part. */
class Numbering {
  readonly all: Numbered[] = [];
  readonly #citations = new Citations();

  addPart(own: readonly PartResult[]): { facts: Statement[]; first: Numbered | undefined } {
    const facts = own.flatMap((part) =>
      part.facts.map(({ sentence, cites }) => ({
        sentence,
        cites: cites.flatMap((at) => (part.found[at] === undefined ? [] : this.#number(part.found[at]))),
      })),
    );
    // The corpus that answers best comes first.
    const ranked = own.toSorted((a, b) => b.fit - a.fit).flatMap((part) => part.found);
    const numbers = ranked.map((row) => this.#number(row));
    return { facts, first: this.all[(numbers[0] ?? 0) - 1] };
  }

  #number(row: CorpusSource): number {
    const source = this.#citations.cite(row.source);
    if (source.number > this.all.length) this.all.push({ ...row, source });
    return source.number;
  }
}

function describePart({ about, facts, first }: ConcludedPart, isOfSeveral: boolean): Statement[] {
  const heading = isOfSeveral ? [{ sentence: `On “${about}”:`, cites: [] }] : [];
  if (facts.length > 0) return [...heading, ...facts];
  if (first === undefined) return [...heading, { sentence: 'Nothing was found.', cites: [] }];
  const { quote, source } = first;
  return [...heading, { sentence: `First: “${quote}”`, cites: [source.number] }];
}

/** Returns the origin of a statement: a file, a commit, a customer's signal. */
function voiceOf({ kind, path, repo, id }: Source): string {
  return kind === 'code' && path !== undefined ? `${repo}:${path}` : id;
}

function findingOf({
  claim,
  corpus,
  sources,
  others,
}: {
  claim: string;
  corpus: Corpus;
  sources: number[];
  others: number[];
}): Finding {
  const corroboration = others.length;
  const confidence = corroboration >= CERTAIN ? 'high' : corroboration === 1 ? 'medium' : 'low';
  return { claim, corpus, sources, confidence, corroboration, supported_by: others };
}

function timelineOf(all: readonly Numbered[]): Conclusion['timeline'] {
  return all
    .filter(({ date, quote }) => date !== '' && quote !== '')
    .toSorted((a, b) => compareTexts(a.date, b.date))
    .slice(-MOST_DATES)
    .map(({ date, quote, source }) => ({ date: date.slice(0, 10), claim: quote, sources: [source.number] }));
}

/** All parts as they were read, each name and word once. */
function readingOf(question: string, parts: readonly ConcludedPart[]): Brief['read'] {
  const read = parts.flatMap(({ own }) => own.flatMap((part) => part.read ?? []));
  return {
    text: question,
    words: [...new Set(read.flatMap(({ words }) => words))],
    names: [...new Map(read.flatMap(({ names }) => names.map((name) => [name.name, name]))).values()],
    absent: [...new Map(read.flatMap(({ absent }) => absent.map((word) => [word.word, word]))).values()],
  };
}

/** Parts that nothing was found for, corpora that have nothing for any part, and what stood in the way. */
function gapsOf(parts: readonly ConcludedPart[], results: readonly CorpusResult[]): string[] {
  const silent = parts.filter(({ own }) => own.every(({ found }) => found.length === 0)).map(({ about }) => about);
  const empty = results.filter((result) => result.parts.every(({ found }) => found.length === 0));
  const names = empty.map(({ corpus }) => NAMES[corpus]);
  const faults = new Set(results.flatMap((result) => result.parts.flatMap(({ gaps }) => gaps)));
  return [
    ...silent.map((about) => `nothing was found for “${about}”`),
    ...(names.length === 0 ? [] : [`nothing fits in: ${names.join(', ')}`]),
    ...faults,
  ];
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
