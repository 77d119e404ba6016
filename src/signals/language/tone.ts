import { BUILT_IN_MODEL } from '../../text/encoder/built-in-encoder.ts';
import { cosine } from '../../text/encoder/vector.ts';

/** What people say who praise, and who complain: each text is as near to these as it sounds, in every language of the encoder. */
const PRAISE = ['I am very happy with this.', 'This is great.', 'It works very well.'];
const COMPLAINT = ['I am very unhappy with this.', 'This is terrible.', 'It does not work at all.'];

/** The sentences that texts are compared with. */
export const ANCHORS: readonly string[] = [...PRAISE, ...COMPLAINT];

/**
 * How much nearer a text must be to one side, by encoder. Measured on 328 reviews and sentences in five languages: of those
 * with a tone .71 are beyond it, and .028 of these on the wrong side (at .016 .83 and .064). Of other encoders nothing is
 * known.
 */
const LEAST_DIFFERENCE: Readonly<Record<string, number>> = { [BUILT_IN_MODEL]: 0.024 };
/** Where a difference counts as the strongest tone: few texts are beyond it. */
const STRONGEST = 4;

/** Whether the tone of texts can be told by their vectors of this encoder. */
export function tellsTone(model: string): boolean {
  return LEAST_DIFFERENCE[model] !== undefined;
}

/** How a text sounds, -1 (complaint) to 1 (praise), by its vector and those of `ANCHORS`; undefined in doubt. */
export function toneOf(vector: Int8Array, anchors: readonly Int8Array[], model: string): number | undefined {
  const least = LEAST_DIFFERENCE[model];
  if (least === undefined) return undefined;
  const near = anchors.map((anchor) => cosine(vector, anchor));
  const difference = mean(near.slice(0, PRAISE.length)) - mean(near.slice(PRAISE.length));
  if (Math.abs(difference) < least) return undefined;
  const strength = Math.min(1, Math.abs(difference) / (STRONGEST * least));
  return Math.round(100 * strength) * (difference < 0 ? -0.01 : 0.01);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
