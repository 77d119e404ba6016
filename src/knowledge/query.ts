import type { TextKind, UsualSimilarity } from '../text/encoder/encoder.ts';
import type { Corpus, Thing } from './store.ts';

/** A repository that things were taken from. */
export interface Origin {
  /** Its name: documentation that was taken from another one is left out. */
  repository: string;
  /** Handles of what is known to be of another one, such as plans, which do not say so themselves. */
  without: readonly string[];
}

/** A question by what it means. */
export interface QuestionMeaning {
  vector: Int8Array;
  /** Similarity to texts that have nothing to do with it, where that is known. */
  usual: Record<TextKind, UsualSimilarity> | undefined;
}

/** Entries that were compared with a question, and how many of them by their words alone, because their vectors are pending. */
export interface VectorCounts {
  pending: number;
  total: number;
}

export interface KnowledgeQuery {
  /** Words. Without any, everything that the filters let through, newest first. */
  query: string;
  corpora?: readonly Corpus[];
  kinds?: readonly string[];
  since?: Date;
  until?: Date;
  /** All of them, in any case. */
  tags?: readonly string[];
  /** A customer, segment or source, whole and in any case. */
  customer?: string;
  /** Only what is of one repository or of none. */
  from?: Origin;
  /** Only entries that have every term of the query, in any grammatical form. */
  every?: boolean;
  /** Also finds what means the same in other words, or in another language. */
  byMeaning?: boolean;
  /** Only these things, by handle. */
  only?: readonly string[];
  /** Hits in all, or of each corpus with `perCorpus`, so that a large corpus does not keep the others out. */
  limit: number;
  offset?: number;
  perCorpus?: boolean;
}

/** A part of a thing that fits a query. */
export interface KnowledgeHit extends Thing {
  kind: string;
  part: string;
  title: string;
  section: string;
  date: Date | undefined;
  tags: readonly string[];
  customer: string;
  segment: string;
  source: string;
  /** 0..1, comparable between corpora and between questions; 0 when nothing was asked. */
  score: number;
  /** Similarity of its meaning to the question above the usual, 0..1; 0 where meanings are not compared. */
  meaning: number;
  /** Terms among the first 31 of the question that it has anywhere, and in its title or section. */
  terms: readonly string[];
  headTerms: readonly string[];
}

/** Extent of a corpus, whatever the question: of one repository or of none where the query is restricted to that. */
export interface CorpusCoverage {
  things: number;
  entries: number;
  /** Date of the newest entry that has one. */
  newest: Date | undefined;
}

export interface KnowledgeResult<Hit = KnowledgeHit> {
  hits: Hit[];
  /** All hits by corpus: exact, whatever the limit. */
  totals: Record<Corpus, number>;
  coverage: Record<Corpus, CorpusCoverage>;
  /** Terms of the question that no entry has. */
  unknownTerms: string[];
  /** Number of entries that have each term of the question. */
  entriesWith: Record<string, number>;
  /** Absent where meanings are not compared. */
  vectors?: VectorCounts;
}
