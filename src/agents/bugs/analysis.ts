import type { Provenance } from '../../kernel/answer.ts';
import type { Report } from './read-report.ts';

/** What one piece of evidence is, in the words of the contract. */
type EvidenceKind = 'frame' | 'text' | 'history' | 'coupling' | 'graph' | 'recent_change';

/** Why a place is suspected. `weight` is its part of all that speaks for the place: 0 to 1. */
export interface Evidence {
  kind: EvidenceKind;
  /** A handle that another call takes: `path:line`, `c:<sha7>`, `sym:…@path`. */
  id: string;
  weight: number;
  /** In words. */
  says: string;
}

/** A symbol of a suspected file. Lines are 1-based, both ends included. */
interface SuspectPlace {
  symbol: string;
  kind: string;
  lines: [number, number];
}

/** A file that may hold the fault, and where in it. */
export interface Suspect {
  path: string;
  /** The likeliest symbol, '' where the file has none. */
  symbol: string;
  lines: [number, number];
  /** How likely the fault is in this file, as far as the report tells: 0 to 1 over all files. */
  score: number;
  evidence: Evidence[];
  /** The symbol above and up to four more of the file, likeliest first. */
  places: SuspectPlace[];
}

/** A commit that wrote suspected lines, or changed suspected files since the last good state. */
export interface SuspectCommit {
  sha: string;
  subject: string;
  author: string;
  /** ISO date. */
  date: string;
  why: string;
  /** The suspects that it wrote, as `path:start-end`. */
  touches: string[];
}

/** A fix of the past whose message has the words of the report. */
export interface SimilarFix {
  id: string;
  subject: string;
  date: string;
  author: string;
  /** 0 to 1; the most alike has 1. */
  likeness: number;
  paths: string[];
}

export interface Hypothesis {
  statement: string;
  /** 0 to 1. */
  probability: number;
  for: string[];
  against: string[];
  /** What to do to find out whether it is so. */
  test: string;
}

export interface FixPlan {
  steps: string[];
  tests_to_add: string[];
  impact: { affected: number; entry_points: string[]; tests: string[] };
}

/** What the analysis could and could not read. */
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
