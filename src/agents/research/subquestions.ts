import { termsOf } from '../../kernel/terms.ts';
import { hasSubject } from '../question/subject.ts';

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
  const meant = parts.map((part, at) => (at === 0 ? part : nameSubject(part, parts[at - 1] ?? '')));
  const whole = meant.filter((part) => new Set(termsOf(part)).size >= LEAST_TERMS);
  return whole.length < 2 ? [question.trim()] : whole.slice(0, MOST);
}

/** What stands for the subject of the part before. */
const PRONOUN = /\b(?:it|its|them|they|their|these|those)\b/i;
/** How a question begins before its subject comes. */
const BEGINNING =
  /^(?:(?:how|what|why|when|where|which|who|whether)\s+)?(?:(?:does|do|did|is|are|was|were|can|could|should|will|has|have)\s+)?(?:known\s+about\s+)?/i;

/** A part that only points to the subject of the one before, with what that one asks of. */
function nameSubject(part: string, before: string): string {
  const subject = before
    .replace(BEGINNING, '')
    .replace(/[?.!]+$/, '')
    .trim();
  if (subject === '') return part;
  // "What do users say?" says of nothing in particular what it is about.
  return hasSubject(part) ? part.replace(PRONOUN, subject) : `${part.replace(/\?$/, '')} ${subject}?`;
}
