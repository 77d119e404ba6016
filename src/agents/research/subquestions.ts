import { termsOf } from '../../kernel/terms.ts';

const MOST = 4;
/** A part with fewer terms says too little to be looked for alone. */
const LEAST_TERMS = 2;

/** The parts of a question that can be looked for one by one: its sentences, and what a question word begins after "and". */
export function subquestionsOf(question: string): string[] {
  const parts = question
    .split(
      /(?<=[?.!;])\s+|[;\n]+|,?\s+and\s+(?=(?:how|what|why|when|where|which|who|whether|do|does|did|is|are|should|can)\b)/i,
    )
    .map((part) => part.trim().replace(/[;,]+$/, ''))
    .filter((part) => part !== '');
  const whole = parts.filter((part) => new Set(termsOf(part)).size >= LEAST_TERMS);
  return whole.length < 2 ? [question.trim()] : whole.slice(0, MOST);
}
