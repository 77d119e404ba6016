import { CODE_QUERIES } from '../code/code.ts';
import type { QuestionVectors } from '../text/encoder/question-vectors.ts';
import { type AgentTools, Operations, renderBrief, writeBrief } from '../evidence/evidence.ts';
import { type Indexes, IndexSources } from '../indexes/indexes.ts';
import { type AnyOperation, defineOperation } from '../platform/operation/operation.ts';
import { ASK_ALIASES, AskInput, checkQuestion } from './ask-input.ts';
import { writeWithModel } from './write-with-model.ts';

/** Dependencies of the answers of agents. */
export interface AskParts {
  tools: AgentTools;
  indexes: Indexes & { questionVectors?: QuestionVectors };
}

/** `ask_codeIntelligenceAgent`: how the code works, where something is, why it is so, what a change touches. */
export function askCodeTool(parts: AskParts): AnyOperation {
  return askTool(parts, {
    name: 'ask_codeIntelligenceAgent',
    description:
      'Ask how the code works, where something is, why it is so, or what a change touches. Returns evidence: computed facts, ranked places with lines, commits, gaps, next calls; prose only if a model is set.',
  });
}

/** `ask_architectureInvestigationAgent`: layers, boundaries, cycles, coupling, hotspots, owners, and why it is so. */
export function askArchitectureTool(parts: AskParts): AnyOperation {
  return askTool(parts, {
    name: 'ask_architectureInvestigationAgent',
    description:
      'Ask about structure: layers, boundaries, cycles, coupling, hotspots, owners, why it is so. Returns evidence: computed facts, ranked places with lines, commits, gaps, next calls; prose only if a model is set.',
  });
}

/** An operation that answers a question with an evidence brief. */
function askTool(
  { tools, indexes }: AskParts,
  { name, description }: { name: string; description: string },
): AnyOperation {
  return defineOperation({
    name,
    description,
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: AskInput,
    aliases: ASK_ALIASES,
    async run(context, { message, repo, effort, max_tokens: maxTokens }) {
      const text = checkQuestion(name, 'message', message);
      const scope = repo === undefined || repo === '' ? '*' : repo;
      const { caller, signal } = context;
      const repositories = await indexes.repositories(caller, scope);
      const operations = new Operations(tools, context, scope);
      const sources = new IndexSources(indexes, CODE_QUERIES, { caller, signal, repositories });
      const brief = await writeBrief(
        { operations, sources, vectors: indexes.questionVectors },
        { operation: name, text, repo, effort, maxTokens },
      );
      const written = await writeWithModel(tools, { question: text, brief, operations, context });
      return renderBrief(name, written, maxTokens);
    },
  });
}
