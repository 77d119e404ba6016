import { z } from '@hono/zod-openapi';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type SliceRoutes } from '../platform/web.ts';
import { listTrackers } from './connections.ts';
import type { Trackers } from './context.ts';
import { previewIssues } from './send-issue.ts';
import { sendIssues, type SendResult } from './send-issues.ts';
import {
  issueBody,
  PlanPreviewBody,
  SendIssuesBody,
  SentIssuesBody,
  trackerBody,
  TrackerListBody,
} from './tracker-bodies.ts';

const route = describeRoutes('Trackers');
const Slug = z.object({ slug: z.string() });
const WRITE: Right = { scope: 'owner', role: 'member' };

const listRoute = route('get', '/trackers', 'Issue trackers that are connected to the product, without their tokens', {
  answers: { 200: json(TrackerListBody, 'All trackers, oldest first') },
});

const previewRoute = route(
  'get',
  '/plans/{slug}/issue-previews',
  'The exact titles and texts that sending the work items of a plan would transmit',
  {
    params: Slug,
    query: z.object({ tracker: z.string().describe('Id of a tracker') }),
    answers: {
      200: json(PlanPreviewBody, 'Items that are open or have an issue, in the order of the plan; nothing was sent'),
    },
  },
);

const sendRoute = route(
  'post',
  '/issues',
  'Make issues from several work items, one after the other; sending them again makes what is missing',
  { body: body(SendIssuesBody), answers: { 200: json(SentIssuesBody, 'What became of each, in their order') } },
);

/** Many work items at a time. With the token of the owner, and so from the command line, too; API keys write into no tracker. */
export function bulkIssueRoutes(trackers: Trackers): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(listRoute, async (c) => {
    const tenant = authorize(c, READ);
    const rows = await listTrackers(trackers, tenant);
    return c.json({ trackers: rows.map((row) => trackerBody(tenant, row)) }, 200);
  });
  routes.openapi(previewRoute, async (c) => {
    const request = { slug: c.req.valid('param').slug, trackerId: c.req.valid('query').tracker };
    const previews = await previewIssues(trackers, authorize(c, READ), request);
    const items = previews.map(({ item, preview: { title, body: text, digest, existing } }) => ({
      item: `wi:${item.number}`,
      key: item.key,
      title,
      body: text,
      digest,
      existing: existing === undefined ? null : issueBody(item, existing),
    }));
    return c.json({ items }, 200);
  });
  routes.openapi(sendRoute, async (c) => {
    const request = authorize(c, WRITE);
    const { tracker: trackerId, items, ...fields } = c.req.valid('json');
    const previewed = items.map(({ item: handle, digest }) => ({ handle, digest }));
    const results = await sendIssues(trackers, request, { trackerId, wanted: previewed, fields });
    return c.json({ results: results.map(resultBody) }, 200);
  });
  return { routes, v1: '/', app: '/' };
}

function resultBody(result: SendResult): z.output<typeof SentIssuesBody>['results'][number] {
  const { item } = result;
  const named = { item: `wi:${item.number}`, key: item.key };
  if ('fault' in result) {
    const { message, fix } = result.fault;
    return { ...named, outcome: null, issue: null, link_fault: null, fault: message, fix };
  }
  const { row, outcome, linkFault } = result.sent;
  return { ...named, outcome, issue: issueBody(item, row), link_fault: linkFault ?? null, fault: null, fix: null };
}
