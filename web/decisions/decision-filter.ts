import type { decisionFilter } from '../knowledge/filters.ts';
import type { Decision } from '../knowledge/queries.ts';
import { saysWords } from '../says-words.ts';

export type DecisionFilter = ReturnType<typeof decisionFilter>;

/** The decisions that have the words, tag and states of a filter, as they stand. */
export function findDecisions(
  decisions: readonly Decision[],
  { query = '', status, tag, code }: DecisionFilter,
): readonly Decision[] {
  return decisions.filter(
    (decision) =>
      (status === undefined || decision.status === status) &&
      (tag === undefined || decision.tags.includes(tag)) &&
      (code === undefined || decision.stale?.state === code) &&
      saysWords([decision.title, decision.id, decision.path ?? '', ...decision.tags], query),
  );
}
