export { findItem, findPlan, itemsOfPlans } from './keep/change-plan.ts';
export type { Plans } from './keep/context.ts';
export { listPlans, planStaleness, plansAt } from './keep/plan-lists.ts';
export { takePlans } from './keep/repository-plans.ts';
export { savePlan } from './keep/save-plan.ts';
export { type PlanRow, selectPlanFiles as readPlanFiles } from './store/store.ts';
export type { WorkItem } from './store/work-items.ts';
export { PlanTexts } from './text/plan-texts.ts';
