import { z } from 'zod';
import { Time } from '../platform/body-fields.ts';
import { SEVERITIES } from './detect/judge.ts';
import { StatementBody } from './detect/statement.ts';
import { CHANGE_KINDS } from './page/page-kind.ts';
import type { CaptureRow, ChangeRow } from './store/store-changes.ts';
import { DIGEST_CHANNELS, DIGEST_PERIODS, type DigestRow } from './store/store-digest.ts';
import { PAGE_STATUSES, type PageRow, RENDER_MODES } from './store/store.ts';
import type { WatchedCompetitor } from './watch/watch-list.ts';
import { bodyOfRow } from '../platform/row-body.ts';

const Texts = z.array(z.string().min(1).max(500)).max(50);

const Settings = {
  render: z.enum(RENDER_MODES).describe('browser: read after a browser ran its scripts'),
  include: Texts.describe('CSS selectors of what is read; the content of the page without any'),
  remove: Texts.describe('CSS selectors of what is left out'),
  ignore: Texts.describe('Texts that do not count; * stands for anything'),
  headers: z.record(z.string(), z.string()).describe('Sent with each request; stored and shown as they are'),
};

/** Settings of a watched page; an omitted field has its default, or stays. */
export const PageChangeBody = z.object({
  kind: z.enum(CHANGE_KINDS).optional().describe('Default: told from the address'),
  every_minutes: z.int().min(0).max(525_600).optional().describe('Default: 1440'),
  render: Settings.render.optional().describe('Default: none'),
  include: Settings.include.optional(),
  remove: Settings.remove.optional(),
  ignore: Settings.ignore.optional(),
  headers: Settings.headers.optional(),
});

export const NewCompetitorBody = z.object({
  name: z.string().min(1).max(80),
  domain: z.string().min(1).max(2_048).optional().describe('Host of its site, or the address of its front page'),
  pages: z
    .array(PageChangeBody.extend({ url: z.string().min(1).max(2_048) }))
    .max(200)
    .optional()
    .describe('Left out with a domain: those that GET /v1/competitor-proposals gives for it'),
  every_minutes: PageChangeBody.shape.every_minutes.describe('Of pages that do not say it; default: 1440'),
  render: PageChangeBody.shape.render.describe('Of pages that do not say it; default: none'),
});

export const PageBody = z.object({
  id: z.string(),
  competitor: z.string(),
  url: z.string(),
  kind: z.enum(CHANGE_KINDS),
  ...Settings,
  every_minutes: z.int(),
  status: z.enum(PAGE_STATUSES).describe('What the last check said'),
  detail: z.string().describe('Why, in words'),
  failures: z.int().describe('Checks in a row that failed'),
  last_checked: Time.nullable(),
  last_changed: Time.nullable(),
  next_check: Time,
  next_allowed_at: Time,
  moved_to: z.string().nullable().describe('Its new address according to the site'),
  capture: z.string().nullable().describe('Id of its current text'),
});

export const CompetitorBody = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  created_at: Time,
  created_by: z.string(),
  pages: z.array(PageBody),
});

/** Triage of a change by people; an omitted field stays. */
export const TriageBody = z.object({
  owner: z.string().max(80).optional().describe("Who looks after it; '' for nobody"),
  importance: z.enum(SEVERITIES).nullable().optional().describe('null: as its severity says'),
  dismissed: z.boolean().optional().describe('Left out of lists, digests and alerts'),
});

export const ChangeBody = z.object({
  id: z.string().describe('Handle: chg:…'),
  when: Time,
  competitor: z.string(),
  competitor_id: z.string(),
  page_id: z.string(),
  url: z.string(),
  kind: z.enum(CHANGE_KINDS),
  severity: z.enum(SEVERITIES),
  summary: z.string(),
  statements: z.array(StatementBody).describe('What it says, what weighs most first'),
  reasons: z.array(z.string()).describe('The rules that gave kind and severity'),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  before: z.string().nullable().describe('Id of the capture before'),
  after: z.string().nullable(),
  owner: z.string().describe("Who looks after it; '' for nobody"),
  importance: z.enum(SEVERITIES).nullable().describe('According to people; null: as its severity says'),
  dismissed_at: Time.nullable(),
  dismissed_by: z.string().nullable(),
});

export const LinkBody = z.object({
  id: z.string().describe('Handle: plan:…, dec:…, sig:… or feature:…'),
  title: z.string().describe('Of a signal: how it begins'),
});

export const ProposalBody = z.object({
  url: z.string(),
  kind: z.enum(CHANGE_KINDS),
  from: z.enum(['front page', 'link', 'sitemap', 'feed']),
});

export const CheckBody = z.object({
  page_id: z.string(),
  url: z.string(),
  status: z.enum(PAGE_STATUSES),
  detail: z.string(),
  change: z.string().nullable().describe('Handle of the change that was seen'),
  next_allowed_at: Time,
});

export const PriceSeriesBody = z.object({
  plan: z.string().describe('Heading, row, column or item that the price belongs to, as it was called last'),
  former_names: z.array(z.string()).describe('What it was called before'),
  unit: z.string().describe('What the price is for, for example: a month'),
  url: z.string(),
  currency: z.string().describe('ISO 4217; the sign where several currencies have it'),
  points: z.array(z.object({ at: Time, value: z.number(), text: z.string() })).describe('Oldest first, one a change'),
});

export const FeatureBody = z.object({
  text: z.string(),
  state: z.enum(['new', 'gone']),
  at: Time,
  url: z.string(),
  change: z.string().describe('Handle: chg:…'),
});

export const CaptureBody = z.object({
  id: z.string(),
  page_id: z.string(),
  hash: z.string(),
  title: z.string(),
  http_status: z.int(),
  fetched_at: Time,
  seen_at: Time.describe('Last time that the page said this'),
});

export function competitorBody(row: WatchedCompetitor): z.output<typeof CompetitorBody> {
  return bodyOfRow(CompetitorBody, row, { pages: row.pages.map(pageBody) });
}

export function pageBody(page: PageRow): z.output<typeof PageBody> {
  return bodyOfRow(PageBody, page, {
    ...page.settings,
    last_checked: page.checkedAt?.toISOString() ?? null,
    last_changed: page.changedAt?.toISOString() ?? null,
    next_check: page.dueAt.toISOString(),
    next_allowed_at: page.allowedAt.toISOString(),
    capture: page.captureId,
  });
}

export function changeBody(row: ChangeRow): z.output<typeof ChangeBody> {
  return bodyOfRow(ChangeBody, row, {
    id: `chg:${row.id}`,
    when: row.at.toISOString(),
    before: row.beforeId,
    after: row.afterId,
  });
}

export function captureBody(row: Omit<CaptureRow, 'text'>): z.output<typeof CaptureBody> {
  return bodyOfRow(CaptureBody, row, {});
}

/** Target of a digest; every body of a digest has these fields. */
const DigestSettings = {
  every: z.enum(DIGEST_PERIODS).describe('now: within two minutes of a change'),
  min_severity: z.enum(SEVERITIES).describe('Changes of this severity and above'),
};

export const NewDigestBody = z.object({
  to: z
    .array(z.string().min(1).max(2_048))
    .min(1)
    .max(20)
    .describe('The address of the webhook or chat, or those of who gets the e-mail'),
  every: DigestSettings.every.default('day'),
  min_severity: DigestSettings.min_severity.default('medium'),
});

export const DigestBody = z.object({
  channel: z.enum(DIGEST_CHANNELS),
  to: z.array(z.string()),
  ...DigestSettings,
  created_at: Time,
  created_by: z.string(),
  delivered_at: Time.nullable().describe('When the last one arrived'),
  next: Time,
  failures: z.int().describe('Tries in a row that failed'),
  fault: z.string().describe('Why the last try failed, or who did not get it'),
});

export function digestBody(row: DigestRow): z.output<typeof DigestBody> {
  return bodyOfRow(DigestBody, row, {
    to: row.destinations,
    min_severity: row.leastSeverity,
    next: row.dueAt.toISOString(),
  });
}
