import type { z } from '@hono/zod-openapi';
import type { Tenant } from '../../kernel/tenant.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { decodeCursor, encodeCursor } from '../../kernel/page.ts';
import { selectPlans } from '../store/store.ts';
import { currentAnchors } from '../../anchors/anchors.ts';
import type { AnchorRow } from '../../anchors/store/store.ts';
import { isOpen, keysBefore, type WorkItem } from '../store/work-items.ts';
import { ITEM_STATUSES, type ItemStatus } from '../text/work-item-text.ts';
import { findPlan, itemsOfPlans } from './change-plan.ts';
import type { Plans } from './context.ts';
import { itemBody, type ItemFilter, type ItemListBody, type ListedItemBody } from './plan-bodies.ts';

type Filter = z.output<typeof ItemFilter>;
type ListedItem = z.output<typeof ListedItemBody>;

/**
 * Work items over all plans of the product, by slug of the plan and in its order. A few queries of the database,
 * whatever the filter.
 *
 * @throws ServiceError `unknown_id` for an unknown plan; `bad_argument` for an unknown status or a cursor of another list.
 */
export async function listWorkItems(
  plans: Plans,
  tenant: Tenant,
  { limit, cursor, ...filter }: Filter,
): Promise<z.output<typeof ItemListBody>> {
  const binding = { arguments: filter, generation: tenant.productId };
  const offset = decodeCursor(binding, cursor);
  const matches = matchesFilter(filter);
  const rows =
    filter.plan === undefined ? await selectPlans(plans.db, tenant) : [await findPlan(plans, tenant, filter.plan)];
  const ids = rows.map(({ id }) => id);
  const byPlan = Map.groupBy(await itemsOfPlans(plans, tenant, ids), ({ planId }) => planId);
  const anchors = Map.groupBy(await currentAnchors(plans, tenant, { holder: 'plan', ids }), ({ id }) => id);
  const listed = rows
    .flatMap(({ id, slug }) => listedItems(slug, byPlan.get(id) ?? [], anchors.get(id) ?? []))
    .filter(matches);
  const page = listed.slice(offset, offset + limit);
  const end = offset + page.length;
  return {
    work_items: page,
    total: listed.length,
    next: end < listed.length ? encodeCursor(binding, end) : null,
  };
}

/** All items of a plan, each with what it waits for and how stale it is by the anchors of the plan. */
export function listedItems(slug: string, items: readonly WorkItem[], anchors: readonly AnchorRow[]): ListedItem[] {
  const byKey = new Map(items.map((item) => [item.key, item]));
  const before = keysBefore(items);
  return items.map((item) => {
    const open = (before.get(item.key) ?? []).flatMap((key) => byKey.get(key) ?? []).filter(isOpen);
    const waitsFor = open.map(({ number }) => `wi:${number}`);
    return { ...itemBody(item, anchors), plan: `plan:${slug}`, waits_for: waitsFor };
  });
}

function matchesFilter({ status, assignee, priority, ready }: Omit<Filter, 'limit' | 'cursor'>) {
  const statuses = status === undefined ? undefined : status.split(',').map(statusOf);
  return (item: ListedItem): boolean =>
    (statuses === undefined || statuses.includes(item.status)) &&
    (assignee === undefined || item.assignee === assignee.trim()) &&
    (priority === undefined || item.priority === priority) &&
    (ready === undefined || ready === (item.status === 'todo' && item.waits_for.length === 0));
}

function statusOf(word: string): ItemStatus {
  const named = ITEM_STATUSES.find((status) => status === word.trim());
  if (named !== undefined) return named;
  throw new ServiceError('bad_argument', `A work item cannot have the status "${word.slice(0, 40)}".`, {
    fix: `Use one or more of: ${ITEM_STATUSES.join(', ')}.`,
  });
}
