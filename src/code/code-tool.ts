import { type AnyOperation, type Answer, type CallContext, defineOperation } from '../platform/operation/operation.ts';
import { answerAction, checkQuery, type Findings } from '../platform/operation/paged-tool.ts';
import { commentsAnswer } from './answers/comments.ts';
import { deadCodeAnswer } from './answers/dead-code.ts';
import { definition } from './answers/definition.ts';
import { dependenciesAnswer } from './answers/dependencies.ts';
import { implementationsAnswer } from './answers/implementations.ts';
import { MAP_DEFAULTS, mapAnswer } from './answers/map.ts';
import { impactAnswer } from './answers/impact.ts';
import { grepAnswer, outlineAnswer, searchSymbolsAnswer, semanticSearchAnswer } from './answers/search.ts';
import { filesAnswer } from './answers/files.ts';
import { readDifference } from './answers/root.ts';
import { TESTS_DEFAULTS, testsAnswer } from './answers/tests.ts';
import { smellsAnswer } from './answers/smells.ts';
import { usagesAnswer } from './answers/usages.ts';
import {
  type ActionCall,
  CODE_ACTIONS,
  CODE_TOOL_ALIASES,
  CODE_TOOL_DESCRIPTION,
  CODE_TOOL_SYNONYMS,
  type CodeToolArguments,
  CodeToolInput,
  combineCodeArguments,
} from './answers/code-tool-input.ts';
import { type Catalogs, selectIn } from './catalog/catalog.ts';
import { CODE_OUTPUTS } from './outputs/outputs.ts';
import { type Indexes, IndexSources } from '../indexes/indexes.ts';
import { Tally } from '../platform/operation/tally.ts';
import type { OpenCodeHistory } from './history/history.ts';
import type { FindNamingWork } from './naming/naming.ts';
import { CODE_QUERIES } from './queries/code-queries.ts';
import type { QuestionVectors } from '../text/encoder/question-vectors.ts';
import { encodeSentence } from './ranking/sentences.ts';
import { LineAuthors } from './comments/line-authors.ts';
import { DEFAULT_THRESHOLDS, type SmellThresholds } from './smells/smell-thresholds.ts';

/** Parts of the service that the tool needs. */
interface CodeToolParts extends Indexes {
  /** Vectors of questions by an embedding service; the encoder that is built in reads them when absent. */
  questionVectors?: QuestionVectors;
  /** Plans and decisions that name code; nobody is asked when absent. */
  naming?: FindNamingWork;
  /** Opens the history of code; absent where there is none. */
  history?: OpenCodeHistory;
  /** What indexes hold, in front of them; all are asked when absent. */
  catalogs?: Catalogs;
  /** From where on code smells; the usual thresholds when absent. */
  thresholds?: SmellThresholds;
}

const ACTIONS: Record<CodeToolArguments['action'], (call: ActionCall) => Promise<Findings>> = {
  map: mapAnswer,
  search_symbols: searchSymbolsAnswer,
  definition,
  usages: usagesAnswer,
  implementations: implementationsAnswer,
  dependencies: dependenciesAnswer,
  impact: impactAnswer,
  semantic_search: semanticSearchAnswer,
  tests: testsAnswer,
  files: filesAnswer,
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
    output: CODE_OUTPUTS,
    commands: { heading: 'Code:', actions: CODE_ACTIONS },
    aliases: CODE_TOOL_ALIASES,
    synonyms: CODE_TOOL_SYNONYMS,
    combine: combineCodeArguments,
    fallbacks: ({ action }) => (action === 'map' ? MAP_DEFAULTS : action === 'tests' ? TESTS_DEFAULTS : {}),
    run: (context, args) => answer({ ...parts, authors }, context, args),
  });
}

async function answer(
  parts: CodeToolParts & { authors: LineAuthors },
  { caller, signal, now, progress }: CallContext,
  args: CodeToolArguments,
): Promise<Answer> {
  checkQuery(args.query, 'Send only the words, the name or the pattern that matter.');
  // Lines of a difference are those of its end.
  const ref = args.ref ?? (readDifference(args)?.to || undefined);
  const repositories = await parts.repositories(caller, args.repo, { ref, signal, progress });
  const sources = new IndexSources(parts, CODE_QUERIES, {
    caller,
    signal,
    repositories,
    tally: new Tally(progress, 'indexes have answered'),
  });
  const { authors, thresholds = DEFAULT_THRESHOLDS } = parts;
  const embed: ActionCall['embed'] = (question) => encodeSentence(parts.questionVectors, question);
  const select: ActionCall['select'] = (question) =>
    selectIn(parts.catalogs, { caller, repositories, signal }, question);
  const naming: ActionCall['naming'] = async (places) => (await parts.naming?.(caller, places)) ?? [];
  const history = parts.history?.(caller, signal);
  const request = {
    operation: 'code-tool',
    input: CodeToolInput,
    args,
    sources,
    detail: args.detail,
  };
  return answerAction(request, (offset) =>
    ACTIONS[args.action]({
      args,
      offset,
      sources,
      select,
      embed,
      authors,
      thresholds,
      naming,
      history,
      now: now(),
      signal,
    }),
  );
}
