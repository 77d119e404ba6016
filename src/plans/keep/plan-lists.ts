import type { Tenant } from '../../kernel/tenant.ts';
import { itemsOfPlans } from './change-plan.ts';
import type { Plans } from './context.ts';
import { anchorsAt, currentAnchors, holderStaleness, type Staleness, stalenessOf } from '../../anchors/anchors.ts';
import { type PlanRow, selectPlans } from '../store/store.ts';
import type { AnchorRow } from '../../anchors/store/store.ts';
import type { WorkItem } from '../store/work-items.ts';

/** A plan as lists show it. */
export interface PlanSummary {
  row: PlanRow;
  /** Undefined for a plan that names nothing that is indexed. */
  staleness: Staleness | undefined;
  items: WorkItem[];
  /** Files and symbols that it names, in their current state. */
  anchors: AnchorRow[];
}

/** All plans of the product by slug, at most 1,000, with how stale they are now. */
export async function listPlans(plans: Plans, tenant: Tenant): Promise<PlanSummary[]> {
  const rows = await selectPlans(plans.db, tenant);
  const ids = rows.map(({ id }) => id);
  const items = Map.groupBy(await itemsOfPlans(plans, tenant, ids), ({ planId }) => planId);
  const anchors = Map.groupBy(await currentAnchors(plans, tenant, { holder: 'plan', ids }), ({ id }) => id);
  return rows.map((row) => {
    const own = anchors.get(row.id) ?? [];
    return { row, staleness: stalenessOf(own), items: items.get(row.id) ?? [], anchors: own };
  });
}

/**
 * Returns the current staleness of these plans, by the handle that was given (`plan:slug`, or the slug alone). Plans that are
 * unknown or name nothing that is indexed are absent. Two queries of the database until the next index run, whatever the number
 * of plans.
 */
export async function planStaleness(
  plans: Plans,
  tenant: Tenant,
  handles: readonly string[],
): Promise<Map<string, Staleness>> {
  const handleBySlug = new Map(handles.map((handle) => [handle.replace(/^plan:/, ''), handle]));
  const rows = (await selectPlans(plans.db, tenant)).filter(({ slug }) => handleBySlug.has(slug));
  const byId = await holderStaleness(
    plans,
    tenant,
    'plan',
    rows.map(({ id }) => id),
  );
  return new Map(
    rows.flatMap(({ id, slug }) => {
      const staleness = byId.get(id);
      return staleness === undefined ? [] : [[handleBySlug.get(slug) ?? slug, staleness] as const];
    }),
  );
}

/** A plan that names a file or symbol. */
interface NamingPlan {
  /** `plan:slug`. */
  handle: string;
  title: string;
  status: PlanRow['status'];
  /** As answers show it. */
  stale: string | undefined;
  updatedAt: Date;
  /** The anchors that name it. */
  anchors: AnchorRow[];
}

/**
 * Plans that name each of these files, or symbols (`Class/method`) of them, by the names that these have now or had when the plan
 * was written. A plan that names the whole file names its symbols too; one that names a symbol names the file. One query for each
 * place, and two more when there are any plans.
 */
export async function plansAt(
  plans: Plans,
  tenant: Tenant,
  places: readonly { path: string; symbol?: string | undefined }[],
): Promise<NamingPlan[][]> {
  const anchorLists = await Promise.all(places.map(({ path, symbol }) => anchorsAt(plans, tenant, path, symbol)));
  const anchors = anchorLists.map((each) => each.filter(({ holder }) => holder === 'plan'));
  const ids = new Set(anchors.flat().map(({ id }) => id));
  if (ids.size === 0) return places.map(() => []);
  const rows = (await selectPlans(plans.db, tenant)).filter(({ id }) => ids.has(id));
  const staleness = await holderStaleness(plans, tenant, 'plan', [...ids]);
  return anchors.map((own) => {
    const byPlan = Map.groupBy(own, ({ id }) => id);
    return rows.flatMap(({ id, slug, title, status, updatedAt }) => {
      const naming = byPlan.get(id);
      const stale = staleness.get(id)?.label;
      return naming === undefined ? [] : [{ handle: `plan:${slug}`, title, status, stale, updatedAt, anchors: naming }];
    });
  });
}
