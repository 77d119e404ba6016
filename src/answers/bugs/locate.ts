import { CODE_QUERIES, type SuspectFile, type SuspectFunction } from '../../code/code.ts';
import { HISTORY_QUERIES, type ReportHistory } from '../../commits/commits.ts';
import { type IndexedRepository, type Indexes, IndexSources } from '../../indexes/indexes.ts';
import type { CallContext } from '../../platform/operation/operation.ts';
import type { SimilarFix, Suspect } from './analysis.ts';
import { fileEvidence, functionEvidence } from './evidence.ts';
import type { Report } from './read-report.ts';
import { countWords, weighByRarity } from './report-words.ts';
import { MOST_FIXES, similarFixes } from './similar-fixes.ts';

/** Report to locate, and the code to search. */
interface LocateRequest {
  report: Report;
  repository: IndexedRepository;
  /** Files that changed since the last good state. */
  changed: readonly string[];
  /** Nothing else is suspected when there are any. */
  within: readonly string[];
  /** Functions, and files. */
  limit: number;
}

export interface Located {
  /** Functions, then files, each likeliest first. */
  suspects: Suspect[];
  similarFixes: SimilarFix[];
  ownFrames: number;
  knownNames: number;
  commits: number;
}

const NO_HISTORY: ReportHistory = {
  paths: [],
  messages: new Float32Array(0),
  similarFixes: new Float32Array(0),
  fixes: new Float32Array(0),
  together: new Float32Array(0),
  rarity: new Map(),
  commits: [],
};

/** The functions and files that a report points at: two queries in reader threads. */
export async function locate(
  indexes: Pick<Indexes, 'readers' | 'rebuild'>,
  { caller, signal }: Pick<CallContext, 'caller' | 'signal'>,
  { report, repository, changed, within, limit }: LocateRequest,
): Promise<Located> {
  const sources = new IndexSources(indexes, HISTORY_QUERIES, { caller, signal, repositories: [repository] });
  const counted = countWords(report);
  const query = { text: `${report.title}\n${report.prose}`, terms: [...counted.keys()], limit: MOST_FIXES * 2 };
  const [past, { commits }] =
    repository.history === undefined
      ? [NO_HISTORY, { commits: 0 }]
      : await Promise.all([
          sources.ask(repository, ['readReportHistory', query]),
          sources.ask(repository, ['historyEnd', {}]),
        ]);
  const { title, prose, code, names, paths, quotes, frames, identifiers } = report;
  const { messages, similarFixes: similar, fixes, together } = past;
  const history = { paths: past.paths, messages, similarFixes: similar, fixes, together };
  const words = weighByRarity(counted, past.rarity);
  const read = { title, prose, code, names, paths, quotes, frames, identifiers };
  const search = { ...read, words, history, changed, within, limit };
  const localised = await sources.with(CODE_QUERIES).ask(repository, ['localise', search]);
  return {
    suspects: [
      ...localised.functions.map((suspect) => toFunctionSuspect(suspect, past)),
      ...localised.files.map((file) => toFileSuspect(file, past)),
    ],
    similarFixes: similarFixes(past.commits),
    ownFrames: localised.ownFrames,
    knownNames: localised.knownNames,
    commits,
  };
}

function toFunctionSuspect(suspect: SuspectFunction, { commits }: ReportHistory): Suspect {
  const { file, symbol, line, end, score } = suspect;
  return {
    path: file.path,
    symbol,
    lines: [line, end],
    score: round(score),
    likelihood: round(file.likelihood),
    evidence: functionEvidence(suspect, commits),
  };
}

function toFileSuspect(file: SuspectFile, { commits }: ReportHistory): Suspect {
  const line = file.frames.find((frame) => frame.line !== undefined)?.line ?? file.literals[0]?.line ?? 1;
  return {
    path: file.path,
    symbol: '',
    lines: [line, line],
    score: round(file.score),
    likelihood: round(file.likelihood),
    evidence: fileEvidence(file, commits),
  };
}

function round(share: number): number {
  return Math.round(share * 1000) / 1000;
}
