import type { Candidate } from './candidates.ts';
import type { NextCall } from './model/brief.ts';
import type { Operations } from './model/operations.ts';
import type { Question } from './model/question.ts';

const MOST_NEXT = 3;

interface Outlook {
  question: Question;
  /** The unit whose lines come first. */
  best: Candidate | undefined;
  /** The operation that was called, and the repository that it was called for. */
  operation: string;
  repo: string | undefined;
  /** True if the question went to several repositories: then a call names its own. */
  isOfSeveral: boolean;
}

/** Calls that lead on: the question in words that the code has, the best unit as a whole, and who uses it. */
export function nextCalls({ question, best, operation, repo, isOfSeveral }: Outlook): NextCall[] {
  const inRepo = repo === undefined || repo === '*' ? {} : { repo };
  const calls: NextCall[] = [];
  const message = rephrase(question);
  if (message !== undefined) calls.push({ operation, args: { message, ...inRepo } });
  if (best !== undefined) {
    const where = repo === undefined && !isOfSeveral ? {} : { repo: best.repo };
    const query = `${best.path}:${best.start}-${best.end}`;
    calls.push({ operation: 'code-tool', args: { action: 'definition', query, detail: 'body', ...where } });
    if (best.symbol !== '' && best.kind !== 'heading')
      calls.push({
        operation: 'code-tool',
        args: { action: 'usages', query: `sym:${best.symbol}@${best.path}`, ...where },
      });
  }
  return calls.slice(0, MOST_NEXT);
}

/** The question with its absent words replaced by the nearest that occur; undefined when it has none. */
function rephrase({ text, absent }: Question): string | undefined {
  const replaced = absent.filter(({ nearest }) => nearest.length > 0);
  if (replaced.length === 0) return undefined;
  return replaced.reduce((message, { word, nearest }) => message.replaceAll(word, () => nearest.join(' ')), text);
}

/** Describes the gaps that prevent a full answer. */
export function describeGaps(question: Question, operations: Pick<Operations, 'failures' | 'unread'>): string[] {
  const absent = question.absent.map(({ word }) => word);
  return [
    ...(absent.length === 0 ? [] : [`occurs nowhere in the code: ${absent.join(', ')}`]),
    ...new Set(operations.failures.map(({ message }) => message)),
    ...(operations.unread > 0 ? [`${operations.unread} documents are not searched yet`] : []),
  ];
}
