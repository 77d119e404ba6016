import { CODE_QUERIES, type Localised } from '../code/code.ts';
import { HISTORY_QUERIES, type ReportHistory } from '../commits/commits.ts';
import { type IndexedRepository, type Indexes, IndexSources } from '../indexes/indexes.ts';
import type { Tenant } from '../kernel/tenant.ts';
import type { Report } from './read-report.ts';
import { countWords, weighByRarity } from './report-words.ts';

export { chooseRepositories } from './choose-repositories.ts';
export type { Frame } from './read-frames.ts';
export { readReport, type Report } from './read-report.ts';

/** Similar fixes of the past that are listed. */
const MOST_FIXES = 10;

/** A text about a repository, and the code to search. */
export interface LocaliseRequest {
  report: Report;
  repository: IndexedRepository;
  /** Files that changed since the last good state. */
  changed?: readonly string[];
  /** Nothing else is suspected when there are any. */
  within?: readonly string[];
  /** Functions, and files. */
  limit: number;
  /** Terms of the subject with their weights: each function then has its share of them. */
  subject?: readonly (readonly [string, number])[];
}

/** Functions and files that a text is about, with the history that spoke for them. */
interface LocalisedReport extends Localised {
  past: ReportHistory;
  /** Number of commits that were searched. */
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

/** Finds the functions and files of a repository that a text is about, by code and history: two queries in reader threads. */
export async function localiseReport(
  indexes: Pick<Indexes, 'readers' | 'rebuild'>,
  { caller, signal }: { caller: Tenant; signal: AbortSignal },
  { report, repository, changed = [], within = [], limit, subject }: LocaliseRequest,
): Promise<LocalisedReport> {
  const sources = new IndexSources(indexes, HISTORY_QUERIES, { caller, signal, repositories: [repository] });
  const counted = countWords(report);
  const query = { text: `${report.title}\n${report.prose}`, terms: [...counted.keys()], limit: MOST_FIXES };
  const [past, { commits }] =
    repository.history === undefined
      ? [NO_HISTORY, { commits: 0 }]
      : await Promise.all([
          sources.ask(repository, ['readReportHistory', query]),
          sources.ask(repository, ['historyEnd', {}]),
        ]);
  const { title, prose, code, names, paths, quotes, frames, identifiers } = report;
  const { messages, similarFixes, fixes, together } = past;
  const history = { paths: past.paths, messages, similarFixes, fixes, together };
  const words = weighByRarity(counted, past.rarity);
  const read = { title, prose, code, names, paths, quotes, frames, identifiers };
  const search = { ...read, words, history, changed, within, limit, ...(subject !== undefined && { subject }) };
  const localised = await sources.with(CODE_QUERIES).ask(repository, ['localise', search]);
  return { ...localised, past, commits };
}
