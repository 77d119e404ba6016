import type { ProductScope } from '../repositories/repositories.ts';
import type { Plans } from './keep/context.ts';
import { type PlanFile, selectPlanFiles } from './store/store.ts';

export { findItem, findPlan, itemsOfPlans } from './keep/change-plan.ts';
export type { Plans } from './keep/context.ts';
export { listPlans, planStaleness, plansAt } from './keep/plan-lists.ts';
export { takePlans } from './keep/repository-plans.ts';
export { savePlan } from './keep/save-plan.ts';
export type { PlanRow } from './store/store.ts';
export type { WorkItem } from './store/work-items.ts';
export { PlanTexts } from './text/plan-texts.ts';

/** The plans that are kept in files of repositories, by slug. */
export function readPlanFiles({ db }: Plans, scope: ProductScope): Promise<PlanFile[]> {
  return selectPlanFiles(db, scope);
}
