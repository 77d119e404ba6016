import { CODE_QUERIES, type Localised, type SuspectFile } from '../../code/code.ts';
import { HISTORY_QUERIES, type LentFiles } from '../../commits/commits.ts';
import { type IndexedRepository, type Indexes, IndexSources } from '../../indexes/indexes.ts';
import type { CallContext } from '../../platform/operation/operation.ts';
import type { SimilarFix, Suspect } from './analysis.ts';
import { evidenceOf } from './evidence.ts';
import type { Report } from './read-report.ts';
import { MOST_FIXES, similarFixes } from './similar-fixes.ts';

/** What is looked for, and where. */
interface LocateRequest {
  report: Report;
  repository: IndexedRepository;
  /** Files that changed since the last good state. */
  changed: readonly string[];
  /** Nothing else is suspected when there are any. */
  within: readonly string[];
  limit: number;
}

export interface Located {
  suspects: Suspect[];
  similarFixes: SimilarFix[];
  ownFrames: number;
  knownNames: number;
  commits: number;
}

/** The files that a report points at, likeliest first: two queries in reader threads. */
export async function locate(
  indexes: Pick<Indexes, 'readers' | 'rebuild'>,
  { caller, signal }: Pick<CallContext, 'caller' | 'signal'>,
  { report, repository, changed, within, limit }: LocateRequest,
): Promise<Located> {
  const history = new IndexSources(indexes, HISTORY_QUERIES, { caller, signal, repositories: [repository] });
  const hasHistory = repository.history !== undefined;
  const [lent, { commits }] = hasHistory
    ? await Promise.all([
        history.ask(repository, ['lentFiles', { text: `${report.title}\n${report.prose}`, limit: MOST_FIXES * 2 }]),
        history.ask(repository, ['historyEnd', {}]),
      ])
    : [{ files: [], commits: [] } satisfies LentFiles, { commits: 0 }];
  const { title, prose, code, names, paths, quotes, frames } = report;
  const search = { title, prose, code, names, paths, quotes, frames, lent: lent.files, changed, within, limit };
  const found: Localised = await history.with(CODE_QUERIES).ask(repository, ['localise', search]);
  return {
    suspects: found.suspects.map((file) => suspectOf(file, lent)),
    similarFixes: similarFixes(lent.commits),
    ownFrames: found.ownFrames,
    knownNames: found.knownNames.length,
    commits,
  };
}

function suspectOf(file: SuspectFile, lent: LentFiles): Suspect {
  const { path, likelihood, symbols } = file;
  const places = symbols.map(({ symbol, kind, line, end }) => ({
    symbol,
    kind,
    lines: [line, end] as [number, number],
  }));
  const frame = file.frames.find(({ line }) => line !== undefined)?.line;
  const lines = places[0]?.lines ?? (frame === undefined ? [1, 1] : [frame, frame]);
  return {
    path,
    symbol: places[0]?.symbol ?? '',
    lines,
    score: Math.round(likelihood * 1000) / 1000,
    evidence: evidenceOf(file, lent),
    places,
  };
}
