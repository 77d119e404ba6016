import { baseName } from '../../kernel/paths.ts';
import type { Provenance } from '../../kernel/answer.ts';
import type { LineRange, Question } from './question.ts';

export type SourceKind = 'code' | 'document' | 'commit' | 'plan' | 'decision' | 'signal' | 'change';

/**
 * Evidence that a statement rests on. A fact gives as much as it has computed; the verification reads the lines of code from
 * the stored source at the indexed commit, drops what does not exist, and numbers what remains.
 */
export interface Reference {
  /** Handle that another call takes: `src/a.ts:3-9`, `c:<sha7>`, `dec:12`, `doc:…`, `sig:…`, `plan:…`, `chg:…`. */
  id: string;
  kind: SourceKind;
  /** Name of the repository; empty for what is written in the product and not in a repository. */
  repo: string;
  path?: string;
  lines?: LineRange;
  symbol?: string;
  /** Commit that the lines are read at, or that is the source. */
  commit?: string;
  /**
   * Verbatim text of a source that is not code: a commit message, a section, a signal. Code leaves it out: its lines are read
   * from the index.
   */
  text?: string;
  /** Reasons in a few words each: `calls send`, `imports express`, `meets: retry, limit`. */
  why: readonly string[];
}

/** A reference that was verified, with its number in the brief. */
export interface Source extends Reference {
  /** Number in the brief, counted from 1: what `[n]` cites. */
  number: number;
  /** Lines that matter, verbatim, each with its number in the file (absent for what has no lines). */
  shown: readonly ShownLine[];
  /** 0..1; sources are ordered by it, after those that facts cite. */
  score: number;
}

export interface ShownLine {
  number?: number;
  text: string;
}

/** A sentence of the brief with the numbers of the sources that it rests on. */
export interface Statement {
  sentence: string;
  cites: readonly number[];
}

/**
 * A computed statement, one sentence without `[n]`: the brief numbers its sources and appends their citations. Nothing is
 * concluded that was not computed; an empty search is a fact too, with the place that was searched as its source.
 */
export interface Fact {
  sentence: string;
  /**
   * Most important first; none for what is stated of everything that was searched. A long list states its total in the sentence
   * and cites the first ones.
   */
  sources: readonly Reference[];
}

/** A call that continues the question, as a client sends it. */
export interface NextCall {
  operation: string;
  args: Readonly<Record<string, unknown>>;
}

/** The name alone of a qualified one. */
export function lastPart(symbol: string): string {
  return baseName(symbol);
}

/** An evidence brief: what every agent returns, with and without a model. */
export interface Brief {
  read: Question;
  /** The one call that the question was read into, where it was: whoever asks can correct it. */
  query?: NextCall;
  /** Facts first; one line with the first place and its reason where nothing was computed. */
  answer: readonly Statement[];
  /** True if the answer consists of facts, and not only of the first place. */
  isComputed: boolean;
  sources: readonly Source[];
  confidence: { level: 'high' | 'medium' | 'low'; score: number };
  gaps: readonly string[];
  /** At most three. */
  next: readonly NextCall[];
  lookedAt: { calls: number; places: number };
  /** `evidence`, or `llm:<model>`. */
  engine: string;
  provenances: readonly Provenance[];
  /** Further fields of the JSON form (`query` of the product agent). */
  extra?: Readonly<Record<string, unknown>>;
}
