import { z } from 'zod';
import { counted } from '../kernel/counted.ts';
import { ServiceError } from '../kernel/errors.ts';
import { costOf } from '../platform/language-model.ts';
import { type Answer, type AnyOperation, type CallContext, defineOperation } from '../platform/operation/operation.ts';
import { FORMAT_FIELD } from '../platform/operation/paged-tool.ts';
import { renderAnswer } from './answer.ts';
import { askStructure } from './structure/ask-structure.ts';
import { askCode } from './code-agent.ts';
import { levelOf } from './confidence.ts';
import { placeReader } from './gather/place-reader.ts';
import { type AgentTools, Tools } from './gather/tools.ts';
import type { Investigation } from './prose/investigation.ts';
import { verifyEntries } from './ledger/verify.ts';
import { tryModel } from '../answers/model/model.ts';
import { limitWords } from './prose/limit-words.ts';
import { type Paragraph } from './prose/prose.ts';
import { citedEntries, nameRepositories, settle } from './prose/settle.ts';
import { type AskedQuestion, parseQuestion } from './question/question.ts';

const AskInput = z.object({
  message: z.string().describe('The question'),
  repo: z.string().optional().describe('Name or id; omit when there is one'),
  effort: z.enum(['quick', 'standard', 'deep']).default('standard').describe('Search effort'),
  max_tokens: z.int().min(200).max(8000).default(1500).describe('Answer budget'),
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
const MOST_NEXT = 3;

type Agent = (
  tools: Tools,
  question: AskedQuestion,
  effort: AskArguments['effort'],
  maxTokens: number,
) => Promise<Investigation>;

/** `ask_architectureInvestigationAgent`: layers, boundaries, cycles, coupling, hotspots, and why it is so. */
export function askArchitectureTool(tools: AgentTools): AnyOperation {
  return askTool(tools, askArchitecture, {
    name: 'ask_architectureInvestigationAgent',
    everywhere: undefined,
    description:
      'Ask about structure: layers, boundaries, cycles, coupling, hotspots, why it is so. Answers in short prose with [n] citations to verified sources, confidence and gaps.',
  });
}

/** A question that says nothing of structure is one about the code. */
const askArchitecture: Agent = async (tools, question, effort, maxTokens) =>
  (await askStructure(tools, question, effort)) ?? askCode(tools, question, effort, maxTokens);

/** A tool that has an agent answer a question. */
function askTool(
  tools: AgentTools,
  agent: Agent,
  { name, description, everywhere }: Pick<AskCall, 'name' | 'everywhere'> & { description: string },
) {
  return defineOperation({
    name,
    description,
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: AskInput,
    aliases: ALIASES,
    run: (context, args) => answer({ name, tools, agent, everywhere, context, args }),
  });
}

interface AskCall {
  name: string;
  tools: AgentTools;
  agent: Agent;
  /** What is asked when no repository is named: all of them, where the questions of the agent can be asked of several. */
  everywhere: '*' | undefined;
  context: CallContext;
  args: AskArguments;
}

async function answer({ name, tools, agent, everywhere, context, args }: AskCall): Promise<Answer> {
  const question = parseQuestion(checkedMessage(name, args.message));
  const repo = args.repo === undefined || args.repo === '' ? everywhere : args.repo;
  const used = new Tools(tools, context, repo);
  const found = shorten(await agent(used, question, args.effort, args.max_tokens), args.effort);
  const { paragraphs, engine, notes, extra } = await write(tools, { found, question, used, context });
  // The look-up of sources is no part of what the answer was looked for with.
  const verdicts = await verifyEntries(citedEntries(paragraphs), placeReader(new Tools(tools, context, repo)));
  const { composed, ledger, confidence, isRefused, lead = '' } = found;
  const files = new Set(ledger.entries.flatMap(({ repo: of, path }) => (path === undefined ? [] : `${of}:${path}`)));
  return renderAnswer(
    {
      ...settle({ paragraphs: used.provenances.length > 1 ? nameRepositories(paragraphs) : paragraphs }, verdicts),
      operation: name,
      provenances: used.provenances,
      lead: isRefused ? 'This index does not seem to contain it.' : lead,
      confidence,
      level: levelOf(confidence),
      gaps: [...composed.gaps, ...notes],
      engine,
      lookedAt: { calls: used.calls.length, files: files.size },
      calls: used.calls,
      next: composed.next.slice(0, MOST_NEXT),
      ...(extra !== undefined && { extra }),
    },
    args.max_tokens,
  );
}

/** An investigation told in as many words as a person reads at once, unless all is asked for. */
function shorten(found: Investigation, effort: AskArguments['effort']): Investigation {
  if (effort === 'deep') return found;
  return { ...found, composed: { ...found.composed, paragraphs: limitWords(found.composed.paragraphs) } };
}

/** Who wrote an answer, and what it is. */
interface Written {
  paragraphs: readonly Paragraph[];
  engine: string;
  notes: readonly string[];
  extra?: Record<string, unknown>;
}

/** Has the model write, where there is one and something to write about; what was composed without it when it fails. */
async function write(
  tools: AgentTools,
  {
    found,
    question,
    used,
    context,
  }: { found: Investigation; question: AskedQuestion; used: Tools; context: CallContext },
): Promise<Written> {
  const { composed, ledger, isRefused } = found;
  const { model } = tools;
  if (model === undefined || isRefused) return { paragraphs: composed.paragraphs, engine: 'deterministic', notes: [] };
  const { caller, signal } = context;
  const { result, notes } = await tryModel(tools, { model, caller }, async (spending) => {
    const { answerWithModel } = await import('./llm/answer-with-model.ts');
    return answerWithModel(model, { ...spending, question: question.words, composed, ledger, tools: used, signal });
  });
  if (result === undefined) return { paragraphs: composed.paragraphs, engine: 'deterministic', notes };
  const { paragraphs, spent, forged } = result;
  const usage = {
    input_tokens: spent.inputTokens,
    output_tokens: spent.outputTokens,
    ...(model.price !== undefined && { cost: costOf(model, spent) }),
  };
  if (forged.length > 0) notes.push(`${counted(forged.length, 'citation')} of the model named no evidence`);
  return { paragraphs, engine: `llm:${model.model}`, notes, extra: { usage } };
}

/** @throws ServiceError `bad_argument` for a message without words, and for one that is longer than any question. */
function checkedMessage(operation: string, message: string): string {
  const words = message.trim();
  const fix = `Ask in a sentence: ${operation} message="Where are mails sent?"`;
  if (!/[\p{L}\p{N}]/u.test(words)) throw new ServiceError('bad_argument', 'The message has no words.', { fix });
  if (words.length <= LONGEST_MESSAGE) return words;
  throw new ServiceError('bad_argument', `The message is longer than ${LONGEST_MESSAGE} characters.`, { fix });
}
