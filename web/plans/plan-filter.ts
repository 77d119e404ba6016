import type { planFilter } from '../knowledge/filters.ts';
import type { Plan, Staleness } from '../knowledge/queries.ts';
import { saysWords } from '../says-words.ts';

export type PlanFilter = ReturnType<typeof planFilter>;

export const CODE_STATES = ['fresh', 'aging', 'stale', 'broken', 'unresolved'] as const satisfies Staleness['state'][];

export const PLAN_SORTS = [
  { value: '', label: 'Name' },
  { value: 'newest', label: 'Last changed' },
  { value: 'open', label: 'Most open work items' },
] as const;

/** The plans that have the words and states of a filter, in its order. */
export function findPlans(plans: readonly Plan[], { query = '', status, code, sort }: PlanFilter): readonly Plan[] {
  const matches = plans.filter(
    (plan) =>
      (status === undefined || plan.status === status) &&
      (code === undefined || plan.stale?.state === code) &&
      saysWords([plan.title, plan.slug, plan.owner, plan.path ?? ''], query),
  );
  if (sort === 'newest') return matches.toSorted((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at));
  if (sort === 'open') return matches.toSorted((a, b) => openItems(b) - openItems(a));
  return matches.toSorted((a, b) => a.title.localeCompare(b.title));
}

function openItems({ items }: Plan): number {
  return items.total - items.done;
}
