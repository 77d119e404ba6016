import { answerJson, answerText, type Draft } from '../kernel/answer.ts';
import { ServiceError } from '../kernel/errors.ts';
import { decodeCursor, encodeCursor } from '../kernel/page.ts';
import { type AnyOperation, type CallScope, defineOperation } from '../platform/operation.ts';
import type { ActionCall, Findings } from './answers/action.ts';
import { commentsAnswer } from './answers/comments.ts';
import { deadCodeAnswer } from './answers/dead-code.ts';
import { definition } from './answers/definition.ts';
import { dependenciesAnswer } from './answers/dependencies.ts';
import { impactAnswer } from './answers/impact.ts';
import { grepAnswer, outlineAnswer, searchSymbolsAnswer, semanticSearchAnswer } from './answers/search.ts';
import { smellsAnswer } from './answers/smells.ts';
import { usagesAnswer } from './answers/usages.ts';
import { CODE_TOOL_ALIASES, CODE_TOOL_DESCRIPTION, CodeToolInput, type CodeToolArguments } from './code-tool-input.ts';
import { CodeSources, type CodeToolParts } from './code-sources.ts';
import { LineAuthors } from './line-authors.ts';
import { DEFAULT_THRESHOLDS } from './smell-thresholds.ts';

/** Longest query that is looked for, in characters. */
const LONGEST_QUERY = 1_000;
const LONGEST_SUBJECT = 80;

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
    aliases: CODE_TOOL_ALIASES,
    async run(scope, args) {
      const draft = await answer({ ...parts, authors }, scope, args);
      return { text: answerText(draft), json: { ...answerJson(draft), ...draft.extra } };
    },
  });
}

async function answer(
  parts: CodeToolParts & { authors: LineAuthors },
  { caller, signal, now }: CallScope,
  args: CodeToolArguments,
): Promise<Draft & { extra: Record<string, unknown> }> {
  if ((args.query ?? '').length > LONGEST_QUERY) throw tooLong();
  const repositories = await parts.repositories(caller, args.repo);
  const sources = new CodeSources(parts, { caller, signal, repositories });
  const binding = { arguments: deciding(args), generation: sources.generation };
  const offset = decodeCursor(binding, args.cursor);
  const { authors, thresholds = DEFAULT_THRESHOLDS } = parts;
  const naming: ActionCall['naming'] = async (places) => (await parts.naming?.(caller, places)) ?? [];
  const found = await ACTIONS[args.action]({ args, offset, sources, authors, thresholds, naming, now: now(), signal });
  const subject = (args.query ?? args.path ?? '').replaceAll(/\s+/g, ' ');
  return {
    operation: 'code-tool',
    action: args.action,
    subject: subject.length > LONGEST_SUBJECT ? `${subject.slice(0, LONGEST_SUBJECT)}…` : subject,
    sources: sources.provenances,
    total: found.total,
    ...(found.counts === undefined ? {} : { counts: found.counts }),
    rows: found.rows,
    detail: found.detail ?? args.detail,
    maxTokens: args.max_tokens,
    notes: found.notes ?? [],
    arguments: given(args),
    next: (shown) => (offset + shown < found.total ? encodeCursor(binding, offset + shown) : undefined),
    extra: found.extra ?? {},
  };
}

/** The arguments that decide which rows there are; how they are shown does not bind a cursor. */
function deciding({ action, query, path, repo, kind, direction, depth, tests }: CodeToolArguments): unknown {
  return { action, query, path, repo, kind, direction, depth, tests };
}

/** The arguments as a caller would write them: without defaults. */
function given(args: CodeToolArguments): Record<string, unknown> {
  const { action, query, path, repo, kind, direction, depth, detail, tests, limit } = args;
  return {
    action,
    query,
    path,
    repo,
    kind,
    direction: direction === 'out' ? undefined : direction,
    depth: depth === 1 ? undefined : depth,
    detail: detail === 'lines' ? undefined : detail,
    tests: tests === 'include' ? undefined : tests,
    limit: limit === 20 ? undefined : limit,
  };
}

function tooLong(): ServiceError {
  return new ServiceError('bad_argument', `The query is longer than ${LONGEST_QUERY} characters.`, {
    fix: 'Send the few words, the name or the pattern that matter.',
  });
}
