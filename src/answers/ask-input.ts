import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';
import { FORMAT_FIELD } from '../platform/operation/paged-tool.ts';

/** Arguments of the agents: the contract with clients. */
export const AskInput = z.object({
  message: z.string().describe('The question'),
  repo: z.string().optional().describe('Name or id; omit when there is one'),
  effort: z.enum(['quick', 'standard', 'deep']).default('standard').describe('Search effort'),
  max_tokens: z.int().min(200).max(8000).default(3000).describe('Answer budget'),
  format: FORMAT_FIELD,
});

/** Other spellings of these arguments. */
export const ASK_ALIASES: Record<string, readonly string[]> = {
  message: ['question', 'query', 'prompt', 'q', 'text', 'task'],
  repo: ['repository', 'repo_name', 'project'],
  max_tokens: ['maxTokens'],
};

/** The longest question, in characters. What is longer is a report: that is for the bug analysis. */
const LONGEST_QUESTION = 4_000;

/**
 * The question of a call, in its argument `name`.
 *
 * @throws ServiceError `bad_argument` for one without words, and for one that is longer than any question.
 */
export function checkQuestion(operation: string, name: 'message' | 'question', text: string): string {
  const words = text.trim();
  const fix = `Ask in a sentence: ${operation} ${name}="How are refunds paid?"`;
  if (!/[\p{L}\p{N}]/u.test(words)) throw new ServiceError('bad_argument', `The ${name} has no words.`, { fix });
  if (words.length <= LONGEST_QUESTION) return words;
  throw new ServiceError('bad_argument', `The ${name} is longer than ${LONGEST_QUESTION} characters.`, { fix });
}
