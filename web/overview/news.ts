import type { Change } from '../competitors/queries.ts';
import type { Decision, Plan, Theme } from '../knowledge/queries.ts';
import { isStalePlan } from './attention-order.ts';

/** Kinds of news, in the order in which they are shown. */
export type NewsKind =
  | 'new commits'
  | 'changed plans'
  | 'stale plans'
  | 'changed decisions'
  | 'new subjects'
  | 'rising themes'
  | 'competitor changes';

interface News {
  kind: NewsKind;
  count: number;
}

interface NewsSources {
  commits: number;
  plans: readonly Plan[];
  decisions: readonly Decision[];
  themes: readonly Theme[];
  changes: readonly Change[];
}

/**
 * Counts what is new since a moment (ISO 8601), without empty kinds. A plan counts as stale when the code that it names was
 * changed since, a theme as new or rising when it got signals since.
 */
export function newsSince(since: string, { commits, plans, decisions, themes, changes }: NewsSources): News[] {
  const isNew = (at: string): boolean => Date.parse(at) > Date.parse(since);
  const counts: Readonly<Record<NewsKind, number>> = {
    'new commits': commits,
    'changed plans': plans.filter((plan) => isNew(plan.updated_at)).length,
    'stale plans': plans.filter((plan) => isStalePlan(plan) && isNew(plan.stale?.changed_at ?? '')).length,
    'changed decisions': decisions.filter((decision) => isNew(decision.updated_at)).length,
    'new subjects': themes.filter(({ trend, newest }) => trend.direction === 'new' && isNew(newest)).length,
    'rising themes': themes.filter(({ trend, newest }) => trend.direction === 'rising' && isNew(newest)).length,
    'competitor changes': changes.filter(({ when }) => isNew(when)).length,
  };
  // Keys of text stand in the order in which they were written.
  return Object.entries(counts).flatMap(([kind, count]) => (count > 0 ? [{ kind: kind as NewsKind, count }] : []));
}
