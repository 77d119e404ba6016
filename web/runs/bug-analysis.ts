/** Answer of `run_bugAnalysisWorkflow`; without suspects while there are none yet. */
export interface BugAnalysis {
  repo?: string;
  commit?: string;
  suspects?: Suspect[];
  suspect_commits?: { sha: string; subject: string; author: string; date: string; why: string }[];
  hypotheses?: Hypothesis[];
  similar_fixes?: { id: string; subject: string; date: string; author: string; paths: string[] }[];
  plan?: { steps: string[]; tests_to_add: string[] };
  coverage?: { frames: number; own_frames: number; gaps: string[] };
}

export interface Suspect {
  path: string;
  /** '' for a file: functions come first. */
  symbol: string;
  /** 1-based, both included. */
  lines: [number, number];
  /** 1 for the first function and the first file, less for those behind them. */
  score: number;
  evidence: { kind: string; id: string; says: string }[];
}

export interface Hypothesis {
  statement: string;
  /** 0 to 1. */
  probability: number;
  for: string[];
  against: string[];
  test: string;
}
