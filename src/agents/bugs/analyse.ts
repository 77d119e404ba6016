import { z } from 'zod';
import type { FileFacts } from '../../commits/commits.ts';
import type { IndexedRepository, Indexes } from '../../indexes/indexes.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { AskOperation, CallScope } from '../../platform/operation/operation.ts';
import type { Analysis, Suspect } from './analysis.ts';
import { hypotheses, planOf, type Reach } from './conclude.ts';
import { type Located, locate } from './locate.ts';
import { readReport, type Report } from './read-report.ts';
import { type AskedRepository, changedSince, suspectCommits } from './suspect-commits.ts';

const MOST_REACHED = 10;

/** What the analysis works with. */
export interface BugParts {
  indexes: Indexes;
  ask: AskOperation;
  facts: FileFacts;
}

/** What is asked. */
export interface BugRequest {
  report: string;
  since: string | undefined;
  paths: readonly string[];
  suspects: number;
}

const ImpactReply = z.looseObject({
  total: z.number(),
  entry_points: z
    .looseObject({ rows: z.array(z.looseObject({ path: z.string(), symbol: z.string().optional() })) })
    .optional(),
  tests: z.looseObject({ paths: z.array(z.string()) }).optional(),
});

/**
 * Analyses a report about one repository, step by step: reads it, locates it in code and history, finds who wrote the
 * suspected lines and what a fix reaches, and concludes. 0.2 to 2 s.
 *
 * @throws ServiceError as the operations that it asks.
 */
export async function analyse(
  { indexes, ask, facts }: BugParts,
  { caller, signal, progress }: Pick<CallScope, 'caller' | 'signal' | 'progress'>,
  { repository, request }: { repository: IndexedRepository; request: BugRequest },
): Promise<Analysis> {
  const { since, paths: within } = request;
  const asked: AskedRepository = { ask, scope: { caller, signal }, repo: repository.provenance.repo };
  const report = readReport(request.report);
  progress(1, 5, 'the report is read');
  const changed = since === undefined ? [] : await changedSince(asked, since);
  const wanted = { report, repository, changed, within, limit: request.suspects };
  const located = await locate(indexes, { caller, signal }, wanted);
  progress(2, 5, 'code and history are searched');
  const { suspects, similarFixes } = located;
  const { commits, gaps } = await suspectCommits(asked, facts, { suspects, since });
  progress(3, 5, 'who wrote the suspected lines is looked up');
  const reach = await reachOf(asked, suspects[0]);
  progress(4, 5, 'what a fix reaches is looked up');
  const findings = { report, suspects, commits, similar: similarFixes, reach, since };
  return {
    provenance: repository.provenance,
    report,
    suspects,
    suspectCommits: commits,
    hypotheses: hypotheses(findings),
    similarFixes,
    plan: planOf(findings),
    coverage: coverageOf(report, located, gaps),
  };
}

async function reachOf({ ask, scope, repo }: AskedRepository, suspect: Suspect | undefined): Promise<Reach> {
  const none = { affected: 0, entry_points: [], tests: [] };
  if (suspect === undefined) return none;
  const { path, symbol } = suspect;
  const root = symbol === '' ? { path } : { query: `sym:${symbol}@${path}` };
  try {
    const json = await ask('code-tool', { action: 'impact', repo, depth: 3, ...root }, scope);
    const { total, entry_points: entries, tests } = ImpactReply.parse(json);
    const entryPoints = (entries?.rows ?? []).map(({ path: at, symbol: name }) =>
      name === undefined || name === '' ? at : `sym:${name}@${at}`,
    );
    return {
      affected: total,
      entry_points: entryPoints.slice(0, MOST_REACHED),
      tests: (tests?.paths ?? []).slice(0, MOST_REACHED),
    };
  } catch (error) {
    // A heading or a property that nothing can depend on.
    if (error instanceof ServiceError) return none;
    throw error;
  }
}

function coverageOf(report: Report, located: Located, gaps: readonly string[]): Analysis['coverage'] {
  const { ownFrames, knownNames, commits, suspects } = located;
  const { frames, names, error } = report;
  return {
    frames: frames.length,
    own_frames: ownFrames,
    names: names.length,
    known_names: knownNames,
    commits_searched: commits,
    gaps: [
      ...(frames.length > 0 && ownFrames === 0 ? ['no frame of the trace is code of this repository'] : []),
      ...(frames.length === 0 && error === undefined
        ? ['the report has no trace and no error text: only words were searched']
        : []),
      ...(commits === 0 ? ['the history is not indexed: no similar fixes'] : []),
      ...(suspects.length === 0 ? ['nothing in the index fits the report'] : []),
      ...gaps,
    ],
  };
}
