import { partsOf, termsOf } from '../../kernel/terms.ts';
import { asksDocuments, asksHistory, hasSubject, hasTopic, topicOf } from './subject.ts';

const MOST = 4;
/** A part with fewer terms says too little to be looked for alone. */
const LEAST_TERMS = 2;

/**
 * The end of a sentence, and an "and" before a question word. What stands behind a preposition belongs to its sentence: "worked out
 * from how often and how lately" is one question.
 */
const SEPARATORS =
  /(?<=[?.!;])\s+|[;\n]+|(?<!\b(?:from|on|by|of|with) (?:how|what|when|where|which|who|whether)\b[^,?.;]*),?\s+and\s+(?=(?:since when|how|what|why|when|where|which|who|whether|do|does|did|is|are|should|can)\b)/i;

/** The parts of a question that can be looked for one by one: its sentences, and what a question word begins after "and". */
export function subquestionsOf(question: string): string[] {
  const parts = question
    .split(SEPARATORS)
    .map((part) => part.trim().replace(/[;,]+$/, ''))
    .filter((part) => part !== '');
  const meant = parts.map((part, at) => (at === 0 ? part : nameSubject(part, parts[at - 1] ?? '')));
  const whole = meant.filter((part) => new Set(termsOf(part)).size >= LEAST_TERMS);
  return whole.length < 2 ? [question.trim()] : whole.slice(0, MOST);
}

/** What stands for the subject of the part before. */
const PRONOUN = /\b(?:it|its|them|they|their|these|those|ones)\b/i;
/** What is done to a subject: `refunds paid by card`, without which the subject stays. */
const DONE_TO = /^(\S+(?:\s+\S+){0,3}?)\s+(?:\w{2,}ed|sent|kept|built|held|found|made|read|written|run|paid)\b.*$/i;
/** What becomes of a thing is asked of what the part before tells. */
const HAPPENS = /^what happens (?:to|with)\b/i;
/** A subject with what is done to it, and where or with what. */
const WITH_ADVERBIAL =
  /^(\S+(?:\s+\S+){0,3}?\s+(?:\w{2,}ed|sent|kept|built|held|found|made|read|written|run|paid))\s.*$/i;
/** A question about what is done to something. */
const PASSIVE = /^(?:how|when|where|why)\s+(?:is|are|was|were)\b/i;

/** A part that only points to the subject of the one before, with what that one asks of. */
function nameSubject(part: string, before: string): string {
  const topic = topicOf(before);
  // What changed about it, or is written of it, is what is done to the subject.
  const isOfDoing = asksHistory(part) || asksDocuments(part);
  const subject = !PASSIVE.test(before)
    ? topic
    : isOfDoing
      ? topic.replace(WITH_ADVERBIAL, '$1')
      : topic.replace(DONE_TO, '$1');
  if (PRONOUN.test(part) && hasSubject(part)) return part.replace(PRONOUN, subject);
  // "What do users say?", "what is logged?" and "what problems are known?" say of nothing in particular what they are about.
  const own = new Set(partsOf(hasTopic(part) ? topicOf(part) : ''));
  const isBare = own.size < LEAST_TERMS && new Set(termsOf(part)).size >= LEAST_TERMS;
  const isOfBefore = partsOf(subject).some((term) => own.has(term));
  return !hasSubject(part) || ((isBare || HAPPENS.test(part)) && !isOfBefore)
    ? `${part.replace(/\?$/, '')} ${subject}?`
    : part;
}
