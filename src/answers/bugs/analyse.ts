import { z } from 'zod';
import { CODE_OUTPUTS } from '../../code/outputs/outputs.ts';
import type { FileFacts } from '../../commits/commits.ts';
import type { Indexes } from '../../indexes/indexes.ts';
import type { Provenance } from '../../kernel/answer.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { AskOperation } from '../../platform/operation/operation.ts';
import type { RunContext, Workflow } from '../runs/runs.ts';
import type { Analysis, Suspect, SuspectCommit } from './analysis.ts';
import { chooseRepository } from './choose-repository.ts';
import { hypotheses, planOf, type Reach } from './conclude.ts';
import { type Located, locate } from './locate.ts';
import { readReport, type Report } from '../../localise/localise.ts';
import { moveFrames } from './released-frames.ts';
import { type RepositoryCalls, changedSince, suspectCommits } from './suspect-commits.ts';

export const BUG_ANALYSIS = 'bug-analysis';

const SEARCH = 'searching code and history';
const ORIGINS = 'looking up who wrote the suspected lines';
const REACH = 'looking up what a fix reaches';

const MOST_REACHED = 10;
const NOTHING_REACHED: Reach = { isOfFile: false, affected: 0, entry_points: [], tests: [] };

/** Dependencies of the analysis. */
interface BugParts {
  indexes: Indexes;
  ask: AskOperation;
  facts: FileFacts;
}

/** Request of an analysis, as it is stored with the run. */
export const BugRequest = z.object({
  report: z.string(),
  /** As the caller named it. */
  repo: z.string().optional(),
  since: z.string().optional(),
  paths: z.array(z.string()),
  /** Number of functions, and of files. */
  suspects: z.int(),
});
export type BugRequest = z.output<typeof BugRequest>;

/** Result of the first step. */
interface Searched {
  provenance: Provenance;
  located: Located;
}

/**
 * Analyses a report about one repository: locates it in code and history, finds who wrote the suspected lines, and what a
 * fix reaches. What is concluded from that is made when it is read (`analysisOf`). 0.2 to 2 s.
 */
export function bugWorkflow(parts: BugParts): Workflow {
  return {
    kind: BUG_ANALYSIS,
    steps: [SEARCH, ORIGINS, REACH],
    run: async ({ input, caller, signal, step }) => {
      const request = BugRequest.parse(input);
      const { since } = request;
      const context = { caller, signal };
      const { provenance, located } = await step(SEARCH, () => search(parts, context, request));
      const calls: RepositoryCalls = { ask: parts.ask, context, repo: provenance.repo };
      const { suspects } = located;
      await step(ORIGINS, () => suspectCommits(calls, parts.facts, { suspects, since }));
      await step(REACH, () => reachOf(calls, suspects[0]));
      return { suspects: suspects.length };
    },
  };
}

async function search(
  { indexes, ask, facts }: BugParts,
  context: Pick<RunContext, 'caller' | 'signal'>,
  { report, repo, since, paths, suspects }: BugRequest,
): Promise<Searched> {
  const read = readReport(report);
  const repository = await chooseRepository(indexes, context, { report: read, repo });
  const { provenance } = repository;
  const frames = await moveFrames({ indexes, facts }, context, { report: read, repository });
  const changed = since === undefined ? [] : await changedSince({ ask, context, repo: provenance.repo }, since);
  const request = { report: { ...read, frames }, repository, changed, within: paths, limit: suspects };
  return { provenance, located: await locate(indexes, context, request) };
}

/** Concludes from the finished steps of a run; undefined before the first of them has ended. */
export function analysisOf(request: BugRequest, steps: ReadonlyMap<string, unknown>): Analysis | undefined {
  // Under its name there is always what the step gave.
  const searched = steps.get(SEARCH) as Searched | undefined;
  if (searched === undefined) return undefined;
  const { located } = searched;
  const { commits, gaps } = (steps.get(ORIGINS) ?? { commits: [], gaps: [] }) as {
    commits: SuspectCommit[];
    gaps: string[];
  };
  const reach = (steps.get(REACH) ?? NOTHING_REACHED) as Reach;
  const report = readReport(request.report);
  const { suspects, similarFixes } = located;
  const findings = { report, suspects, commits, similar: similarFixes, reach, since: request.since };
  return {
    provenance: reviveProvenance(searched.provenance),
    report,
    suspects,
    suspectCommits: commits,
    hypotheses: hypotheses(findings),
    similarFixes,
    plan: planOf(findings),
    coverage: coverageOf(report, located, gaps),
  };
}

/** Stored as JSON, dates are texts. */
function reviveProvenance(provenance: Provenance): Provenance {
  const { indexedAt, ...index } = provenance.index;
  return { ...provenance, index: indexedAt === undefined ? index : { ...index, indexedAt: new Date(indexedAt) } };
}

/** Returns the impact of a change to a suspect. Calls by name alone reach nothing: then the users of its file are looked up. */
async function reachOf(calls: RepositoryCalls, suspect: Suspect | undefined): Promise<Reach> {
  if (suspect === undefined) return NOTHING_REACHED;
  const { path, symbol } = suspect;
  if (symbol === '') return impactOf(calls, { path });
  const own = await impactOf(calls, { query: `sym:${symbol}@${path}` });
  if (own.tests.length > 0) return own;
  const { tests } = await impactOf(calls, { path });
  return { ...own, tests, isOfFile: tests.length > 0 };
}

async function impactOf({ ask, context, repo }: RepositoryCalls, root: Record<string, string>): Promise<Reach> {
  try {
    const json = await ask('code-tool', { action: 'impact', repo, depth: 3, ...root }, context);
    const { total, entry_points: entries, tests } = CODE_OUTPUTS.impact.parse(json);
    return {
      isOfFile: false,
      affected: total,
      entry_points: (entries?.rows ?? []).map(({ id }) => id).slice(0, MOST_REACHED),
      tests: (tests?.paths ?? []).slice(0, MOST_REACHED),
    };
  } catch (error) {
    // A heading or a property that nothing can depend on.
    if (error instanceof ServiceError) return NOTHING_REACHED;
    throw error;
  }
}

function coverageOf(report: Report, located: Located, gaps: readonly string[]): Analysis['coverage'] {
  const { ownFrames, knownNames, commits, suspects } = located;
  const { frames, names, error, quotes, paths, code } = report;
  // What is quoted may be what a program wrote, in a form that is not known as an error.
  const isWords =
    error === undefined && code === '' && [frames, names, quotes, paths].every(({ length }) => length === 0);
  return {
    frames: frames.length,
    own_frames: ownFrames,
    names: names.length,
    known_names: knownNames,
    commits_searched: commits,
    gaps: [
      ...(frames.length > 0 && ownFrames === 0 ? ['no frame of the trace is code of this repository'] : []),
      ...(isWords ? ['the report names no code and shows no output: only its words were searched'] : []),
      ...(commits === 0 ? ['the history is not indexed: no similar fixes'] : []),
      ...(suspects.length === 0 ? ['nothing in the index fits the report'] : []),
      ...gaps,
    ],
  };
}
