import { z } from '@hono/zod-openapi';
import { body, describeRoutes, json } from '../platform/web.ts';
import {
  ItemDetail,
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

const route = describeRoutes('Plans');
const Slug = z.object({ slug: z.string().describe('Slug or id') });
const Handle = z.object({ id: z.string().describe('wi:12 or 12') });

const ONE = '/plans/{slug}';
const ITEM = '/work-items/{id}';

export const planDescriptions = {
  list: route('get', '/plans', 'The plans of the product, by slug, each with its staleness', {
    answers: { 200: json(z.object({ plans: z.array(PlanBody), next: z.null() }), 'All plans') },
  }),
  add: route(
    'post',
    '/plans',
    'Save a text as a plan, or a draft from a theme; saving the same text again changes nothing',
    {
      body: body(NewPlanBody),
      answers: { 200: json(SavedPlanBody, 'Saved') },
    },
  ),
  unlink: route('delete', `${ONE}/themes/{theme}`, 'Unlink a plan from a theme that it answers', {
    params: Slug.extend({ theme: z.string().describe('Id or label') }),
  }),
  find: route('get', ONE, 'One plan with its text, work items, anchors and versions', {
    params: Slug,
    answers: { 200: json(PlanDetail, 'The plan') },
  }),
  save: route('put', ONE, 'Save a new version of a plan', {
    params: Slug,
    body: body(PlanTextBody),
    answers: { 200: json(SavedPlanBody, 'Saved') },
  }),
  status: route('patch', ONE, 'Change the status of a plan', {
    params: Slug,
    body: body(PlanStatusBody),
    answers: { 200: json(PlanDetail, 'The plan') },
  }),
  accept: route('post', `${ONE}/accept`, 'Accept the code as it is now, which moves the baseline of all anchors', {
    params: Slug,
    answers: { 200: json(PlanDetail, 'The plan') },
  }),
  remove: route('delete', ONE, 'Delete a plan with its versions and work items', { params: Slug }),
};

/** Versions of plans, and work items. */
export const itemDescriptions = {
  version: route('get', `${ONE}/versions/{version}`, 'The text of an earlier version', {
    params: Slug.extend({ version: z.coerce.number().int().min(1) }),
    answers: { 200: json(z.object({ version: z.int(), text: z.string() }), 'The text') },
  }),
  items: route('get', '/work-items', 'Work items over all plans, by plan and in its order', {
    query: ItemFilter,
    answers: { 200: json(ItemListBody, 'One page') },
  }),
  item: route('get', ITEM, 'One work item', { params: Handle, answers: { 200: json(ItemDetail, 'The work item') } }),
  editItem: route(
    'patch',
    ITEM,
    'Change fields of a work item; the change holds until the text of its plan changes them',
    { params: Handle, body: body(ItemChangeBody), answers: { 200: json(ItemDetail, 'The work item') } },
  ),
};
