import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Env } from 'hono';
import { ServiceError } from '../kernel/errors.ts';
import type { ProductScope } from '../repositories/repositories.ts';
import {
  acceptPlan,
  editItem,
  findItem,
  findPlan,
  itemsOfPlans,
  removePlan,
  setPlanStatus,
} from './keep/change-plan.ts';
import type { Plans } from './anchors/context.ts';
import { anchorBody, itemBody, planBody, type PlanDetail, versionBody } from './keep/plan-bodies.ts';
import { itemRoutes, planRoutes } from './route-descriptions.ts';
import { stalenessOf } from './anchors/plan-state.ts';
import { listPlans } from './keep/plan-lists.ts';
import type { PlanAccess } from './keep/product-access.ts';
import { currentAnchors } from './anchors/refresh.ts';
import { savePlan } from './keep/save-plan.ts';
import { type PlanRow, selectVersions, selectVersionText } from './store/store.ts';
import type { ItemFields } from './text/work-item-text.ts';

/** Adds the routes of plans and work items below `base` to a door, which says who may read and who may write. */
export function addPlanRoutes<E extends Env>(
  routes: OpenAPIHono<E>,
  base: string,
  access: PlanAccess<E>,
  plans: Plans,
): void {
  const known = planRoutes(base);
  routes.openapi(known.list, async (c) => {
    const listed = await listPlans(plans, await access.read(c));
    return c.json(
      { plans: listed.map(({ row, staleness, items }) => planBody(row, staleness, items)), next: null },
      200,
    );
  });
  routes.openapi(known.add, async (c) => {
    const request = await access.write(c);
    const { text, slug } = c.req.valid('json');
    const draft = { text, actor: request.actor, ...(slug !== undefined && { slug }) };
    const { row, outcome } = await savePlan(plans, request, draft);
    return c.json({ outcome, plan: await detailOf(plans, request, row) }, 200);
  });
  routes.openapi(known.find, async (c) => {
    const request = await access.read(c);
    const row = await findPlan(plans, request, c.req.valid('param').slug);
    return c.json(await detailOf(plans, request, row), 200);
  });
  routes.openapi(known.save, async (c) => {
    const request = await access.write(c);
    const { slug } = await findPlan(plans, request, c.req.valid('param').slug);
    const { text, base_version: baseVersion } = c.req.valid('json');
    const draft = { text, slug, actor: request.actor, ...(baseVersion !== undefined && { baseVersion }) };
    const { row, outcome } = await savePlan(plans, request, draft);
    return c.json({ outcome, plan: await detailOf(plans, request, row) }, 200);
  });
  routes.openapi(known.status, async (c) => {
    const request = await access.write(c);
    const change = { slug: c.req.valid('param').slug, status: c.req.valid('json').status, actor: request.actor };
    return c.json(await detailOf(plans, request, await setPlanStatus(plans, request, change)), 200);
  });
  routes.openapi(known.accept, async (c) => {
    const request = await access.write(c);
    const accepted = await acceptPlan(plans, request, { slug: c.req.valid('param').slug, actor: request.actor });
    return c.json(await detailOf(plans, request, accepted), 200);
  });
  routes.openapi(known.remove, async (c) => {
    const request = await access.write(c);
    await removePlan(plans, request, { slug: c.req.valid('param').slug, actor: request.actor });
    return c.body(null, 204);
  });
  addItemRoutes(routes, base, access, plans);
}

function addItemRoutes<E extends Env>(routes: OpenAPIHono<E>, base: string, access: PlanAccess<E>, plans: Plans): void {
  const known = itemRoutes(base);
  routes.openapi(known.version, async (c) => {
    const request = await access.read(c);
    const { slug, version } = c.req.valid('param');
    const { id } = await findPlan(plans, request, slug);
    const text = await selectVersionText(plans.db, request, { planId: id, version });
    if (text === undefined) {
      throw new ServiceError('unknown_id', `The plan "${slug}" has no version ${version}.`, {
        fix: 'Its versions stand in GET plans/{slug}.',
      });
    }
    return c.json({ version, text }, 200);
  });
  routes.openapi(known.item, async (c) => {
    const request = await access.read(c);
    return c.json(itemBody(await findItem(plans, request, c.req.valid('param').id)), 200);
  });
  routes.openapi(known.editItem, async (c) => {
    const request = await access.write(c);
    const given = Object.entries(c.req.valid('json')).filter(([, value]) => value !== undefined);
    const change = Object.fromEntries(given) as Partial<ItemFields>;
    const edit = { handle: c.req.valid('param').id, change, actor: request.actor };
    return c.json(itemBody(await editItem(plans, request, edit)), 200);
  });
}

async function detailOf(plans: Plans, scope: ProductScope, row: PlanRow): Promise<z.output<typeof PlanDetail>> {
  const anchors = await currentAnchors(plans, scope, { holder: 'plan', ids: [row.id] });
  const items = await itemsOfPlans(plans, scope, [row.id]);
  const versions = await selectVersions(plans.db, scope, row.id);
  return {
    ...planBody(row, stalenessOf(anchors), items),
    text: row.text,
    requirements: row.requirements,
    work_items: items.map(itemBody),
    anchors: anchors.map(anchorBody),
    versions: versions.map(versionBody),
  };
}
