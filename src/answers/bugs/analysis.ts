import type { Provenance } from '../../kernel/answer.ts';
import type { Report } from '../../localise/localise.ts';

/** Kind of one piece of evidence, in the words of the contract. */
type EvidenceKind = 'frame' | 'text' | 'history' | 'coupling' | 'graph' | 'recent_change';

/** Reason why a location is suspected. `weight` is its share of all evidence for the location: 0 to 1. */
export interface Evidence {
  kind: EvidenceKind;
  /** A handle that another call takes: `path:line`, `c:<sha7>`, `sym:…@path`. */
  id: string;
  weight: number;
  /** The fact, in words. */
  says: string;
  /** True for a text that no other file has. */
  isOnly?: boolean;
}

/** A function that may hold the fault, or a file. Lines are 1-based, both ends included. */
export interface Suspect {
  path: string;
  /** '' for a file. */
  symbol: string;
  /** Of a file, the line at which to begin. */
  lines: [number, number];
  /** 1 for the first function and the first file, less for those behind them. */
  score: number;
  /** Likelihood that the fault is in its file, as far as the report shows: 0 to 1 over all files. */
  likelihood: number;
  evidence: Evidence[];
}

/** A commit that wrote suspected lines, or changed suspected files since the last good state. */
export interface SuspectCommit {
  sha: string;
  subject: string;
  author: string;
  /** ISO date. */
  date: string;
  why: string;
  /** True if it changed a suspect since the last good state. */
  isRecent: boolean;
  /** The suspects that it wrote, as `path:start-end`. */
  touches: string[];
}

/** A fix of the past whose message has the words of the report. */
export interface SimilarFix {
  id: string;
  subject: string;
  date: string;
  author: string;
  /** 0 to 1; the most similar has 1. */
  likeness: number;
  paths: string[];
}

export interface Hypothesis {
  statement: string;
  /** 0 to 1. */
  probability: number;
  for: string[];
  against: string[];
  /** Test that shows whether the hypothesis is right. */
  test: string;
}

export interface FixPlan {
  steps: string[];
  tests_to_add: string[];
  impact: { affected: number; entry_points: string[]; tests: string[] };
}

/** Sources that the analysis could and could not read. */
interface Coverage {
  frames: number;
  own_frames: number;
  names: number;
  known_names: number;
  commits_searched: number;
  gaps: string[];
}

/** All that an analysis found. */
export interface Analysis {
  provenance: Provenance;
  report: Report;
  suspects: Suspect[];
  suspectCommits: SuspectCommit[];
  hypotheses: Hypothesis[];
  similarFixes: SimilarFix[];
  plan: FixPlan;
  coverage: Coverage;
}
