import { z } from 'zod';
import { type AgentTools, contentTerms } from '../../evidence/evidence.ts';
import type { ModelProvider } from '../../platform/language-model.ts';
import type { Caller } from '../../platform/operation/operation.ts';
import { askModel, formTool, ModelFailed, modelText, tryModel } from '../model/model.ts';
import { usageOf } from '../write-with-model.ts';

const MOST_PARTS = 4;
const LONGEST_PART = 300;
const MOST_OUTPUT_TOKENS = 1_000;
const TOOL = 'give_parts';

const INSTRUCTIONS = `You split a question about a software product into the parts that have to be looked for one by one in code, history, documents and feedback.
- One to four parts, each a question of its own in the words of the question, with every name that it has.
- A question that asks one thing is one part. Add nothing that was not asked.
- Call \`${TOOL}\`.`;
const Parts = z.object({ parts: z.array(z.string()) });

/** Parts into which a model split a question. Plain data: a step of a run stores it. */
export interface Split {
  parts?: string[];
  notes: string[];
  usage?: Record<string, number>;
}

/** The sentences of a question, each a part of its own: at most four, the last with all that follows. */
export function sentencesOf(question: string): string[] {
  const sentences = Array.from(
    new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(question),
    ({ segment }) => segment.trim(),
  ).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  const tail = sentences.slice(MOST_PARTS - 1).join(' ');
  return [...sentences.slice(0, MOST_PARTS - 1), ...(tail === '' ? [] : [tail])];
}

/** The parts of a question in the words of a model, as far as they are parts of it. One round, and a second for a wrong form. */
export async function splitWithModel(
  tools: AgentTools,
  question: string,
  { model, caller, signal }: { model: ModelProvider; caller: Caller; signal: AbortSignal },
): Promise<Split> {
  const { result, notes } = await tryModel(tools, { model, caller }, async (spending) => {
    const taken: z.output<typeof Parts>[] = [];
    const { spent } = await askModel(model, {
      ...spending,
      instructions: INSTRUCTIONS,
      prompt: `Question: ${question}`,
      tools: { [TOOL]: formTool('Give it in this shape, once.', Parts, (given) => taken.push(given)) },
      answerTool: TOOL,
      isAnswered: () => taken.length > 0,
      mostSteps: 2,
      mostOutputTokens: MOST_OUTPUT_TOKENS,
      signal,
    });
    const [given] = taken;
    if (given === undefined) throw new ModelFailed(`it did not call ${TOOL}`);
    return { given, spent };
  });
  if (result === undefined) return { notes };
  const usage = usageOf(model, result.spent);
  const parts = checkParts(result.given.parts, question);
  if (parts !== undefined) return { parts, notes, usage };
  return { notes: [...notes, `the parts that ${model.model} gave are not those of the question`], usage };
}

/**
 * The parts that a model split a question into, when they are parts of it: each has a word of the question that says something, and
 * together they have all its names in code spelling. Undefined when they are not.
 */
export function checkParts(parts: readonly string[], question: string): string[] | undefined {
  const questionTerms = new Set(contentTerms(question));
  const clean = [...new Set(parts.map((part) => modelText(part, [question])))]
    .filter((part) => part !== '')
    .slice(0, MOST_PARTS);
  const isPart = (part: string): boolean =>
    part.length <= LONGEST_PART && contentTerms(part).some((term) => questionTerms.has(term));
  const names = question.match(/[\w$]*(?:[a-z\d][A-Z]|_)[\w$]*/g) ?? [];
  const hasNames = names.every((name) => clean.some((part) => part.includes(name)));
  return clean.length > 0 && clean.every(isPart) && hasNames ? clean : undefined;
}
