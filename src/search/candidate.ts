/** The searchable corpora, in the order in which answers list them. */
export const SEARCH_CORPORA = ['code', 'commits', 'plans', 'documents', 'signals', 'decisions', 'competitors'] as const;
export type SearchCorpus = (typeof SEARCH_CORPORA)[number];

/** Frequencies of the words of a question in one collection. */
export interface TermCounts {
  /** Entries in all. */
  documents: number;
  /** Number of documents that have each term, in the order of the terms. */
  having: readonly number[];
}

/** A hit of one corpus before it is compared with those of others. */
export interface Candidate {
  corpus: SearchCorpus;
  /** The handle that the matching tool opens. */
  id: string;
  title: string;
  /** Its location for people: a path with lines, a document with its section, the customer. */
  where: string;
  date: Date | undefined;
  /** Terms of the question that it has anywhere, and in its name or heading. */
  terms: readonly string[];
  headTerms: readonly string[];
  /** Nearness of its meaning to the question above the usual, 0..1; absent where only words are compared. */
  meaning?: number;
  /** Score of its own engine: 0..1, 1 for the best of the corpus. */
  relevance: number;
  /** Candidates with the same key say the same: only the best is shown. */
  sameness: string;
  /** The thing that it is a part of, for example its file: few parts of one thing are shown. */
  thing: string;
  /** The file that a text was taken from: its path, for some with the name of the repository before it. */
  source?: string;
  /** Path of the file in its repository, of what is kept in one. */
  path?: string;
  /** Path and symbol in the code. */
  location?: { path: string; symbol: string };
  /** Name of the repository it is in. */
  repo?: string;
  /** Tells its section apart, where the thing has several. */
  part?: string;
  /** A line that says why; '' when the title says all. Those of what people wrote are read once it is known which are shown. */
  snippet: string;
}

/** Findings of one corpus. */
export interface CorpusFindings {
  candidates: readonly Candidate[];
  /** All hits, whatever is shown, unless `isCut`: then there may be more. */
  total: number;
  isCut?: boolean;
  /** Differences between the request and what was done, in sentences. */
  notes?: readonly string[];
  counts: readonly TermCounts[];
  /** Things of the corpus that no search finds yet. */
  unread?: number;
  /** The extent of the search, for the header: `412` or `none yet`. */
  coverage: string;
}
