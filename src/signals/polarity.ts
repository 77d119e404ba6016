import { declaredIntent, type Intent } from './language/intent.ts';

export type { Intent } from './language/intent.ts';

/** Three stars are neither praise nor complaint, each more or less is half of one. */
const MIDDLE_STARS = 3;
const STAR_STEPS = 2;

/** How a signal sounds, and what it seems to want. */
interface Judgement {
  /** -1 (complaint) to 1 (praise); undefined without stars, until its vector decides it (`tones/tones.ts`). */
  polarity: number | undefined;
  /** What decided the polarity. */
  words: string[];
  intent: Intent;
}

/** What a signal declares before it is encoded: stars (1 to 5) decide how it sounds, a label or a mark what it wants. */
export function declaredJudgement(signal: { text: string; tags: readonly string[]; rating: number | null }): Judgement {
  const { text, tags, rating } = signal;
  const polarity = rating === null ? undefined : (rating - MIDDLE_STARS) / STAR_STEPS;
  return {
    polarity,
    words: rating === null ? [] : [`${rating} of 5 stars`],
    intent: declaredIntent(text, tags) ?? ((polarity ?? 0) > 0 ? 'praise' : 'other'),
  };
}
