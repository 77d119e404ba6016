import type { FindNamingWork } from '../code/naming/naming.ts';
import { type Indexes, IndexSources } from '../indexes/indexes.ts';
import { withoutCheckout } from '../kernel/freshness.ts';
import { type AnyOperation, type Answer, type CallContext, defineOperation } from '../platform/operation/operation.ts';
import { answerAction, checkQuery, type Findings } from '../platform/operation/paged-tool.ts';
import { Tally } from '../platform/operation/tally.ts';
import type { ActionCall } from './ask/action.ts';
import { couplingAnswer, hotspotsAnswer } from './ask/activity.ts';
import { compareAnswer } from './ask/compare.ts';
import { changelogAnswer } from './ask/changelog.ts';
import { classifyAnswer, searchAnswer } from './ask/search.ts';
import { showAnswer } from './ask/show.ts';
import {
  combineCommitArguments,
  COMMIT_ACTIONS,
  COMMIT_TOOL_ALIASES,
  COMMIT_TOOL_DESCRIPTION,
  COMMIT_TOOL_SYNONYMS,
  type CommitToolArguments,
  CommitToolInput,
} from './ask/commit-tool-input.ts';
import { COMMIT_OUTPUTS } from './outputs/outputs.ts';
import { HISTORY_QUERIES } from './queries/history-queries.ts';
import { Comparisons } from './ask/comparisons.ts';
import { RemovedExportsFinder } from './ask/removed-exports.ts';

/** The parts of the service that the tool needs. */
interface CommitToolParts extends Indexes {
  /** Plans and decisions that name code; nobody is asked when absent. */
  naming?: FindNamingWork;
}

const ACTIONS: Record<CommitToolArguments['action'], (call: ActionCall) => Promise<Findings>> = {
  search: searchAnswer,
  show: showAnswer,
  compare: compareAnswer,
  classify: classifyAnswer,
  hotspots: hotspotsAnswer,
  coupling: couplingAnswer,
  changelog: changelogAnswer,
};

/** `commit-tool`: questions about the history of the indexed repositories. Contents are searched for 20 s, and lines counted for 2 s, or `contentLimitMs`. */
export function commitTool(parts: CommitToolParts, contentLimitMs?: number): AnyOperation {
  const removedExports = new RemovedExportsFinder();
  const comparisons = new Comparisons();
  return defineOperation({
    name: 'commit-tool',
    description: COMMIT_TOOL_DESCRIPTION,
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: CommitToolInput,
    output: COMMIT_OUTPUTS,
    commands: { heading: 'History:', actions: COMMIT_ACTIONS },
    aliases: COMMIT_TOOL_ALIASES,
    synonyms: COMMIT_TOOL_SYNONYMS,
    combine: combineCommitArguments,
    run: (context, args) => answer({ ...parts, removedExports, comparisons, contentLimitMs }, context, args),
  });
}

async function answer(
  parts: CommitToolParts & {
    removedExports: RemovedExportsFinder;
    comparisons: Comparisons;
    contentLimitMs: number | undefined;
  },
  { caller, signal, now, progress }: CallContext,
  args: CommitToolArguments,
): Promise<Answer> {
  checkQuery(args.query, 'Send only the words or the commit id that matter.');
  const repositories = (await parts.repositories(caller, args.repo)).map((repository) => {
    const { provenance } = repository;
    return { ...repository, provenance: { ...provenance, index: withoutCheckout(provenance.index) } };
  });
  const tally = new Tally(progress, 'history queries have finished');
  const sources = new IndexSources(parts, HISTORY_QUERIES, { caller, signal, repositories, tally });
  const { removedExports, comparisons, contentLimitMs } = parts;
  const naming: ActionCall['naming'] = async (places) => (await parts.naming?.(caller, places)) ?? [];
  const request = {
    operation: 'commit-tool',
    input: CommitToolInput,
    args,
    sources,
    detail: 'lines',
  } as const;
  return answerAction(request, (offset) =>
    ACTIONS[args.action]({
      args,
      offset,
      sources,
      removedExports,
      comparisons,
      naming,
      now: now(),
      signal,
      progress,
      contentLimitMs,
    }),
  );
}
