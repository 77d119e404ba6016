import { z } from 'zod';
import { CODE_QUERIES, type QuestionVectors } from '../code/code.ts';
import { type AgentTools, Operations, renderBrief, writeBrief } from '../evidence/evidence.ts';
import type { ComputeFacts } from '../evidence/model/brief.ts';
import { type Indexes, IndexSources } from '../indexes/indexes.ts';
import { ServiceError } from '../kernel/errors.ts';
import { type Answer, type AnyOperation, type CallContext, defineOperation } from '../platform/operation/operation.ts';
import { FORMAT_FIELD } from '../platform/operation/paged-tool.ts';
import { writeWithModel } from './write-with-model.ts';

const AskInput = z.object({
  message: z.string().describe('The question'),
  repo: z.string().optional().describe('Name or id; omit when there is one'),
  effort: z.enum(['quick', 'standard', 'deep']).default('standard').describe('Search effort'),
  max_tokens: z.int().min(200).max(8000).default(3000).describe('Answer budget'),
  format: FORMAT_FIELD,
});
type AskArguments = z.output<typeof AskInput>;

const ALIASES: Record<string, readonly string[]> = {
  message: ['question', 'query', 'prompt', 'q', 'text', 'task'],
  repo: ['repository', 'repo_name', 'project'],
  max_tokens: ['maxTokens'],
};

/** The longest question, in characters. What is longer is a report: that is for the bug analysis. */
const LONGEST_MESSAGE = 4_000;

/** What agents answer with. */
interface AskParts {
  tools: AgentTools;
  indexes: Indexes & { questionVectors?: QuestionVectors };
}

/** `ask_codeIntelligenceAgent`: how the code works, where something is, why it is so, what a change touches. */
export function askCodeTool(parts: AskParts): AnyOperation {
  return askTool(parts, {
    name: 'ask_codeIntelligenceAgent',
    description:
      'Ask how the code works, where something is, why it is so, or what a change touches. Returns evidence: computed facts, ranked places with lines, commits, gaps, next calls; prose only if a model is set.',
    computeFacts: async () => [],
  });
}

/** An agent: an operation that answers a question with an evidence brief. */
interface Agent {
  name: string;
  description: string;
  computeFacts: ComputeFacts;
}

function askTool(parts: AskParts, agent: Agent): AnyOperation {
  return defineOperation({
    name: agent.name,
    description: agent.description,
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: AskInput,
    aliases: ALIASES,
    run: (context, args) => answer(parts, agent, { context, args }),
  });
}

async function answer(
  { tools, indexes }: AskParts,
  { name, computeFacts }: Agent,
  { context, args }: { context: CallContext; args: AskArguments },
): Promise<Answer> {
  const text = checkedMessage(name, args.message);
  const repo = args.repo === undefined || args.repo === '' ? '*' : args.repo;
  const { caller, signal } = context;
  const repositories = await indexes.repositories(caller, repo);
  const operations = new Operations(tools, context, repo);
  const brief = await writeBrief(
    {
      operations,
      sources: new IndexSources(indexes, CODE_QUERIES, { caller, signal, repositories }),
      vectors: indexes.questionVectors,
      computeFacts,
    },
    { operation: name, text, repo: args.repo, maxTokens: args.max_tokens },
  );
  return renderBrief(
    name,
    await writeWithModel(tools, { question: text, brief, operations, context }),
    args.max_tokens,
  );
}

/** @throws ServiceError `bad_argument` for a message without words, and for one that is longer than any question. */
function checkedMessage(operation: string, message: string): string {
  const words = message.trim();
  const fix = `Ask in a sentence: ${operation} message="Where are mails sent?"`;
  if (!/[\p{L}\p{N}]/u.test(words)) throw new ServiceError('bad_argument', 'The message has no words.', { fix });
  if (words.length <= LONGEST_MESSAGE) return words;
  throw new ServiceError('bad_argument', `The message is longer than ${LONGEST_MESSAGE} characters.`, { fix });
}
