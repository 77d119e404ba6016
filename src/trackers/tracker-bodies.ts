import { webhookAddress } from '../platform/webhook-signatures.ts';
import { z } from '@hono/zod-openapi';
import { Time, TokenBody } from '../platform/body-fields.ts';
import type { WorkItem } from '../plans/plans.ts';
import type { Tenant } from '../kernel/tenant.ts';
import { TRACKER_KINDS } from './context.ts';
import type { IssueRow, TrackerRow } from './store.ts';
import { bodyOfRow } from '../platform/row-body.ts';

/** Path to which trackers send events; an address that belongs to one follows. */
export const TRACKER_WEBHOOKS = '/v1/trackers/webhook';

export const TrackerBody = z.object({
  id: z.string(),
  kind: z.enum(TRACKER_KINDS),
  base_url: z.string().describe('Where its API begins'),
  project: z.string().describe('owner/repository, group/project, or the key of a team or project'),
  user_name: z.string().describe('Jira Cloud: whose token it is'),
  issue_type: z.string().describe('Jira: the type of the issues'),
  created_at: Time,
  created_by: z.string().describe('person:<id>'),
  updated_at: Time,
  webhook: z
    .object({ path: z.string().describe('Below the address of the service'), last_used_at: Time.nullable() })
    .nullable()
    .describe('Where it tells of changed issues; null when it does not'),
});
export type TrackerBody = z.output<typeof TrackerBody>;

export const SetWebhookBody = z.object({
  secret: z
    .string()
    .min(16)
    .max(200)
    .optional()
    .describe('That of the tracker, where it makes one itself, as Linear does'),
});
export type SetWebhookBody = z.input<typeof SetWebhookBody>;

export const NewWebhookBody = z.object({
  path: z.string().describe('Below the address of the service'),
  secret: z.string().describe('Is stored encrypted and never shown again'),
});
export type NewWebhookBody = z.output<typeof NewWebhookBody>;

export const TrackerListBody = z.object({
  trackers: z.array(TrackerBody),
});
export type TrackerListBody = z.output<typeof TrackerListBody>;

export const NewTrackerBody = z.object({
  kind: z.enum(TRACKER_KINDS),
  base_url: z.string().max(500).optional().describe('Default: the public address; Jira has none'),
  project: z.string().min(1).max(200),
  user_name: z.string().max(200).optional(),
  issue_type: z.string().min(1).max(80).optional().describe('Default: Task'),
  token: TokenBody,
});
export type NewTrackerBody = z.input<typeof NewTrackerBody>;

export const IssueBody = z.object({
  item: z.string().describe('Handle: wi:12'),
  kind: z.enum(TRACKER_KINDS),
  project: z.string(),
  state: z
    .enum(['open', 'closed', 'gone', 'unclear'])
    .describe(
      'gone: the issue was deleted there. unclear: sending was cut off; sending again finds the issue or makes it',
    ),
  label: z.string().nullable().describe('#12, ENG-12; null while unclear'),
  url: z.string().nullable().describe('http or https'),
  status: z.string().nullable().describe('Its name in the tracker'),
  sent_at: Time.nullable(),
  sent_by: z.string(),
  checked_at: Time.nullable().describe('When its status was last read, or reading it failed'),
  fault: z.string().nullable().describe('Why its status could not be read the last time'),
});
export type IssueBody = z.output<typeof IssueBody>;

export const IssueListBody = z.object({ issues: z.array(IssueBody) });
export type IssueListBody = z.output<typeof IssueListBody>;

export const IssuePreviewBody = z.object({
  title: z.string(),
  body: z.string().describe('Markdown; wiki markup for Jira'),
  digest: z.string().describe('Id of this preview; sending requires it'),
  existing: IssueBody.nullable().describe('The issue that already exists: sending does not create a second one'),
});
export type IssuePreviewBody = z.output<typeof IssuePreviewBody>;

const Choice = z.object({ id: z.string(), name: z.string() });
const choices = (): z.ZodArray<typeof Choice> => z.array(Choice).describe('At most 100');

export const IssueChoicesBody = z.object({
  labels: choices(),
  assignees: choices(),
  milestones: choices().describe('At most 100. Jira: versions; none at Linear'),
  assignee: z.string().nullable().describe('Id of the one whom the work item names'),
});
export type IssueChoicesBody = z.output<typeof IssueChoicesBody>;

const Id = z.string().min(1).max(200);

export const SendIssueBody = z.object({
  tracker: z.string(),
  digest: z.string().describe('Id of the preview'),
  labels: z
    .array(Id)
    .max(50)
    .optional()
    .describe('Ids, as those below; an update without them leaves them as they are'),
  assignee: Id.optional(),
  milestone: Id.optional(),
  parent: z.string().max(80).optional().describe('The issue below which it goes, as people call it: #12, ENG-7'),
});
export type SendIssueBody = z.input<typeof SendIssueBody>;

const LinkFault = z
  .string()
  .nullable()
  .describe(
    'Why the issue could not be put below its parent or linked with those that it waits for; an update tries again',
  );

export const UpdatedIssueBody = z.object({ issue: IssueBody, link_fault: LinkFault });
export type UpdatedIssueBody = z.output<typeof UpdatedIssueBody>;

export const SentIssueBody = z.object({
  outcome: z
    .enum(['created', 'existing', 'found'])
    .describe('existing: it was sent before. found: an earlier attempt with an unknown outcome made it'),
  issue: IssueBody,
  link_fault: LinkFault,
});
export type SentIssueBody = z.output<typeof SentIssueBody>;

/** Most items in one request: each takes the tracker about a second. */
const MOST_SENT = 20;

export const PlanPreviewBody = z.object({
  items: z.array(
    IssuePreviewBody.extend({ item: z.string().describe('Handle: wi:12'), key: z.string().describe('T1') }),
  ),
});
export type PlanPreviewBody = z.output<typeof PlanPreviewBody>;

export const SendIssuesBody = SendIssueBody.omit({ digest: true, assignee: true }).extend({
  items: z
    .array(z.object({ item: z.string().describe('wi:12 or 12'), digest: z.string().describe('Id of its preview') }))
    .min(1)
    .max(MOST_SENT),
});
export type SendIssuesBody = z.input<typeof SendIssuesBody>;

export const SentIssuesBody = z.object({
  results: z.array(
    z.object({
      item: z.string().describe('Handle: wi:12'),
      key: z.string(),
      outcome: SentIssueBody.shape.outcome.nullable().describe('Null when it was not sent'),
      issue: IssueBody.nullable(),
      link_fault: LinkFault,
      fault: z.string().nullable().describe('Why it was not sent'),
      fix: z.string().nullable().describe('What to do then'),
    }),
  ),
});
export type SentIssuesBody = z.output<typeof SentIssuesBody>;

/** Nothing of the token, encrypted or not. */
export function trackerBody({ accountId }: Pick<Tenant, 'accountId'>, row: TrackerRow): TrackerBody {
  return bodyOfRow(TrackerBody, row, {
    webhook: row.hasWebhook
      ? {
          path: `${TRACKER_WEBHOOKS}/${webhookAddress(accountId, row.id)}`,
          last_used_at: row.webhookUsedAt?.toISOString() ?? null,
        }
      : null,
  });
}

export function issueBody(item: Pick<WorkItem, 'number'>, row: IssueRow): IssueBody {
  return bodyOfRow(IssueBody, row, { item: `wi:${item.number}`, state: stateOf(row) });
}

function stateOf({ externalId, isGone, isClosed }: IssueRow): IssueBody['state'] {
  if (externalId === null) return 'unclear';
  if (isGone) return 'gone';
  return isClosed ? 'closed' : 'open';
}
