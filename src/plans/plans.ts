import type { z } from '@hono/zod-openapi';
import type { Tenant } from '../kernel/tenant.ts';
import type { Plans } from './keep/context.ts';
import type { ListedItemBody } from './keep/plan-bodies.ts';
import { listPlans, type PlanSummary } from './keep/plan-lists.ts';
import { listedItems } from './keep/work-item-list.ts';
import { type PlanFile, selectPlanFiles } from './store/store.ts';

export { findItem, findPlan, itemsOfPlans } from './keep/change-plan.ts';
export type { Plans } from './keep/context.ts';
export { listPlans, planStaleness, plansAt } from './keep/plan-lists.ts';
export { takePlans } from './keep/repository-plans.ts';
export { savePlan } from './keep/save-plan.ts';
export type { PlanRow } from './store/store.ts';
export type { WorkItem } from './store/work-items.ts';
export { PlanTexts } from './text/plan-texts.ts';

/** A plan, and its work items as lists over plans show them. */
export interface PlanBreakdown extends PlanSummary {
  workItems: z.output<typeof ListedItemBody>[];
}

/** All plans of the product by slug, at most 1,000, with how stale they are now and their work items. */
export async function readBreakdowns(plans: Plans, tenant: Tenant): Promise<PlanBreakdown[]> {
  const summaries = await listPlans(plans, tenant);
  return summaries.map((plan) => ({ ...plan, workItems: listedItems(plan.row.slug, plan.items, plan.anchors) }));
}

/** Returns the plans that are stored in files of repositories, by slug. */
export function readPlanFiles({ db }: Plans, tenant: Tenant): Promise<PlanFile[]> {
  return selectPlanFiles(db, tenant);
}
