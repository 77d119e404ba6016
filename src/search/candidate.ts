/** What can be searched, in the order in which answers list it. */
export const SEARCH_CORPORA = ['code', 'commits', 'plans', 'documents', 'signals', 'decisions', 'competitors'] as const;
export type SearchCorpus = (typeof SEARCH_CORPORA)[number];

/** How common the words of a question are in one collection. */
export interface TermCounts {
  /** Entries in all. */
  documents: number;
  /** How many of them have each term, in the order of the terms. */
  having: readonly number[];
}

/** A hit of one corpus before it is compared with those of others. */
export interface Candidate {
  corpus: SearchCorpus;
  /** The handle that the matching tool opens. */
  id: string;
  title: string;
  /** Where it stands: a path with lines, a document with its section, who said it. */
  where: string;
  date: Date | undefined;
  /** Terms of the question that it has anywhere, and in its name or heading. */
  terms: readonly string[];
  headTerms: readonly string[];
  /** How much nearer than usual its meaning is to the question, 0..1; absent where only words are compared. */
  meaning?: number;
  /** What its own engine gives it: 0..1, 1 for the best of the corpus. */
  relevance: number;
  /** Candidates with the same key say the same: only the best is shown. */
  sameness: string;
  /** What it is a part of, for example its file: few parts of one thing are shown. */
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

/** What one corpus found. */
export interface CorpusFindings {
  candidates: readonly Candidate[];
  /** All hits, whatever is shown, unless `isCut`: then there may be more. */
  total: number;
  isCut?: boolean;
  /** What was done differently than asked, in sentences. */
  notes?: readonly string[];
  counts: readonly TermCounts[];
  /** Things of the corpus that no search finds yet. */
  unread?: number;
  /** What was searched, for the header: `412` or `none yet`. */
  coverage: string;
}
