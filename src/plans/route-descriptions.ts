import { createRoute, z } from '@hono/zod-openapi';
import { body, done, failures, json } from '../platform/web.ts';
import {
  ItemBody,
  ItemChangeBody,
  ItemFilter,
  ItemListBody,
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

const ONE = '/plans/{slug}';
const ITEM = '/work-items/{id}';

export const planDescriptions = {
  list: createRoute({
    method: 'get',
    path: '/plans',
    tags: TAGS,
    summary: 'The plans of the product, by slug, each with its staleness',
    responses: { 200: json(z.object({ plans: z.array(PlanBody), next: z.null() }), 'All plans'), ...failures },
  }),
  add: createRoute({
    method: 'post',
    path: '/plans',
    tags: TAGS,
    summary: 'Save a text as a plan; saving the same text again changes nothing',
    request: { body: body(NewPlanBody) },
    responses: { 200: json(SavedPlanBody, 'Saved'), ...failures },
  }),
  find: createRoute({
    method: 'get',
    path: ONE,
    tags: TAGS,
    summary: 'One plan with its text, work items, anchors and versions',
    request: { params: Slug },
    responses: { 200: json(PlanDetail, 'The plan'), ...failures },
  }),
  save: createRoute({
    method: 'put',
    path: ONE,
    tags: TAGS,
    summary: 'Save a new version of a plan',
    request: { params: Slug, body: body(PlanTextBody) },
    responses: { 200: json(SavedPlanBody, 'Saved'), ...failures },
  }),
  status: createRoute({
    method: 'patch',
    path: ONE,
    tags: TAGS,
    summary: 'Change the status of a plan',
    request: { params: Slug, body: body(PlanStatusBody) },
    responses: { 200: json(PlanDetail, 'The plan'), ...failures },
  }),
  accept: createRoute({
    method: 'post',
    path: `${ONE}/accept`,
    tags: TAGS,
    summary: 'Accept the code as it is now, which moves the baseline of all anchors',
    request: { params: Slug },
    responses: { 200: json(PlanDetail, 'The plan'), ...failures },
  }),
  remove: createRoute({
    method: 'delete',
    path: ONE,
    tags: TAGS,
    summary: 'Delete a plan with its versions and work items',
    request: { params: Slug },
    responses: done,
  }),
};

/** Versions of plans, and work items. */
export const itemDescriptions = {
  version: createRoute({
    method: 'get',
    path: `${ONE}/versions/{version}`,
    tags: TAGS,
    summary: 'The text of an earlier version',
    request: { params: Slug.extend({ version: z.coerce.number().int().min(1) }) },
    responses: { 200: json(z.object({ version: z.int(), text: z.string() }), 'The text'), ...failures },
  }),
  items: createRoute({
    method: 'get',
    path: '/work-items',
    tags: TAGS,
    summary: 'Work items over all plans, by plan and in its order',
    request: { query: ItemFilter },
    responses: { 200: json(ItemListBody, 'One page'), ...failures },
  }),
  item: createRoute({
    method: 'get',
    path: ITEM,
    tags: TAGS,
    summary: 'One work item',
    request: { params: Handle },
    responses: { 200: json(ItemBody, 'The work item'), ...failures },
  }),
  editItem: createRoute({
    method: 'patch',
    path: ITEM,
    tags: TAGS,
    summary: 'Change fields of a work item; the change holds until the text of its plan changes them',
    request: { params: Handle, body: body(ItemChangeBody) },
    responses: { 200: json(ItemBody, 'The work item'), ...failures },
  }),
};
