import { z } from '@hono/zod-openapi';
import { Time } from '../../platform/body-fields.ts';
import { AnchorBody, type Staleness, StalenessBody, stalenessBody, stalenessOf } from '../../anchors/anchors.ts';
import type { AnchorRow } from '../../anchors/store/store.ts';
import type { PlanRow, PlanVersionRow } from '../store/store.ts';
import { AskersBody } from '../../signals/links/links.ts';
import { PLAN_STATUSES } from '../text/plan-status.ts';
import { ITEM_PRIORITIES, ITEM_STATUSES } from '../text/work-item-text.ts';
import { anchorsOfItem, type WorkItem } from '../store/work-items.ts';
import { bodyOfRow } from '../../platform/row-body.ts';

export const ItemBody = z.object({
  id: z.string().describe('Handle: wi:12'),
  key: z.string().describe('Within its plan: T1'),
  number: z.string().describe('Its number or id in the text of the plan, as written: T087, 1.2; empty: none'),
  group: z.string().describe('The headings above it, with › between them: a phase, a user story; empty: none'),
  title: z.string(),
  body: z.string().describe('What the plan says below it, verbatim: steps, code, assertions. Markdown'),
  status: z.enum(ITEM_STATUSES),
  depends: z.array(z.string()).describe('Keys of items of the same plan'),
  files: z.array(z.string()),
  symbols: z.array(z.string()),
  acceptance: z.array(z.string()),
  estimate: z.string(),
  test: z.string(),
  assignee: z.string().describe('A person or an agent, as written; empty: nobody'),
  priority: z.enum(['', ...ITEM_PRIORITIES]).describe('Empty: none'),
  notes: z.string().describe('A note by whoever works on it'),
  stale: StalenessBody.nullable().describe('Of what it names; null: that is nothing in indexed code'),
});

/** A work item by itself. */
export const ItemDetail = ItemBody.extend({
  asked_by: AskersBody.describe('Customers whose themes its plan answers'),
});

/** A work item of a list over plans. */
export const ListedItemBody = ItemBody.extend({
  plan: z.string().describe('Handle of its plan: plan:slug'),
  waits_for: z.array(z.string()).describe('Handles of the items before it that are neither done nor dropped'),
});

export const ItemListBody = z.object({
  work_items: z.array(ListedItemBody),
  total: z.int(),
  next: z.string().nullable(),
});

/** Filter of the listed work items. */
export const ItemFilter = z.object({
  plan: z.string().max(100).optional().describe('Slug or id of a plan'),
  status: z
    .string()
    .max(100)
    .optional()
    .describe(`Of ${ITEM_STATUSES.join(', ')}; several with commas between`),
  assignee: z.string().max(80).optional().describe('As it was set; empty: items of nobody'),
  priority: z.enum(ITEM_PRIORITIES).optional(),
  ready: z.stringbool().optional().describe('true: what can be started now: todo, with no open dependencies'),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
  cursor: z.string().optional(),
});

/** A plan as lists show it. */
export const PlanBody = z.object({
  id: z.string().describe('Handle: plan:slug'),
  slug: z.string(),
  title: z.string(),
  status: z.enum(PLAN_STATUSES),
  owner: z.string(),
  path: z.string().nullable().describe('The file of a repository that holds the plan; null: the plan is edited here'),
  version: z.int(),
  updated_at: Time,
  updated_by: z.string().describe('person:<id>, key:<id> or system'),
  accepted_at: Time.nullable(),
  stale: StalenessBody.nullable().describe('Null: it has no anchors in indexed code'),
  items: z.object({ total: z.int(), done: z.int() }),
});

export const PlanDetail = PlanBody.extend({
  text: z.string().describe('Markdown, with its front matter'),
  requirements: z.array(z.object({ id: z.string(), text: z.string(), scenarios: z.array(z.string()) })),
  work_items: z.array(ItemBody),
  anchors: z.array(AnchorBody),
  versions: z
    .array(z.object({ version: z.int(), title: z.string(), status: z.string(), saved_at: Time, saved_by: z.string() }))
    .describe('Newest first, at most 200'),
  asked_by: AskersBody.describe('Customers whose themes the plan answers'),
});

export const SavedPlanBody = z.object({ outcome: z.enum(['created', 'updated', 'unchanged']), plan: PlanDetail });

export const NewPlanBody = z.object({
  text: z
    .string()
    .min(1)
    .optional()
    .describe('Markdown; front matter may give title, status, owner, slug, repo. Default with theme: a draft of it'),
  theme: z.string().min(1).max(200).optional().describe('Id or label of the theme that the plan answers'),
  slug: z
    .string()
    .max(80)
    .regex(/^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u, 'a slug has letters, digits and single hyphens between them')
    .optional()
    .describe('Default: from the title. A plan that already has this slug gets a new version'),
});
export const PlanTextBody = z.object({
  text: z.string().min(1),
  base_version: z.int().optional().describe('The version that you edited; 409 if there is a newer one'),
});
export const PlanStatusBody = z.object({ status: z.enum(PLAN_STATUSES) });

export const ItemChangeBody = z
  .object({
    title: z.string().min(1).max(400),
    status: z.enum(ITEM_STATUSES),
    depends: z.array(z.string().max(20)).max(100),
    files: z.array(z.string().max(1_000)).max(200),
    symbols: z.array(z.string().max(400)).max(200),
    acceptance: z.array(z.string().max(2_000)).max(100),
    estimate: z.string().max(40),
    test: z.string().max(10_000),
    assignee: z.string().trim().max(80),
    priority: z.enum(['', ...ITEM_PRIORITIES]),
    notes: z.string().max(10_000),
  })
  .partial();

/** @param anchors those of its plan. */
export function itemBody(item: WorkItem, anchors: readonly AnchorRow[]): z.output<typeof ItemBody> {
  const { number, planId: _plan, updatedAt: _time, label, phase: _phase, names: _names, ...fields } = item;
  const stale = stalenessBody(stalenessOf(anchorsOfItem(item, anchors)));
  return { id: `wi:${number}`, number: label, ...fields, stale };
}

export function planBody(
  row: PlanRow,
  staleness: Staleness | undefined,
  items: readonly WorkItem[],
): z.output<typeof PlanBody> {
  return bodyOfRow(PlanBody, row, {
    id: `plan:${row.slug}`,
    stale: stalenessBody(staleness),
    items: { total: items.length, done: items.filter((item) => item.status === 'done').length },
  });
}

export function versionBody({ version, title, status, savedAt, savedBy }: PlanVersionRow): {
  version: number;
  title: string;
  status: string;
  saved_at: string;
  saved_by: string;
} {
  return { version, title, status, saved_at: savedAt.toISOString(), saved_by: savedBy };
}
