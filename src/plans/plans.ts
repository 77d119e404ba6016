export {
  acceptAnchors,
  acceptPlan,
  editItem,
  findItem,
  findPlan,
  itemsOfPlans,
  removePlan,
  setPlanStatus,
} from './change-plan.ts';
export { type Lookups, lookupsOf, type Plans } from './context.ts';
export { type Mention, mentionOf } from './mentions.ts';
export { PlanTexts } from './plan-texts.ts';
export { AnchorBody, anchorBody, StalenessBody, stalenessBody } from './plan-bodies.ts';
export { type Staleness, stalenessOf } from './plan-state.ts';
export { anchorsOf, currentAnchors, retryUnresolved } from './refresh.ts';
export { takePlans } from './repository-plans.ts';
export type { PlanAccess, PlanRequest } from './product-access.ts';
export { type PlanDraft, savePlan, slugOf } from './save-plan.ts';
export type { ExportSources } from './export/gather.ts';
export { specExportTool } from './spec-export-tool.ts';
export { likeness } from './stable-ids.ts';
export { PLAN_STATUSES, type PlanRow, type PlanStatus, type Requirement } from './store.ts';
export {
  type AnchorRow,
  type AnchorStatus,
  deleteAnchors,
  type Holder,
  type HolderKind,
  replaceAnchors,
} from './store-anchors.ts';
export { wantedAnchors, writtenAs } from './wanted-anchors.ts';
export type { ItemFields, ItemStatus } from './work-item-text.ts';
export type { WorkItem } from './work-items.ts';

export {
  anchorsAt,
  holderStaleness,
  listPlans,
  type NamingPlan,
  planStaleness,
  plansAt,
  plansOf,
  type PlanSummary,
} from './plan-lists.ts';
export type { PastIndexTask } from './past-index.ts';
