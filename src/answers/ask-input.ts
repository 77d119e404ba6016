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

export type AskArguments = z.output<typeof AskInput>;

/** Other spellings of these arguments. */
export const ASK_ALIASES: Record<string, readonly string[]> = {
  message: ['question', 'query', 'prompt', 'q', 'text', 'task'],
  repo: ['repository', 'repo_name', 'project'],
  max_tokens: ['maxTokens'],
};

/** The longest question, in characters. What is longer is a report: that is for the bug analysis. */
const LONGEST_MESSAGE = 4_000;

/** @throws ServiceError `bad_argument` for a message without words, and for one that is longer than any question. */
export function checkMessage(operation: string, message: string): string {
  const words = message.trim();
  const fix = `Ask in a sentence: ${operation} message="Where are mails sent?"`;
  if (!/[\p{L}\p{N}]/u.test(words)) throw new ServiceError('bad_argument', 'The message has no words.', { fix });
  if (words.length <= LONGEST_MESSAGE) return words;
  throw new ServiceError('bad_argument', `The message is longer than ${LONGEST_MESSAGE} characters.`, { fix });
}
