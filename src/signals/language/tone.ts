import { BUILT_IN_MODEL } from '../../text/encoder/built-in-encoder.ts';
import { cosine } from '../../text/encoder/vector.ts';

/**
 * Sentences of people who praise, and who complain: each text is as near to these as it sounds, in every language of the
 * encoder.
 */
const PRAISE = ['I am very happy with this.', 'This is great.', 'It works very well.'];
const COMPLAINT = ['I am very unhappy with this.', 'This is terrible.', 'It does not work at all.'];

/** The sentences that texts are compared with. */
export const ANCHORS: readonly string[] = [...PRAISE, ...COMPLAINT];

/**
 * Least difference by which a text must be nearer to one side, by encoder. Measured on 328 reviews and sentences in five
 * languages: of those with a tone .71 are beyond it, and .028 of these on the wrong side (at .016 .83 and .064). It is not
 * known for other encoders.
 */
const LEAST_DIFFERENCE: Readonly<Record<string, number>> = { [BUILT_IN_MODEL]: 0.024 };
/** Multiple of the least difference that counts as the strongest tone: few texts are beyond it. */
const STRONGEST = 4;

/** True if the vectors of this encoder tell the tone of texts. */
export function tellsTone(model: string): boolean {
  return LEAST_DIFFERENCE[model] !== undefined;
}

/** Tone of a text, -1 (complaint) to 1 (praise), by its vector and those of `ANCHORS`; undefined in doubt. */
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
