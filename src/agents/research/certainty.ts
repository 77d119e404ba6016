import { asLow, asMedium, belowHigh } from '../confidence.ts';
import { answeredParts } from './fit.ts';
import type { CitedFinding } from './research.ts';

/**
 * How far a report answers its question, 0..1: half and, by the share of its findings that other voices support, more, of the share of
 * its parts that something answers. Never high while a part lacks an answer, and low when most do. Without a model it is never high:
 * none of seven reports that were told so had all that was asked for.
 */
export function certaintyOf({
  findings,
  subquestions,
  isModelled,
}: {
  findings: readonly CitedFinding[];
  subquestions: readonly string[];
  /** Whether a model weighed what was found. */
  isModelled: boolean;
}): number {
  if (findings.length === 0) return 0;
  const { size } = answeredParts(
    findings.map(({ claim }) => claim),
    subquestions,
  );
  const supported = findings.filter(({ corroboration }) => corroboration > 0).length / findings.length;
  const certainty = Math.round(1000 * (size / subquestions.length) * (0.5 + supported / 2)) / 1000;
  if (size === subquestions.length) return isModelled ? certainty : belowHigh(certainty);
  return size * 2 >= subquestions.length ? asMedium(certainty) : asLow(certainty);
}
