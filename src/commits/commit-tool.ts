import type { CodeToolParts } from '../code/code.ts';
import { answerJson, answerText, type Draft } from '../kernel/answer.ts';
import { ServiceError } from '../kernel/errors.ts';
import { decodeCursor, encodeCursor } from '../kernel/page.ts';
import { type AnyOperation, type CallScope, defineOperation } from '../platform/operation.ts';
import type { ActionCall, Findings } from './answers/action.ts';
import { couplingAnswer, hotspotsAnswer } from './answers/activity.ts';
import { changelogAnswer } from './answers/changelog.ts';
import { classifyAnswer, searchAnswer } from './answers/search.ts';
import { showAnswer } from './answers/show.ts';
import {
  COMMIT_TOOL_ALIASES,
  COMMIT_TOOL_DESCRIPTION,
  type CommitToolArguments,
  CommitToolInput,
} from './commit-tool-input.ts';
import { HistorySources } from './history-sources.ts';
import { RemovedExportsFinder } from './removed-exports.ts';

/** Longest query that is looked for, in characters. */
const LONGEST_QUERY = 1_000;
const LONGEST_SUBJECT = 80;

const ACTIONS: Record<CommitToolArguments['action'], (call: ActionCall) => Promise<Findings>> = {
  search: searchAnswer,
  show: showAnswer,
  classify: classifyAnswer,
  hotspots: hotspotsAnswer,
  coupling: couplingAnswer,
  changelog: changelogAnswer,
};

/** `commit-tool`: questions about the history of the indexed repositories. */
export function commitTool(parts: CodeToolParts): AnyOperation {
  const removedExports = new RemovedExportsFinder();
  return defineOperation({
    name: 'commit-tool',
    description: COMMIT_TOOL_DESCRIPTION,
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: CommitToolInput,
    aliases: COMMIT_TOOL_ALIASES,
    async run(scope, args) {
      const { draft, extra } = await answer({ ...parts, removedExports }, scope, args);
      return { text: answerText(draft), json: { ...answerJson(draft), ...extra } };
    },
  });
}

async function answer(
  parts: CodeToolParts & { removedExports: RemovedExportsFinder },
  { caller, signal, now }: CallScope,
  args: CommitToolArguments,
): Promise<{ draft: Draft; extra: Record<string, unknown> }> {
  if ((args.query ?? '').length > LONGEST_QUERY) {
    throw new ServiceError('bad_argument', `The query is longer than ${LONGEST_QUERY} characters.`, {
      fix: 'Send the few words or the object id that matter.',
    });
  }
  const repositories = await parts.repositories(caller, args.repo);
  const sources = new HistorySources(parts, { caller, signal, repositories });
  const binding = { arguments: deciding(args), generation: sources.generation };
  const offset = decodeCursor(binding, args.cursor);
  const { removedExports } = parts;
  const naming: ActionCall['naming'] = async (places) => (await parts.naming?.(caller, places)) ?? [];
  const found = await ACTIONS[args.action]({ args, offset, sources, removedExports, naming, now: now(), signal });
  const subject = (args.query ?? args.path ?? '').replaceAll(/\s+/g, ' ');
  const draft: Draft = {
    operation: 'commit-tool',
    action: args.action,
    subject: subject.length > LONGEST_SUBJECT ? `${subject.slice(0, LONGEST_SUBJECT)}…` : subject,
    sources: sources.provenances,
    total: found.total,
    ...(found.counts === undefined ? {} : { counts: found.counts }),
    rows: found.rows,
    detail: found.detail ?? 'lines',
    maxTokens: args.max_tokens,
    notes: found.notes ?? [],
    arguments: given(args),
    next: (shown) => (offset + shown < found.total ? encodeCursor(binding, offset + shown) : undefined),
  };
  return { draft, extra: found.extra ?? {} };
}

/** The arguments that decide which rows there are; how they are shown does not bind a cursor. */
function deciding({ action, query, path, repo, author, types, since, until, group_by }: CommitToolArguments): unknown {
  return { action, query, path, repo, author, types, since, until, group_by };
}

/** The arguments as a caller would write them: without defaults. */
function given(args: CommitToolArguments): Record<string, unknown> {
  const { action, query, path, repo, author, types, since, until, group_by: grouping, limit } = args;
  const group_by = grouping === 'type' ? undefined : grouping;
  return { action, query, path, repo, author, types, since, until, group_by, limit: limit === 20 ? undefined : limit };
}
