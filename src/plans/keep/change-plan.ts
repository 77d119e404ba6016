import type { Tenant } from '../../kernel/tenant.ts';
import { type Actor, recordAudit } from '../../accounts/accounts.ts';
import { deleteLinks } from '../../signals/links/links.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { lookupsOf } from '../../anchors/lookups/lookups.ts';
import type { Plans } from './context.ts';
import { refreshItems } from './save-items.ts';
import { indexPlan, unindexPlan } from '../store/plan-search.ts';
import { acceptAnchors } from '../../anchors/anchors.ts';
import { deletePlan, type PlanRow, selectPlan, updatePlan } from '../store/store.ts';
import type { PlanStatus } from '../text/plan-status.ts';
import { deleteAnchors, replaceAnchors, selectAnchors } from '../../anchors/store/store.ts';
import { selectItemByNumber, selectItems, upsertItem } from '../store/store-items.ts';
import { collectCandidates } from '../../anchors/mentions/mentions.ts';
import type { ItemFields } from '../text/work-item-text.ts';
import { itemsNow, type WorkItem } from '../store/work-items.ts';

/**
 * The plan with this slug, `plan:slug` or id.
 *
 * @throws ServiceError `unknown_id` when the product has none.
 */
export async function findPlan({ db }: Pick<Plans, 'db'>, tenant: Tenant, slugOrId: string): Promise<PlanRow> {
  const row = await selectPlan(db, tenant, slugOrId.replace(/^plan:/, ''));
  if (row !== undefined) return row;
  throw new ServiceError('unknown_id', `There is no plan "${slugOrId.slice(0, 100)}" in this product.`, {
    fix: 'List the plans with spec-export-tool without plan, or with svc plan list.',
  });
}

/**
 * Moves the baseline of a plan to what the indexes hold now: what was moved is followed, what was changed is taken as it
 * is, what is gone is listed as unresolved. A draft or proposed plan becomes accepted. Twice is once.
 *
 * @throws ServiceError `unknown_id`.
 */
export async function acceptPlan(
  plans: Plans,
  tenant: Tenant,
  { slug, actor }: { slug: string; actor: Actor },
): Promise<PlanRow> {
  const row = await findPlan(plans, tenant, slug);
  const lookups = await lookupsOf(plans, tenant, row.repositoryId);
  const old = await selectAnchors(plans.db, tenant, { holder: 'plan', ids: [row.id] });
  const { mentions, sections } = await plans.texts.plan(row.text);
  const names = collectCandidates(mentions);
  const anchors = await acceptAnchors(plans, tenant, { anchors: old, names, lookups });
  const now = plans.now();
  const isOpen = row.status === 'draft' || row.status === 'proposed';
  const accepted: PlanRow = { ...row, status: isOpen ? 'accepted' : row.status, acceptedAt: now };
  await plans.db.transaction().execute(async (tx) => {
    const locked = await selectPlan(tx, tenant, row.id, { lock: true });
    if (locked?.version !== row.version) throw changedMeanwhile(row.slug);
    await updatePlan(tx, tenant, accepted);
    await replaceAnchors(tx, tenant, { holder: 'plan', id: row.id }, anchors);
    await indexPlan(tx, tenant, { row: accepted, sections });
    const detail = { slug: row.slug, version: row.version };
    const { accountId } = tenant;
    await recordAudit(tx, { accountId, actor, action: 'plan.accept', target: row.id, at: now, detail });
  });
  return accepted;
}

/** Gives a plan another status, whatever its text says; a later version that says something new wins again. */
export async function setPlanStatus(
  plans: Plans,
  tenant: Tenant,
  { slug, status, actor }: { slug: string; status: PlanStatus; actor: Actor },
): Promise<PlanRow> {
  const at = plans.now();
  const { id } = await findPlan(plans, tenant, slug);
  return plans.db.transaction().execute(async (tx) => {
    const row = await selectPlan(tx, tenant, id, { lock: true });
    if (row === undefined) throw changedMeanwhile(slug);
    const changed = { ...row, status };
    const { sections } = await plans.texts.plan(row.text);
    await updatePlan(tx, tenant, changed);
    await indexPlan(tx, tenant, { row: changed, sections });
    const { accountId } = tenant;
    const detail = { slug: row.slug, status };
    await recordAudit(tx, { accountId, actor, action: 'plan.status', target: id, at, detail });
    return changed;
  });
}

/** Removes a plan with its versions, items and anchors. One that is stored in a repository comes back with the next index run. */
export async function removePlan(
  plans: Plans,
  tenant: Tenant,
  { slug, actor }: { slug: string; actor: Actor },
): Promise<void> {
  const row = await findPlan(plans, tenant, slug);
  const at = plans.now();
  await plans.db.transaction().execute(async (tx) => {
    await deleteAnchors(tx, tenant, { holder: 'plan', id: row.id });
    await deletePlan(tx, tenant, row.id);
    await unindexPlan(tx, tenant, row.slug);
    await deleteLinks(tx, tenant, { target: `plan:${row.slug}` });
    const { accountId } = tenant;
    await recordAudit(tx, { accountId, actor, action: 'plan.delete', target: row.id, at, detail: { slug: row.slug } });
  });
}

/** Items of plans in their order, without those that the text names no more. */
export async function itemsOfPlans(plans: Plans, tenant: Tenant, planIds: readonly string[]): Promise<WorkItem[]> {
  await refreshItems(plans, tenant, planIds);
  return itemsNow(await selectItems(plans.db, tenant, planIds));
}

/**
 * The work item of a handle, `wi:12` or `12`.
 *
 * @throws ServiceError `unknown_id`.
 */
export async function findItem({ db }: Pick<Plans, 'db'>, tenant: Tenant, handle: string): Promise<WorkItem> {
  const number = Number(/^(?:wi:)?(\d{1,9})$/.exec(handle)?.[1] ?? 0);
  const row = await selectItemByNumber(db, tenant, number);
  const items = row === undefined ? [] : itemsNow(await selectItems(db, tenant, [row.planId]));
  const item = items.find((own) => own.number === number);
  if (item !== undefined) return item;
  throw unknownItem(handle);
}

function unknownItem(handle: string): ServiceError {
  return new ServiceError('unknown_id', `There is no work item "${handle.slice(0, 40)}" in this product.`, {
    fix: 'Use a handle such as wi:12; list them with svc work-item list.',
  });
}

/**
 * Changes fields of a work item. They stay until the text of the plan says something new about the same field.
 *
 * @throws ServiceError `unknown_id`; `bad_argument` when it would depend on an item that its plan does not have, or on
 * itself.
 */
export async function editItem(
  plans: Plans,
  tenant: Tenant,
  { handle, change, actor }: { handle: string; change: Partial<ItemFields>; actor: Actor },
): Promise<WorkItem> {
  const { number, planId, key } = await findItem(plans, tenant, handle);
  const at = plans.now();
  return plans.db.transaction().execute(async (tx) => {
    const row = await selectItemByNumber(tx, tenant, number, { lock: true });
    const siblings = itemsNow(await selectItems(tx, tenant, [planId]));
    const strange = (change.depends ?? []).find((name) => name === key || !siblings.some((item) => item.key === name));
    if (strange !== undefined) {
      throw new ServiceError('bad_argument', `${key} cannot depend on ${strange}.`, {
        fix: 'Use other items of the same plan, for example T2.',
      });
    }
    if (row === undefined) throw unknownItem(handle);
    await upsertItem(tx, tenant, { ...row, edited: { ...row.edited, ...change }, updatedAt: at });
    const { accountId } = tenant;
    const detail = { item: `wi:${number}`, fields: Object.keys(change) };
    await recordAudit(tx, { accountId, actor, action: 'work_item.edit', target: planId, at, detail });
    return findItem({ db: tx }, tenant, handle);
  });
}

function changedMeanwhile(slug: string): ServiceError {
  return new ServiceError('conflict', `The plan "${slug}" has been changed by somebody else since.`, {
    fix: 'Read it again and repeat the call.',
  });
}
