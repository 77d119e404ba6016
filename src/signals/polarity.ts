import { once } from '../kernel/once.ts';
import intentModel from './language/intent-model.json' with { type: 'json' };
import { type Intent, statedIntent } from './language/intent.ts';
import { messageFeatures } from './language/message-features.ts';
import { MessageModel, MOST_WORDS } from './language/message-model.ts';
import toneModel from './language/tone-model.json' with { type: 'json' };
import { toneWordsOf } from './language/tone-words.ts';

export type { Intent } from './language/intent.ts';

/** Three stars are neither praise nor complaint, each more or less is half of one. */
const MIDDLE_STARS = 3;
const STAR_STEPS = 2;

const toneOf = once(() => new MessageModel(toneModel));
const intents = once(() => new MessageModel(intentModel));

/** How a text sounds and what it wants: a guess, which is why it names the words that decided. */
interface Polarity {
  /** -1 (complaint) to 1 (praise); undefined when it is neutral, or not sure enough to be said. */
  polarity: number | undefined;
  words: string[];
  intent: Intent;
}

/**
 * Stars (1 to 5) decide how a text sounds where they are given, else a model learnt from English and German messages,
 * which says nothing when it is not sure. Words of praise or complaint are named before others that the model weighs.
 * Some tenths of a millisecond.
 */
export function polarityOf(text: string, stars?: number): Polarity {
  const features = messageFeatures(text);
  const { said, probability, words } = toneOf().verdict(features);
  const told = said === 'neutral' ? undefined : said;
  const sounding = told === undefined ? undefined : Math.round(probability * (told === 'positive' ? 100 : -100)) / 100;
  const polarity = stars === undefined ? sounding : (stars - MIDDLE_STARS) / STAR_STEPS;
  const wanted = statedIntent(text) ?? intentOf(intents().verdict(features).said);
  const tones = toneWordsOf(text).filter(({ sign }) => sign === Math.sign(polarity ?? 0));
  const named = tones.length > 0 ? [...new Set(tones.map(({ written }) => written))].slice(0, MOST_WORDS) : words;
  return {
    polarity,
    words: stars !== undefined ? [`${stars} of 5 stars`] : polarity === undefined ? [] : named,
    intent: wanted === 'other' && (polarity ?? 0) > 0 ? 'praise' : wanted,
  };
}

function intentOf(said: string | undefined): Intent {
  return said === 'bug' || said === 'request' || said === 'question' ? said : 'other';
}
