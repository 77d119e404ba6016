export {
  acceptAnchors,
  acceptPlan,
  editItem,
  findItem,
  findPlan,
  itemsOfPlans,
  removePlan,
  setPlanStatus,
} from './keep/change-plan.ts';
export { type Lookups, lookupsOf, type Plans } from '../anchors/lookups/lookups.ts';
export { type Mention, mentionOf } from '../anchors/mentions/mentions.ts';
export { PlanTexts } from './text/plan-texts.ts';
export { AnchorBody, anchorBody, StalenessBody, stalenessBody } from './keep/plan-bodies.ts';
export { type Staleness, stalenessOf } from '../anchors/staleness.ts';
export { anchorsOf, currentAnchors, retryUnresolved } from '../anchors/anchors.ts';
export { takePlans } from './keep/repository-plans.ts';
export { type PlanDraft, savePlan, slugOf } from './keep/save-plan.ts';
export type { ExportSources } from './export/gather.ts';
export { likeness } from './text/stable-ids.ts';
export { PLAN_STATUSES, type PlanRow, type PlanStatus, type Requirement } from './store/store.ts';
export {
  type AnchorRow,
  type AnchorStatus,
  deleteAnchors,
  type Holder,
  type HolderKind,
  replaceAnchors,
} from '../anchors/store/store.ts';
export { wantedAnchors, writtenAs } from '../anchors/mentions/wanted-anchors.ts';
export type { ItemFields, ItemStatus } from './text/work-item-text.ts';
export type { WorkItem } from './store/work-items.ts';

export {
  anchorsAt,
  holderStaleness,
  listPlans,
  type NamingPlan,
  planStaleness,
  plansAt,
  plansOf,
  type PlanSummary,
} from './keep/plan-lists.ts';
export type { PastIndexTask } from '../anchors/lookups/past-index.ts';
