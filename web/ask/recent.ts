import { recentOf, useRemember } from '../recent.ts';
import { useSession } from '../session.tsx';
import { askParameters } from './parameters.ts';

type Question = ReturnType<typeof askParameters>;

/** Questions about a product in this browser, newest first. */
export function recentQuestions(product: string): Question[] {
  return recentOf(keyOf(product), askParameters);
}

/** Remembers a question once it has been answered. */
export function useRememberQuestion(question: Question, isAnswered: boolean): void {
  const { product } = useSession();
  useRemember(keyOf(product.id), { entry: question, isAnswered }, askParameters);
}

function keyOf(product: string): string {
  return `questions ${product}`;
}
