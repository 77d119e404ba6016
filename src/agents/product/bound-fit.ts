import { asLow, asMedium } from '../confidence.ts';
import type { ProductFindings } from './product-findings.ts';

/** The most that is left of the confidence when customers are asked for and none has said anything. */
const UNHEARD = 0.2;
/** Fewer signals that have the words may be chance. */
const LEAST_HEARD = 5;
/** One word alone stands for several things: 15 of 30 such answers are right, of those with more 28 of 29. */
const LEAST_WORDS = 2;
/** Share of the words of a question that the title of a plan has which is surely about it. */
const LEAST_TITLED = 0.5;

type Found = Pick<ProductFindings, 'asked' | 'voices' | 'fitting' | 'intended' | 'nearest'>;

/** How sure an answer is whose texts fit so well: high only with some signals that have the words as they were asked, or with a title that has them. */
export function boundFit(fit: number, { asked, voices, fitting, intended, nearest }: Found): number {
  // What only means the like is meant in two cases of three: too few to be sure.
  const isMeant = intended.length > 0 && nearest === undefined;
  if (asked.isIntendedFirst) {
    const isTitled = intended.some(({ titled }) => titled > LEAST_TITLED);
    if (!isMeant) return asLow(fit);
    return isTitled ? Math.max(fit, asMedium(fit)) : asMedium(fit);
  }
  if (!voices.isNamed) return Math.min(fit, UNHEARD);
  if (voices.things.some(({ way }) => way === 'rarest')) return asLow(fit);
  const isInWords = voices.things.every(({ way, words }) => way === 'words' && words.length >= LEAST_WORDS);
  const isHeard = isInWords && fitting.length >= LEAST_HEARD;
  return isHeard && (isMeant || !asked.intended) ? fit : Math.min(fit, asMedium(fit));
}
