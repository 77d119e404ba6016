import { createRoute, z } from '@hono/zod-openapi';
import { failures } from '../platform/web.ts';
import {
  ItemBody,
  ItemChangeBody,
  NewPlanBody,
  PlanBody,
  PlanDetail,
  PlanStatusBody,
  PlanTextBody,
  SavedPlanBody,
} from './keep/plan-bodies.ts';

const TAGS = ['Plans'];
const Slug = z.object({ slug: z.string().describe('Slug or id') });
const Handle = z.object({ id: z.string().describe('wi:12 or 12') });

function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } };
}

function body<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } };
}

/** The routes of plans below `base`. */
export function planRoutes(base: string) {
  const [plans, one] = [`${base}/plans`, `${base}/plans/{slug}`];
  return {
    list: createRoute({
      method: 'get',
      path: plans,
      tags: TAGS,
      summary: 'The plans of the product, by slug, with how stale they are',
      responses: { 200: json(z.object({ plans: z.array(PlanBody), next: z.null() }), 'All plans'), ...failures },
    }),
    add: createRoute({
      method: 'post',
      path: plans,
      tags: TAGS,
      summary: 'Save a text as a plan; the same text again changes nothing',
      request: { body: body(NewPlanBody) },
      responses: { 200: json(SavedPlanBody, 'Saved'), ...failures },
    }),
    find: createRoute({
      method: 'get',
      path: one,
      tags: TAGS,
      summary: 'One plan with its text, work items, anchors and versions',
      request: { params: Slug },
      responses: { 200: json(PlanDetail, 'The plan'), ...failures },
    }),
    save: createRoute({
      method: 'put',
      path: one,
      tags: TAGS,
      summary: 'Save a new version of a plan',
      request: { params: Slug, body: body(PlanTextBody) },
      responses: { 200: json(SavedPlanBody, 'Saved'), ...failures },
    }),
    status: createRoute({
      method: 'patch',
      path: one,
      tags: TAGS,
      summary: 'Give a plan another status',
      request: { params: Slug, body: body(PlanStatusBody) },
      responses: { 200: json(PlanDetail, 'The plan'), ...failures },
    }),
    accept: createRoute({
      method: 'post',
      path: `${one}/accept`,
      tags: TAGS,
      summary: 'Accept the code as it is now: moves the baseline of all anchors',
      request: { params: Slug },
      responses: { 200: json(PlanDetail, 'The plan'), ...failures },
    }),
    remove: createRoute({
      method: 'delete',
      path: one,
      tags: TAGS,
      summary: 'Delete a plan with its versions and work items',
      request: { params: Slug },
      responses: { 204: { description: 'Deleted' }, ...failures },
    }),
  };
}

/** The routes of versions and work items below `base`. */
export function itemRoutes(base: string) {
  const item = `${base}/work-items/{id}`;
  return {
    version: createRoute({
      method: 'get',
      path: `${base}/plans/{slug}/versions/{version}`,
      tags: TAGS,
      summary: 'The text of an earlier version',
      request: { params: Slug.extend({ version: z.coerce.number().int().min(1) }) },
      responses: { 200: json(z.object({ version: z.int(), text: z.string() }), 'The text'), ...failures },
    }),
    item: createRoute({
      method: 'get',
      path: item,
      tags: TAGS,
      summary: 'One work item',
      request: { params: Handle },
      responses: { 200: json(ItemBody, 'The work item'), ...failures },
    }),
    editItem: createRoute({
      method: 'patch',
      path: item,
      tags: TAGS,
      summary: 'Change fields of a work item, until the text of its plan says something new about them',
      request: { params: Handle, body: body(ItemChangeBody) },
      responses: { 200: json(ItemBody, 'The work item'), ...failures },
    }),
  };
}
