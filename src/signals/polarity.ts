import { declaredIntent, type Intent } from './language/intent.ts';

export type { Intent } from './language/intent.ts';

/** Three stars are neither praise nor complaint, each more or less is half of one. */
const MIDDLE_STARS = 3;
const STAR_STEPS = 2;

/** Tone and intent of a signal. */
interface Judgement {
  /** -1 (complaint) to 1 (praise); undefined without stars, until its vector decides it (`tones/tones.ts`). */
  polarity: number | undefined;
  /** Words that decided the polarity. */
  words: string[];
  intent: Intent;
}

/** Returns what a signal declares before it is encoded: stars (1 to 5) decide its tone, a label or a mark its intent. */
export function declaredJudgement(signal: { text: string; tags: readonly string[]; rating: number | null }): Judgement {
  const { text, tags, rating } = signal;
  const polarity = rating === null ? undefined : (rating - MIDDLE_STARS) / STAR_STEPS;
  return {
    polarity,
    words: rating === null ? [] : [`${rating} of 5 stars`],
    intent: declaredIntent(text, tags) ?? ((polarity ?? 0) > 0 ? 'praise' : 'other'),
  };
}
