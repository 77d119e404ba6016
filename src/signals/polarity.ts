import { once } from '../kernel/once.ts';
import intentModel from './language/intent-model.json' with { type: 'json' };
import { type Intent, statedIntent } from './language/intent.ts';
import { messageFeatures } from './language/message-features.ts';
import { MessageModel } from './language/message-model.ts';

export type { Intent } from './language/intent.ts';

/** Three stars are neither praise nor complaint, each more or less is half of one. */
const MIDDLE_STARS = 3;
const STAR_STEPS = 2;

const intents = once(() => new MessageModel(intentModel));

/** How a text sounds by its stars, and what it seems to want. */
interface Polarity {
  /** -1 (complaint) to 1 (praise); undefined without stars, until its vector decides it (`tones/tones.ts`). */
  polarity: number | undefined;
  /** What decided the polarity. */
  words: string[];
  intent: Intent;
}

/** What is known of a text before it is encoded: stars (1 to 5) decide how it sounds, a model guesses what it wants. */
export function polarityOf(text: string, stars?: number): Polarity {
  const polarity = stars === undefined ? undefined : (stars - MIDDLE_STARS) / STAR_STEPS;
  const intent = statedIntent(text) ?? intentOf(intents().verdict(messageFeatures(text)).said);
  return {
    polarity,
    words: stars === undefined ? [] : [`${stars} of 5 stars`],
    intent: intent === 'other' && (polarity ?? 0) > 0 ? 'praise' : intent,
  };
}

function intentOf(said: string | undefined): Intent {
  return said === 'bug' || said === 'request' || said === 'question' ? said : 'other';
}
