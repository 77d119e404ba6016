import { type AnyOperation, type Answer, type CallScope, defineOperation } from '../platform/operation/operation.ts';
import { answerAction, checkQuery, type Findings, PATH_ALIASES } from '../platform/operation/paged-tool.ts';
import type { ActionCall } from './answers/action.ts';
import { commentsAnswer } from './answers/comments.ts';
import { deadCodeAnswer } from './answers/dead-code.ts';
import { definition } from './answers/definition.ts';
import { dependenciesAnswer } from './answers/dependencies.ts';
import { impactAnswer } from './answers/impact.ts';
import { grepAnswer, outlineAnswer, searchSymbolsAnswer, semanticSearchAnswer } from './answers/search.ts';
import { smellsAnswer } from './answers/smells.ts';
import { usagesAnswer } from './answers/usages.ts';
import { CODE_TOOL_DESCRIPTION, CodeToolInput, type CodeToolArguments } from './answers/code-tool-input.ts';
import { CodeSources, type CodeToolParts } from '../indexes/index-sources.ts';
import { LineAuthors } from './comments/line-authors.ts';
import { DEFAULT_THRESHOLDS } from './smells/smell-thresholds.ts';

const ACTIONS: Record<CodeToolArguments['action'], (call: ActionCall) => Promise<Findings>> = {
  search_symbols: searchSymbolsAnswer,
  definition,
  usages: usagesAnswer,
  dependencies: dependenciesAnswer,
  impact: impactAnswer,
  semantic_search: semanticSearchAnswer,
  grep: grepAnswer,
  outline: outlineAnswer,
  comments: commentsAnswer,
  dead_code: deadCodeAnswer,
  smells: smellsAnswer,
};

/** `code-tool`: questions about the code of the indexed repositories. */
export function codeTool(parts: CodeToolParts): AnyOperation {
  const authors = new LineAuthors();
  return defineOperation({
    name: 'code-tool',
    description: CODE_TOOL_DESCRIPTION,
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: CodeToolInput,
    aliases: PATH_ALIASES,
    run: (scope, args) => answer({ ...parts, authors }, scope, args),
  });
}

async function answer(
  parts: CodeToolParts & { authors: LineAuthors },
  { caller, signal, now, progress }: CallScope,
  args: CodeToolArguments,
): Promise<Answer> {
  checkQuery(args.query, 'Send only the words, the name or the pattern that matter.');
  const repositories = await parts.repositories(caller, args.repo);
  const sources = new CodeSources(parts, { caller, signal, repositories, progress });
  const { authors, thresholds = DEFAULT_THRESHOLDS } = parts;
  const naming: ActionCall['naming'] = async (places) => (await parts.naming?.(caller, places)) ?? [];
  const request = {
    operation: 'code-tool',
    input: CodeToolInput,
    args,
    sources,
    detail: args.detail,
  };
  return answerAction(request, (offset) =>
    ACTIONS[args.action]({ args, offset, sources, authors, thresholds, naming, now: now(), signal }),
  );
}
