import { z } from '@hono/zod-openapi';
import { Time } from '../platform/body-fields.ts';
import type { Decisions } from './context.ts';
import { anchorBody, AnchorBody, stalenessBody, StalenessBody } from '../anchors/anchors.ts';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type SliceRoutes } from '../platform/web.ts';
import { adrFile } from './adr.ts';
import { type DecisionSummary, findDecision, listDecisions, updateDecision } from './decisions.ts';
import { recordDecision } from './record.ts';
import { takeRecords } from './take-records.ts';
import { DECISION_STATUSES, GIVEN_STATUSES } from './store.ts';
import { bodyOfRow } from '../platform/row-body.ts';

const route = describeRoutes('Decisions');
const Handle = z.object({ id: z.string().describe('dec:12 or 12') });

const Option = z.object({ name: z.string(), pros: z.array(z.string()), cons: z.array(z.string()) });

export const DecisionBody = z.object({
  id: z.string().describe('Handle: dec:12'),
  number: z.int(),
  slug: z.string(),
  title: z.string(),
  status: z.enum(DECISION_STATUSES),
  tags: z.array(z.string()),
  review_on: z.string().nullable().describe('A date'),
  superseded_by: z.string().nullable().describe('Handle'),
  path: z.string().nullable().describe('The file that it is kept in; null: it is kept here'),
  recorded_at: Time,
  recorded_by: z.string().describe('person:<id>, key:<id> or system'),
  decided_on: z.string().nullable().describe('The date that its record gives'),
  updated_at: Time,
  stale: StalenessBody.nullable().describe('Null: it has no anchors in indexed code'),
});

export const DecisionDetail = DecisionBody.extend({
  decision: z.string(),
  context: z.string(),
  options: z.array(Option),
  consequences: z.array(z.string()),
  links: z.array(z.string()).describe('As given'),
  supersedes: z.array(z.string()).describe('Handles'),
  anchors: z.array(AnchorBody),
});

const ReviewDate = z.string().meta({ format: 'date' });

export const NewDecisionBody = z.object({
  title: z.string().min(1).max(200),
  decision: z.string().min(1).max(100_000),
  context: z.string().max(100_000).optional(),
  status: z.enum(GIVEN_STATUSES).optional().describe('Default: accepted'),
  options: z
    .array(
      z.object({ name: z.string().min(1), pros: z.array(z.string()).optional(), cons: z.array(z.string()).optional() }),
    )
    .optional(),
  consequences: z.array(z.string()).optional(),
  links: z.array(z.string()).optional().describe('plan:slug, path:line, symbol:X, sha, signal id, URL'),
  supersedes: z.array(z.string()).optional().describe('Handles'),
  tags: z.array(z.string()).optional(),
  review_on: ReviewDate.optional(),
  dry_run: z.boolean().optional().describe('Tells everything and writes nothing'),
});

export const RecordedBody = z.object({
  outcome: z.enum(['created', 'duplicate_of', 'dry_run']),
  id: z.string().nullable().describe('Null: nothing was saved'),
  anchors: z.array(AnchorBody),
  links: z
    .array(
      z.object({
        link: z.string(),
        resolved: z.boolean(),
        status: z
          .enum(['resolved', 'unresolved', 'unchecked'])
          .describe('unchecked: a web address, which is not opened'),
        reason: z.string().nullable().describe('Why it is unresolved'),
      }),
    )
    .describe('Links that do not point to code'),
  similar: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      status: z.string(),
      score: z.number().describe('0..1'),
      shared: z.array(z.string()).describe('Words that both share'),
      contradicts: z
        .string()
        .nullable()
        .describe('Why one may contradict the other, by their options and titles: a hint to read both'),
    }),
  ),
  superseded: z.array(z.string()),
});

export const ChangeBody = z.object({
  status: z.enum(GIVEN_STATUSES).optional(),
  review_on: ReviewDate.nullable().optional(),
});

const ImportBody = z.object({
  files: z
    .array(z.object({ path: z.string().min(1).max(1_000), text: z.string().max(200_000) }))
    .min(1)
    .max(1_000)
    .describe('Decision records: Markdown of adr-tools, MADR or log4brains'),
  folder: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Names the folder: decisions that were imported from another one are left alone'),
  is_whole: z
    .boolean()
    .default(false)
    .describe('These are all files of the folder: decisions that were imported from its other files are removed'),
});

const TakenBody = z.object({
  created: z.array(z.string()).describe('Handles'),
  updated: z.array(z.string()).describe('Handles'),
  unchanged: z.int(),
  removed: z.array(z.string()).describe('Titles of decisions whose file is gone'),
  failed: z.array(z.object({ path: z.string(), reason: z.string() })),
  unclear: z
    .array(z.object({ path: z.string(), reason: z.string() }))
    .describe('Records that were imported although a part of them is not known, such as their status'),
});

const descriptions = {
  list: route('get', '/decisions', 'The decisions of the product, newest first, each with its staleness', {
    answers: { 200: json(z.object({ decisions: z.array(DecisionBody), next: z.null() }), 'The complete list') },
  }),
  record: route('post', '/decisions', 'Record a decision; recording the same one again adds nothing', {
    body: body(NewDecisionBody),
    answers: { 200: json(RecordedBody, 'The decision: new, or the one that already existed') },
  }),
  files: route('get', '/decisions/files', 'All decisions as Markdown Architectural Decision Records', {
    answers: {
      200: json(z.object({ files: z.array(z.object({ path: z.string(), content: z.string() })) }), 'By number'),
    },
  }),
  import: route('post', '/decisions/import', 'Take over a folder of decision records; the same files change nothing', {
    body: body(ImportBody),
    answers: { 200: json(TakenBody, 'What became of each file') },
  }),
  find: route('get', '/decisions/{id}', 'One decision with its anchors in the code', {
    params: Handle,
    answers: { 200: json(DecisionDetail, 'The decision') },
  }),
  update: route('patch', '/decisions/{id}', 'Change status or review date of a decision', {
    params: Handle,
    body: body(ChangeBody),
    answers: { 200: json(DecisionDetail, 'The decision') },
  }),
};

/** A key with the scope may do what `record-decision-tool` does. */
const WRITE: Right = { scope: 'decisions:write', role: 'member' };

/** Decisions. */
export function decisionRoutes(decisions: Decisions): SliceRoutes {
  const routes = newRoutes();
  const recordRoutes = descriptions;
  routes.openapi(recordRoutes.list, async (c) => {
    const listed = await listDecisions(decisions, authorize(c, READ));
    return c.json({ decisions: listed.map(decisionBody), next: null }, 200);
  });
  routes.openapi(recordRoutes.record, async (c) => {
    const request = authorize(c, WRITE);
    const given = c.req.valid('json');
    const options = given.options?.map(({ name, pros = [], cons = [] }) => ({ name, pros, cons }));
    const draft = { ...given, options, reviewOn: given.review_on, isDryRun: given.dry_run };
    const { row, outcome, anchors, links, similar, superseded } = await recordDecision(decisions, request, {
      wanted: draft,
      actor: request.actor,
    });
    return c.json(
      {
        outcome,
        id: row.number === 0 ? null : `dec:${row.number}`,
        anchors: anchors.map(anchorBody),
        links: links.map(({ link, status, reason = null }) => ({
          link,
          resolved: status === 'resolved',
          status,
          reason,
        })),
        similar: similar.map(({ row: other, score, shared, contradiction }) => ({
          id: `dec:${other.number}`,
          title: other.title,
          status: other.status,
          score,
          shared,
          contradicts: contradiction ?? null,
        })),
        superseded: superseded.map((number) => `dec:${number}`),
      },
      200,
    );
  });
  addFileRoutes(routes, decisions);
  routes.openapi(recordRoutes.find, async (c) => {
    return c.json(await detailOf(decisions, authorize(c, READ), c.req.valid('param').id), 200);
  });
  routes.openapi(recordRoutes.update, async (c) => {
    const request = authorize(c, WRITE);
    const { status, review_on: reviewOn } = c.req.valid('json');
    const change = { ...(status !== undefined && { status }), ...(reviewOn !== undefined && { reviewOn }) };
    const { id: handle } = c.req.valid('param');
    await updateDecision(decisions, request, { handle, change, actor: request.actor });
    return c.json(await detailOf(decisions, request, handle), 200);
  });
  return { routes, v1: '/', app: '/' };
}

/** Decisions as files of a folder of records, out and in. Before `/decisions/{id}`, which takes any word. */
function addFileRoutes(routes: SliceRoutes['routes'], decisions: Decisions): void {
  const recordRoutes = descriptions;
  routes.openapi(recordRoutes.files, async (c) => {
    const listed = await listDecisions(decisions, authorize(c, READ));
    const files = await Promise.all(listed.toReversed().map(({ row }) => adrFile(row)));
    return c.json({ files }, 200);
  });
  routes.openapi(recordRoutes.import, async (c) => {
    const request = authorize(c, WRITE);
    const { files, folder, is_whole: isWhole } = c.req.valid('json');
    const given = { files, repositoryId: null, isWhole, actor: request.actor, ...(folder !== undefined && { folder }) };
    return c.json(await takeRecords(decisions, request, given), 200);
  });
}

async function detailOf(
  decisions: Decisions,
  tenant: Parameters<typeof findDecision>[1],
  handle: string,
): Promise<z.output<typeof DecisionDetail>> {
  const summary = await findDecision(decisions, tenant, handle);
  const { decision, context, options, consequences, links } = summary.row;
  return {
    ...decisionBody(summary),
    decision,
    context,
    options,
    consequences,
    links,
    supersedes: summary.supersedes.map((number) => `dec:${number}`),
    anchors: summary.anchors.map(anchorBody),
  };
}

function decisionBody({ row, staleness }: DecisionSummary): z.output<typeof DecisionBody> {
  return bodyOfRow(DecisionBody, row, {
    id: `dec:${row.number}`,
    superseded_by: row.supersededBy === null ? null : `dec:${row.supersededBy}`,
    stale: stalenessBody(staleness),
  });
}
