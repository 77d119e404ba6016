import type { Tool } from 'ai';
import { tokensOf } from '../../kernel/budget.ts';
import { costOf, type ModelProvider, type TokenCount } from '../../platform/language-model.ts';
import { ModelFailed, type Spending } from './try-model.ts';

const MOST_INPUT_TOKENS = 60_000;
/** Some services leave what a model thinks in what it says. */
const THOUGHTS = /^[\s\S]*<\/think>/;
const SPENT = 'the API key or its product has spent what the model may cost: svc key limit, svc quotas';

/** Task of a model, and what it may do until it has answered. */
interface ModelTask extends Spending {
  instructions: string;
  prompt: string;
  tools: Readonly<Record<string, Tool>>;
  /** The tool by which it answers: in the last round there is no other. */
  answerTool: string;
  /** True if it has answered: then no round follows. */
  isAnswered: () => boolean;
  mostSteps: number;
  /** Of one round. */
  mostOutputTokens: number;
  /** Receives the number of characters of the answer so far, in whatever form. */
  onWritten?: (characters: number) => void;
  signal: AbortSignal;
}

/**
 * Has a model work in rounds until it has answered, or may not go on: by its rounds, 60,000 tokens, the time of the provider or its
 * cost. Gives the text of its last round: what it wrote instead of answering by the tool.
 *
 * @throws the reason of the signal; ModelFailed when the model does not answer as it should, whatever the cause.
 */
export async function askModel(provider: ModelProvider, task: ModelTask): Promise<{ text: string; spent: TokenCount }> {
  const { mostCost, signal, isAnswered, mostSteps, answerTool } = task;
  if (mostCost <= 0) throw new ModelFailed(SPENT);
  const spent: TokenCount = { inputTokens: 0, outputTokens: 0 };
  const isOver = (): boolean => costOf(provider, spent) >= mostCost;
  let last: Round | undefined;
  // What was asked for until then has to suffice: a further round like the last one would pass a limit.
  const isLast = (step: number): boolean =>
    step === mostSteps - 1 ||
    (last !== undefined &&
      (spent.inputTokens + last.inputTokens >= MOST_INPUT_TOKENS ||
        costOf(provider, spent) + costOf(provider, last) >= mostCost));
  try {
    const [{ streamText, isStepCount }, model] = await Promise.all([import('ai'), provider.load()]);
    let fault: unknown;
    const { text: written } = streamText({
      model,
      instructions: task.instructions,
      prompt: task.prompt,
      tools: task.tools,
      prepareStep: ({ stepNumber }) => (isLast(stepNumber) ? { activeTools: [answerTool] } : {}),
      stopWhen: [isAnswered, isStepCount(mostSteps), () => spent.inputTokens > MOST_INPUT_TOKENS, isOver],
      maxOutputTokens: task.mostOutputTokens,
      maxRetries: 2,
      abortSignal: signal,
      timeout: provider.timeout,
      onChunk: tellWriting(answerTool, task.onWritten),
      onStepEnd: ({ usage, text: reply, toolCalls, finishReason }) => {
        // A service that does not say what it read and wrote would otherwise cost nothing.
        const {
          inputTokens = tokensOf(task.instructions + task.prompt),
          outputTokens = tokensOf(reply + JSON.stringify(toolCalls.map(({ input }) => input))),
        } = usage;
        spent.inputTokens += inputTokens;
        spent.outputTokens += outputTokens;
        const isMisshapen = toolCalls.some(({ toolName, invalid }) => toolName === answerTool && invalid === true);
        last = { inputTokens, outputTokens, finishReason, hasCalled: toolCalls.length > 0, isMisshapen };
      },
      // Of a stream the first fault says more than what follows from it.
      onError: ({ error }) => void (fault ??= error),
    });
    const output = await Promise.resolve(written).catch((error: unknown) => {
      throw fault ?? error;
    });
    const text = output.replace(THOUGHTS, '').trim();
    if (!isAnswered() && (text === '' || last?.isMisshapen === true))
      throw new ModelFailed(isOver() ? SPENT : whyNone(last, task));
    return { text, spent };
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ModelFailed ? error : new ModelFailed(reasonOf(error));
  } finally {
    await task.record(spent);
  }
}

/** Outcome of the last round of a model. */
interface Round extends TokenCount {
  finishReason: string;
  hasCalled: boolean;
  /** True if it called the answer tool with arguments that the tool does not take. */
  isMisshapen: boolean;
}

/** Explains why the rounds of a model gave no answer although none of them failed. */
function whyNone(last: Round | undefined, { mostOutputTokens }: ModelTask): string {
  if (last?.finishReason === 'length') return `its answer was cut off at ${mostOutputTokens} tokens`;
  if (last?.finishReason === 'content-filter') return 'the service kept its answer back';
  if (last?.isMisshapen === true) return 'its answer was no valid JSON, or not of the shape that was asked for';
  return last?.hasCalled === true ? 'it went on asking tools until it had no round left' : 'it said nothing';
}

type Chunk = { type: string; id?: string; toolName?: string; text?: string; delta?: unknown };

/** Counts what a model writes of its answer, by the tool or as text. */
function tellWriting(answerTool: string, tell: ModelTask['onWritten']): (event: { chunk: Chunk }) => void {
  let characters = 0;
  let answering: string | undefined;
  return ({ chunk: { type, id, toolName, text = '', delta } }) => {
    if (type === 'tool-input-start' && toolName === answerTool) answering = id;
    const isAnswer = type === 'tool-input-delta' && id === answering && typeof delta === 'string';
    const piece = type === 'text-delta' ? text : isAnswer ? delta : '';
    if (piece === '') return;
    characters += piece.length;
    tell?.(characters);
  };
}

/** Returns the reason of a failure without the request: errors of the client carry it whole. */
function reasonOf(error: unknown): string {
  const last = error instanceof Error && 'lastError' in error ? error.lastError : error;
  if (!(last instanceof Error)) return 'it cannot be reached';
  if (last.name === 'TimeoutError' || last.name === 'AbortError') return 'it did not answer in time';
  const status = 'statusCode' in last && typeof last.statusCode === 'number' ? last.statusCode : undefined;
  if (status !== undefined && status >= 300) return `it answered with status ${status}`;
  return status === undefined && last.name === 'AI_APICallError'
    ? 'it cannot be reached'
    : 'its answer could not be read';
}
