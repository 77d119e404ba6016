import type { z } from '@hono/zod-openapi';
import type { Tenant } from '../kernel/tenant.ts';
import { ServiceError } from '../kernel/errors.ts';
import { slugOf } from '../kernel/slug.ts';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, newRoutes, type Routes, type SliceRoutes } from '../platform/web.ts';
import {
  acceptPlan,
  editItem,
  findItem,
  findPlan,
  itemsOfPlans,
  removePlan,
  setPlanStatus,
} from './keep/change-plan.ts';
import type { Plans } from './keep/context.ts';
import { itemBody, type ItemDetail, planBody, type PlanDetail, versionBody } from './keep/plan-bodies.ts';
import { itemDescriptions, planDescriptions } from './route-descriptions.ts';
import { listPlans } from './keep/plan-lists.ts';
import { currentAnchors, anchorBody, stalenessOf } from '../anchors/anchors.ts';
import { savePlan } from './keep/save-plan.ts';
import { planTextOfTheme } from './keep/theme-plan.ts';
import { askersBody, deleteLinks, findAskers, linkTheme, themeNamedBy } from '../signals/links/links.ts';
import { describeTheme } from '../signals/signals.ts';
import { listWorkItems } from './keep/work-item-list.ts';
import { type PlanRow, selectPlan, selectVersions, selectVersionText } from './store/store.ts';
import type { WorkItem } from './store/work-items.ts';
import type { ItemFields } from './text/work-item-text.ts';

/** To write plans, report on work items, and accept baselines. */
const WRITE: Right = { scope: 'plans:write', role: 'member' };
/** A key that writes plans cannot take one away with its history. */
const REMOVE: Right = { scope: 'owner', role: 'member' };

/** Plans and work items. */
export function planRoutes(plans: Plans): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(planDescriptions.list, async (c) => {
    const listed = await listPlans(plans, authorize(c, READ));
    return c.json(
      { plans: listed.map(({ row, staleness, items }) => planBody(row, staleness, items)), next: null },
      200,
    );
  });
  routes.openapi(planDescriptions.add, async (c) => {
    const request = authorize(c, WRITE);
    const { text, slug, theme } = c.req.valid('json');
    const themeId = theme === undefined ? undefined : await themeNamedBy(plans.db, request, theme);
    const given = text ?? (await draftText(plans, request, { slug, themeId }));
    const draft = { text: given, actor: request.actor, ...(slug !== undefined && { slug }) };
    const { row, outcome } = await savePlan(plans, request, draft);
    if (themeId !== undefined)
      await linkTheme(plans.db, request, {
        theme: themeId,
        target: `plan:${row.slug}`,
        title: row.title,
        now: plans.now(),
      });
    return c.json({ outcome, plan: await detailOf(plans, request, row) }, 200);
  });
  routes.openapi(planDescriptions.find, async (c) => {
    const request = authorize(c, READ);
    const row = await findPlan(plans, request, c.req.valid('param').slug);
    return c.json(await detailOf(plans, request, row), 200);
  });
  routes.openapi(planDescriptions.save, async (c) => {
    const request = authorize(c, WRITE);
    const { slug } = await findPlan(plans, request, c.req.valid('param').slug);
    const { text, base_version: baseVersion } = c.req.valid('json');
    const draft = { text, slug, actor: request.actor, ...(baseVersion !== undefined && { baseVersion }) };
    const { row, outcome } = await savePlan(plans, request, draft);
    return c.json({ outcome, plan: await detailOf(plans, request, row) }, 200);
  });
  routes.openapi(planDescriptions.status, async (c) => {
    const request = authorize(c, WRITE);
    const change = { slug: c.req.valid('param').slug, status: c.req.valid('json').status, actor: request.actor };
    return c.json(await detailOf(plans, request, await setPlanStatus(plans, request, change)), 200);
  });
  routes.openapi(planDescriptions.accept, async (c) => {
    const request = authorize(c, WRITE);
    const accepted = await acceptPlan(plans, request, { slug: c.req.valid('param').slug, actor: request.actor });
    return c.json(await detailOf(plans, request, accepted), 200);
  });
  routes.openapi(planDescriptions.remove, async (c) => {
    const request = authorize(c, REMOVE);
    await removePlan(plans, request, { slug: c.req.valid('param').slug, actor: request.actor });
    return c.body(null, 204);
  });
  addItemRoutes(routes, plans);
  return { routes, v1: '/', app: '/' };
}

function addItemRoutes(routes: Routes, plans: Plans): void {
  routes.openapi(planDescriptions.unlink, async (c) => {
    const request = authorize(c, WRITE);
    const { slug, theme } = c.req.valid('param');
    const target = `plan:${(await findPlan(plans, request, slug)).slug}`;
    const themeId = await themeNamedBy(plans.db, request, theme);
    if (!(await deleteLinks(plans.db, request, { target, themeId })))
      throw new ServiceError('unknown_id', `The theme ${theme} is not linked to ${target}.`, {
        fix: 'GET plans/{slug} lists the themes under asked_by.',
      });
    return c.body(null, 204);
  });
  routes.openapi(itemDescriptions.version, async (c) => {
    const request = authorize(c, READ);
    const { slug, version } = c.req.valid('param');
    const { id } = await findPlan(plans, request, slug);
    const text = await selectVersionText(plans.db, request, { planId: id, version });
    if (text === undefined) {
      throw new ServiceError('unknown_id', `The plan "${slug}" has no version ${version}.`, {
        fix: 'GET plans/{slug} lists its versions.',
      });
    }
    return c.json({ version, text }, 200);
  });
  routes.openapi(itemDescriptions.items, async (c) => {
    return c.json(await listWorkItems(plans, authorize(c, READ), c.req.valid('query')), 200);
  });
  routes.openapi(itemDescriptions.item, async (c) => {
    const request = authorize(c, READ);
    return c.json(await itemNow(plans, request, await findItem(plans, request, c.req.valid('param').id)), 200);
  });
  routes.openapi(itemDescriptions.editItem, async (c) => {
    const request = authorize(c, WRITE);
    const given = Object.entries(c.req.valid('json')).filter(([, value]) => value !== undefined);
    const change = Object.fromEntries(given) as Partial<ItemFields>;
    const edit = { handle: c.req.valid('param').id, change, actor: request.actor };
    return c.json(await itemNow(plans, request, await editItem(plans, request, edit)), 200);
  });
}

/**
 * The text of the plan of a theme: of the one that is there, else a draft.
 *
 * @throws ServiceError `bad_argument` without a theme.
 */
async function draftText(
  plans: Plans,
  tenant: Tenant,
  { slug, themeId }: { slug: string | undefined; themeId: string | undefined },
): Promise<string> {
  if (themeId === undefined)
    throw new ServiceError('bad_argument', 'The request has neither a text nor a theme.', {
      fix: 'Send "text", or "theme" for a draft.',
    });
  const detail = await describeTheme(plans, tenant, themeId);
  const existing = await selectPlan(plans.db, tenant, slug ?? slugOf(detail.theme.label));
  return existing?.text ?? planTextOfTheme(detail);
}

/** One item as its plan has it now. */
async function itemNow(
  plans: Plans,
  tenant: Tenant,
  { planId, number }: Pick<WorkItem, 'planId' | 'number'>,
): Promise<z.output<typeof ItemDetail>> {
  const items = await itemsOfPlans(plans, tenant, [planId]);
  const item = items.find((other) => other.number === number);
  if (item === undefined)
    throw new ServiceError('unknown_id', `The work item wi:${number} was removed.`, {
      fix: 'List the work items again.',
    });
  const { slug } = await findPlan(plans, tenant, planId);
  const askers = await findAskers(plans.db, tenant, [`plan:${slug}`]);
  const anchors = await currentAnchors(plans, tenant, { holder: 'plan', ids: [planId] });
  return { ...itemBody(item, anchors), asked_by: askersBody(askers) };
}

async function detailOf(plans: Plans, tenant: Tenant, row: PlanRow): Promise<z.output<typeof PlanDetail>> {
  const anchors = await currentAnchors(plans, tenant, { holder: 'plan', ids: [row.id] });
  const items = await itemsOfPlans(plans, tenant, [row.id]);
  const versions = await selectVersions(plans.db, tenant, row.id);
  return {
    ...planBody(row, stalenessOf(anchors), items),
    text: row.text,
    requirements: row.requirements,
    work_items: items.map((item) => itemBody(item, anchors)),
    anchors: anchors.map(anchorBody),
    versions: versions.map(versionBody),
    asked_by: askersBody(await findAskers(plans.db, tenant, [`plan:${row.slug}`])),
  };
}
