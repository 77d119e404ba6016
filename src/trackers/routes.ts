import { z } from '@hono/zod-openapi';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type Routes, type SliceRoutes } from '../platform/web.ts';
import { findItem, findPlan, itemsOfPlans } from '../plans/plans.ts';
import { connectTracker, removeTracker } from './connections.ts';
import type { Trackers } from './context.ts';
import { refreshItem } from './refresh-issues.ts';
import { issueChoices, previewIssue, sendIssue, updateIssue } from './send-issue.ts';
import { selectIssues } from './store.ts';
import {
  IssueChoicesBody,
  IssueListBody,
  IssuePreviewBody,
  issueBody,
  NewTrackerBody,
  SendIssueBody,
  SentIssueBody,
  TrackerBody,
  trackerBody,
  UpdatedIssueBody,
} from './tracker-bodies.ts';

const route = describeRoutes('Trackers');
const Handle = z.object({ id: z.string().describe('wi:12 or 12') });

const WRITE: Right = { scope: 'owner', role: 'member' };
const MANAGE: Right = { scope: 'owner', role: 'admin' };

/**
 * Issue trackers of a product: everybody sees them and what was sent, members send work items, admins connect. Only in the
 * web application: no API key writes into a tracker.
 */
export function trackerRoutes(trackers: Trackers): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(connectRoute, async (c) => {
    const request = authorize(c, MANAGE);
    const { kind, project, token, ...given } = c.req.valid('json');
    const { base_url: baseUrl, user_name: userName, issue_type: issueType } = given;
    const row = await connectTracker(trackers, request, { kind, project, token, baseUrl, userName, issueType });
    return c.json(trackerBody(request, row), 201);
  });
  routes.openapi(removeRoute, async (c) => {
    await removeTracker(trackers, authorize(c, MANAGE), c.req.valid('param').id);
    return c.body(null, 204);
  });
  addIssueRoutes(routes, trackers);
  return { routes, app: '/' };
}

function addIssueRoutes(routes: Routes, trackers: Trackers): void {
  const { plans } = trackers;
  routes.openapi(planIssuesRoute, async (c) => {
    const request = authorize(c, READ);
    const { id: planId } = await findPlan(plans, request, c.req.valid('param').slug);
    const items = await itemsOfPlans(plans, request, [planId]);
    const rows = await selectIssues(plans.db, request, { planId });
    const issues = rows.flatMap((row) => {
      const item = items.find(({ key }) => key === row.itemKey);
      return item === undefined ? [] : [issueBody(item, row)];
    });
    return c.json({ issues }, 200);
  });
  routes.openapi(previewRoute, async (c) => {
    const request = authorize(c, READ);
    const { id: handle } = c.req.valid('param');
    const item = await findItem(plans, request, handle);
    const { title, digest, ...preview } = await previewIssue(trackers, request, {
      handle,
      trackerId: c.req.valid('query').tracker,
    });
    const existing = preview.existing === undefined ? null : issueBody(item, preview.existing);
    return c.json({ title, body: preview.body, digest, existing }, 200);
  });
  routes.openapi(sendRoute, async (c) => {
    const request = authorize(c, WRITE);
    const { id: handle } = c.req.valid('param');
    const { tracker: trackerId, digest, ...fields } = c.req.valid('json');
    const item = await findItem(plans, request, handle);
    const { row, outcome, linkFault } = await sendIssue(trackers, request, { handle, trackerId, digest, fields });
    return c.json({ outcome, issue: issueBody(item, row), link_fault: linkFault ?? null }, 200);
  });
  routes.openapi(updateRoute, async (c) => {
    const request = authorize(c, WRITE);
    const { id: handle } = c.req.valid('param');
    const { tracker: trackerId, digest, ...fields } = c.req.valid('json');
    const item = await findItem(plans, request, handle);
    const { row, linkFault } = await updateIssue(trackers, request, { handle, trackerId, digest, fields });
    return c.json({ issue: issueBody(item, row), link_fault: linkFault ?? null }, 200);
  });
  routes.openapi(choicesRoute, async (c) => {
    const request = authorize(c, WRITE);
    const choiceQuery = { handle: c.req.valid('param').id, trackerId: c.req.valid('query').tracker };
    const { assignee, ...choices } = await issueChoices(trackers, request, choiceQuery);
    return c.json({ ...choices, assignee: assignee ?? null }, 200);
  });
  routes.openapi(refreshRoute, async (c) => {
    const request = authorize(c, WRITE);
    const { id: handle } = c.req.valid('param');
    const item = await findItem(plans, request, handle);
    const rows = await refreshItem(trackers, request, handle);
    return c.json({ issues: rows.map((row) => issueBody(item, row)) }, 200);
  });
}

const connectRoute = route(
  'post',
  '/trackers',
  'Connect an issue tracker; connecting the same project again replaces its token and settings',
  {
    body: body(NewTrackerBody),
    answers: { 201: json(TrackerBody, 'Connected: the tracker accepts the token and knows the project') },
  },
);

const removeRoute = route('delete', '/trackers/{id}', 'Forget a tracker and its token; links to issues stay', {
  params: z.object({ id: z.string() }),
});

const planIssuesRoute = route(
  'get',
  '/plans/{slug}/issues',
  'Issues made from the work items of a plan, as last seen',
  { params: z.object({ slug: z.string() }), answers: { 200: json(IssueListBody, 'The complete list') } },
);

const previewRoute = route(
  'get',
  '/work-items/{id}/issue-preview',
  'The exact title and text that sending a work item would transmit',
  {
    params: Handle,
    query: z.object({ tracker: z.string().describe('Id of a tracker') }),
    answers: { 200: json(IssuePreviewBody, 'Nothing was sent') },
  },
);

const sendRoute = route(
  'post',
  '/work-items/{id}/issues',
  'Make an issue from a work item; sending it again returns the same issue',
  { params: Handle, body: body(SendIssueBody), answers: { 200: json(SentIssueBody, 'The issue') } },
);

const updateRoute = route(
  'put',
  '/work-items/{id}/issues',
  'Write the title and text of a work item into its issue as they are now',
  { params: Handle, body: body(SendIssueBody), answers: { 200: json(UpdatedIssueBody, 'The issue') } },
);

const choicesRoute = route(
  'get',
  '/work-items/{id}/issue-choices',
  'Labels, people and milestones that the tracker has for the issue of a work item',
  {
    params: Handle,
    query: z.object({ tracker: z.string().describe('Id of a tracker') }),
    answers: { 200: json(IssueChoicesBody, 'What can be chosen') },
  },
);

const refreshRoute = route(
  'post',
  '/work-items/{id}/issues/refresh',
  'Read the status of the issues of a work item from their trackers now',
  { params: Handle, answers: { 200: json(IssueListBody, 'The current states; `fault` says what could not be read') } },
);
