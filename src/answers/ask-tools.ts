import { CODE_QUERIES } from '../code/code.ts';
import type { QuestionVectors } from '../text/encoder/question-vectors.ts';
import { type AgentTools, Operations, renderBrief, writeBrief } from '../evidence/evidence.ts';
import { type Indexes, IndexSources } from '../indexes/indexes.ts';
import { type Answer, type AnyOperation, type CallContext, defineOperation } from '../platform/operation/operation.ts';
import { ASK_ALIASES, type AskArguments, AskInput, checkQuestion } from './ask-input.ts';
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

/** An agent: an operation that answers a question with an evidence brief. */
interface Agent {
  name: string;
  description: string;
}

function askTool(parts: AskParts, agent: Agent): AnyOperation {
  return defineOperation({
    name: agent.name,
    description: agent.description,
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: AskInput,
    aliases: ASK_ALIASES,
    run: (context, args) => answer(parts, agent, { context, args }),
  });
}

async function answer(
  { tools, indexes }: AskParts,
  { name }: Agent,
  { context, args }: { context: CallContext; args: AskArguments },
): Promise<Answer> {
  const text = checkQuestion(name, 'message', args.message);
  const repo = args.repo === undefined || args.repo === '' ? '*' : args.repo;
  const { caller, signal } = context;
  const repositories = await indexes.repositories(caller, repo);
  const operations = new Operations(tools, context, repo);
  const brief = await writeBrief(
    {
      operations,
      sources: new IndexSources(indexes, CODE_QUERIES, { caller, signal, repositories }),
      vectors: indexes.questionVectors,
    },
    { operation: name, text, repo: args.repo, effort: args.effort, maxTokens: args.max_tokens },
  );
  return renderBrief(
    name,
    await writeWithModel(tools, { question: text, brief, operations, context }),
    args.max_tokens,
  );
}
