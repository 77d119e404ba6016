import { createHash } from 'node:crypto';
import { once } from '../../kernel/once.ts';
import { classProbabilities, openWeights } from './intent-head.ts';
import trained from './intent-head.json' with { type: 'json' };

/** The purpose that a message seems to have. */
export type Intent = 'churn' | 'bug' | 'request' | 'question' | 'praise' | 'other';

/** Names of labels of trackers, and of marks before a title. */
const NAMES: Readonly<Record<Exclude<Intent, 'other'>, readonly string[]>> = {
  bug: ['bug', 'bug report', 'defect', 'regression', 'fehler'],
  request:
    'request,feature,feat,feature request,new feature,enhancement,improvement,proposal,suggestion,idea,rfc,wunsch,vorschlag'.split(
      ',',
    ),
  question: ['question', 'frage'],
  praise: ['praise', 'lob'],
  churn: ['churn', 'cancellation', 'kündigung'],
};
const INTENT_OF: ReadonlyMap<string, Intent> = new Map(
  (Object.keys(NAMES) as (keyof typeof NAMES)[]).flatMap((intent) => NAMES[intent].map((name) => [name, intent])),
);

/** Classes of the head; what is none of them wants nothing. */
const ESTIMATED: Readonly<Record<string, Intent>> = {
  bug: 'bug',
  churn: 'churn',
  question: 'question',
  request: 'request',
};

/** `[Bug]` or `Feature request:` at the start. */
const MARK = /^[^\p{L}\n[]*(?:\[([^\]\n]{2,40})\]|([\p{L} -]{2,40}):)/u;
/** `type: bug`, `kind/bug`, `T-Bug`. */
const KIND_OF_LABEL = /^(?:type|kind|category|[ct])\s*[:/-]\s*/;

/** The intent that whoever wrote or filed a message declared: by a label, or a mark before its title. */
export function declaredIntent(text: string, labels: readonly string[]): Intent | undefined {
  const [, bracketed, before] = MARK.exec(text) ?? [];
  for (const label of [...labels, bracketed ?? before ?? '']) {
    const name = label
      .trim()
      .toLowerCase()
      .replace(KIND_OF_LABEL, '')
      .replaceAll(/[\s_-]+/g, ' ');
    const intent = INTENT_OF.get(name);
    if (intent !== undefined) return intent;
  }
  return undefined;
}

/** Names the weights, so that signals are estimated again by others. */
export const INTENT_WEIGHTS = createHash('sha256')
  .update(JSON.stringify([trained.classes, trained.weights, trained.unit, trained.bias, trained.least]))
  .digest('hex')
  .slice(0, 8);

const weights = once(() => openWeights(trained));

/** Intent of a message by its vector of this encoder; undefined in doubt, and when it wants nothing. */
export function intentOf(vector: Int8Array, model: string): Intent | undefined {
  if (model !== trained.model) return undefined;
  const probabilities = classProbabilities(vector, trained, weights());
  const most = Math.max(...probabilities);
  return most < trained.least ? undefined : ESTIMATED[trained.classes[probabilities.indexOf(most)] ?? ''];
}
