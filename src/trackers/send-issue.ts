import type { Tenant } from '../kernel/tenant.ts';
import { type ProductRequest, recordAudit } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import { findItem, findPlan, itemsOfPlans, type PlanRow, type WorkItem } from '../plans/plans.ts';
import { findTracker } from './connections.ts';
import { isSameDestination, TRACKER_NAMES, type Trackers } from './context.ts';
import { linkIssue, withParent } from './link-issues.ts';
import { type IssueText, issueText, markerOf } from './issue-text.ts';
import { openTracker } from './open-tracker.ts';
import {
  claimIssue,
  deleteClaim,
  type IssueKey,
  type IssueRow,
  recordSent,
  recordStatus,
  releaseClaim,
  selectIssue,
  selectIssues,
  type TrackerRow,
} from './store.ts';
import {
  namedAssignee,
  type IssueChoices,
  type IssueFields,
  type TrackerApi,
  type TrackerIssue,
} from './tracker-api.ts';

const MINUTE_MS = 60_000;
/** Longer than sending can take with all its attempts and waits. */
const CLAIM_MS = 10 * MINUTE_MS;
/** Largest difference of the clock of a tracker. */
const SKEW_MS = 10 * MINUTE_MS;
const MOST_ATTEMPTS = 3;
const FIRST_WAIT_MS = 2000;

/** The result of sending or updating an issue. */
export interface SentIssue {
  row: IssueRow;
  outcome: SendOutcome;
  /**
   * The reason why the issue could not be put below its parent, or linked with those that it waits for; it exists all the same.
   */
  linkFault: string | undefined;
}

/** `existing`: it was sent before. `found`: it was made by an attempt whose end was not known. */
type SendOutcome = 'created' | 'existing' | 'found';

/** A work item that a person sends, as a preview showed it. */
interface IssueToSend {
  handle: string;
  trackerId: string;
  digest: string;
  fields?: IssueFields;
}

/** The text that would be sent, and the existing issue. */
interface IssuePreview extends IssueText {
  existing: IssueRow | undefined;
}

/**
 * Returns what sending a work item to a tracker would make there.
 *
 * @throws ServiceError `unknown_id` for an item or a tracker that the product does not have.
 */
export async function previewIssue(
  trackers: Trackers,
  tenant: Tenant,
  { handle, trackerId }: { handle: string; trackerId: string },
): Promise<IssuePreview> {
  const tracker = await findTracker(trackers, tenant, trackerId);
  const item = await findItem(trackers.plans, tenant, handle);
  const row = await selectIssue(trackers.plans.db, tenant, keyOf(item, tracker));
  return previewOf(tenant, { ...(await planOf(trackers, tenant, item.planId)), item, tracker, row });
}

/**
 * Returns what sending all work items of a plan would make, those that are open there or not sent yet: items that are done or
 * dropped are omitted unless they have an issue.
 *
 * @throws ServiceError `not_found` for a plan, `unknown_id` for a tracker that the product does not have.
 */
export async function previewIssues(
  trackers: Trackers,
  tenant: Tenant,
  { slug, trackerId }: { slug: string; trackerId: string },
): Promise<{ item: WorkItem; preview: IssuePreview }[]> {
  const tracker = await findTracker(trackers, tenant, trackerId);
  const { id } = await findPlan(trackers.plans, tenant, slug);
  const { plan, siblings } = await planOf(trackers, tenant, id);
  const rows = await selectIssues(trackers.plans.db, tenant, { planId: id });
  return siblings.flatMap((item) => {
    const row = rows.find(({ itemKey, ...position }) => itemKey === item.key && isSameDestination(position, tracker));
    const preview = previewOf(tenant, { plan, siblings, item, tracker, row });
    const isOver = item.status === 'done' || item.status === 'dropped';
    return isOver && preview.existing === undefined ? [] : [{ item, preview }];
  });
}

function previewOf(
  tenant: Tenant,
  { row, ...given }: PlanOfItem & { item: WorkItem; tracker: TrackerRow; row: IssueRow | undefined },
): IssuePreview {
  const existing = row !== undefined && row.externalId !== null && !row.isGone ? row : undefined;
  const round = (row?.round ?? 0) + (row?.isGone === true ? 1 : 0);
  return { ...textOf(tenant, { ...given, round }), existing };
}

/**
 * Makes an issue of a work item. Once: what was sent is answered as it is, two at the same time make one, and an issue of
 * an attempt that was cut off is found again by the marker in its body.
 *
 * @throws ServiceError `unknown_id`; `conflict` when it says something else than the preview with this digest, when
 * somebody else sends it now, or when the tracker does not accept the token; `bad_argument`, `rate_limited`,
 * `upstream_failed` as the tracker answers.
 */
export async function sendIssue(
  trackers: Trackers,
  request: ProductRequest,
  { handle, trackerId, digest, fields = {} }: IssueToSend,
): Promise<SentIssue> {
  const { plans } = trackers;
  const tracker = await findTracker(trackers, request, trackerId);
  const item = await findItem(plans, request, handle);
  const api = openTracker(trackers, request, tracker);
  const key = keyOf(item, tracker);
  const before = await selectIssue(plans.db, request, key);
  if (before !== undefined && before.externalId !== null && !before.isGone)
    return { row: before, outcome: 'existing', linkFault: undefined };
  const round = (before?.round ?? 0) + (before?.isGone === true ? 1 : 0);
  const text = textOf(request, { ...(await planOf(trackers, request, item.planId)), item, tracker, round });
  checkDigest(text, digest);
  const chosen = await withParent(api, tracker, fields);
  const claim = await takeClaim(trackers, request, key);
  // Taken up by another one, or finished by it, since `before` was read.
  if (claim === undefined || claim.round !== round) return finishIssue(trackers, request, key, claim);
  const sent = await deliver(trackers, request, { api, text, fields: chosen, claim, mayExist: claim.isTakenUp });
  const made = await record(trackers, request, { key, handle: `wi:${item.number}`, ...sent });
  const linkFault = await linkIssue(trackers, request, { api, item, row: made.row, parent: chosen.parent });
  return { ...made, linkFault };
}

/**
 * Writes the title and the text of a work item into its issue as they are now, with the fields that are given, and links it
 * again with the issues that it waits for.
 *
 * @throws ServiceError `unknown_id`; `conflict` when the item was not sent there, was deleted there, or says something else
 * than the preview with this digest; and what the tracker answers, as `sendIssue`.
 */
export async function updateIssue(
  trackers: Trackers,
  request: ProductRequest,
  { handle, trackerId, digest, fields = {} }: IssueToSend,
): Promise<Pick<SentIssue, 'row' | 'linkFault'>> {
  const { plans } = trackers;
  const tracker = await findTracker(trackers, request, trackerId);
  const item = await findItem(plans, request, handle);
  const key = keyOf(item, tracker);
  const row = await selectIssue(plans.db, request, key);
  if (row === undefined || row.externalId === null || row.isGone) {
    throw new ServiceError('conflict', `wi:${item.number} has no issue there.`, { fix: 'Send it first.' });
  }
  const plan = await planOf(trackers, request, item.planId);
  const text = textOf(request, { ...plan, item, tracker, round: row.round });
  checkDigest(text, digest);
  const api = openTracker(trackers, request, tracker);
  const chosen = await withParent(api, tracker, fields);
  const issue = await api.update(row.externalId, { ...text, ...chosen });
  const checkedAt = trackers.now();
  const read = issue === undefined ? { isGone: true } : { ...issue, isGone: false };
  await recordStatus(plans.db, request, { ...row, ...read, checkedAt, fault: null });
  if (issue === undefined) {
    throw new ServiceError('conflict', `${row.label ?? 'The issue'} was deleted there.`, {
      fix: 'Send the item again.',
    });
  }
  const { accountId, actor } = request;
  const detail = {
    item: `wi:${item.number}`,
    tracker: TRACKER_NAMES[key.kind],
    project: key.project,
    issue: issue.label,
  };
  const action = 'work_item.update_issue' as const;
  await recordAudit(plans.db, { accountId, actor, action, target: key.planId, at: checkedAt, detail });
  const linkFault = await linkIssue(trackers, request, { api, item, row, parent: chosen.parent });
  return { row: (await selectIssue(plans.db, request, key)) ?? row, linkFault };
}

/** Returns the choices for the issue of a work item, and the id of the person it names. @throws ServiceError as `sendIssue`. */
export async function issueChoices(
  trackers: Trackers,
  tenant: Tenant,
  { handle, trackerId }: { handle: string; trackerId: string },
): Promise<IssueChoices & { assignee: string | undefined }> {
  const tracker = await findTracker(trackers, tenant, trackerId);
  const item = await findItem(trackers.plans, tenant, handle);
  const choices = await openTracker(trackers, tenant, tracker).choices();
  return { ...choices, assignee: namedAssignee(choices, item.assignee) };
}

function checkDigest(text: IssueText, digest: string): void {
  if (text.digest === digest) return;
  throw new ServiceError('conflict', 'The work item has changed since the preview.', {
    fix: 'Check the preview again, then send it.',
  });
}

function keyOf({ planId, key }: WorkItem, { kind, baseUrl, project }: TrackerRow): IssueKey {
  return { planId, itemKey: key, kind, baseUrl, project };
}

/** A plan and all of its items. */
interface PlanOfItem {
  plan: PlanRow;
  siblings: readonly WorkItem[];
}

async function planOf({ plans }: Trackers, tenant: Tenant, planId: string): Promise<PlanOfItem> {
  return { plan: await findPlan(plans, tenant, planId), siblings: await itemsOfPlans(plans, tenant, [planId]) };
}

function textOf(
  tenant: Tenant,
  { plan, siblings, item, tracker, round }: PlanOfItem & { item: WorkItem; tracker: TrackerRow; round: number },
): IssueText {
  const before = siblings
    .filter(({ key }) => item.depends.includes(key))
    .map(({ number, key, title }) => `wi:${number} (${key}) ${title}`);
  const marker = markerOf(tenant, { ...keyOf(item, tracker), round });
  return issueText(item, plan, { kind: tracker.kind, marker, before });
}

/** The claim, and whether it takes up an attempt that began before and ended unknown. */
async function takeClaim(
  trackers: Trackers,
  request: ProductRequest,
  key: IssueKey,
): Promise<(IssueRow & { isTakenUp: boolean }) | undefined> {
  const now = trackers.now();
  const until = new Date(now.getTime() + CLAIM_MS);
  const row = await claimIssue(trackers.plans.db, request, { ...key, now, until, actor: request.actor });
  return row === undefined ? undefined : { ...row, isTakenUp: row.begunAt < now };
}

async function finishIssue(
  { plans }: Trackers,
  tenant: Tenant,
  key: IssueKey,
  claim: IssueRow | undefined,
): Promise<SentIssue> {
  if (claim !== undefined) await releaseClaim(plans.db, tenant, key);
  const row = await selectIssue(plans.db, tenant, key);
  if (row !== undefined && row.externalId !== null && !row.isGone)
    return { row, outcome: 'existing', linkFault: undefined };
  throw new ServiceError('conflict', 'This work item is already being sent.', {
    fix: 'Wait a moment, then look again. If the service was stopped while sending, you can send the item again after ten minutes.',
  });
}

/** Makes the issue, or finds the one that an attempt with an unknown end made. */
async function deliver(
  trackers: Trackers,
  tenant: Tenant,
  {
    api,
    text,
    fields,
    claim,
    ...state
  }: { api: TrackerApi; text: IssueText; fields: IssueFields; claim: IssueRow; mayExist: boolean },
): Promise<{ issue: TrackerIssue; outcome: SendOutcome }> {
  let { mayExist } = state;
  const since = new Date(claim.begunAt.getTime() - SKEW_MS);
  try {
    for (let attempt = 1; ; attempt += 1) {
      const existingIssue = mayExist ? await api.find({ marker: text.marker, since }) : undefined;
      if (existingIssue !== undefined) return { issue: existingIssue, outcome: 'found' };
      try {
        return { issue: await api.create({ ...text, ...fields }), outcome: 'created' };
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'upstream_failed') throw error;
        mayExist = true;
        if (attempt === MOST_ATTEMPTS) throw error;
        // Time for what arrived after all to become visible.
        await trackers.wait(FIRST_WAIT_MS * 2 ** (attempt - 1));
      }
    }
  } catch (error) {
    // A later round has to stay known: its marker is not that of the issue that was deleted there.
    if (mayExist || claim.round > 0) await releaseClaim(trackers.plans.db, tenant, claim);
    else await deleteClaim(trackers.plans.db, tenant, claim);
    throw error;
  }
}

async function record(
  { plans, now }: Trackers,
  request: ProductRequest,
  { key, handle, issue, outcome }: { key: IssueKey; handle: string; issue: TrackerIssue; outcome: SendOutcome },
): Promise<{ row: IssueRow; outcome: SendOutcome }> {
  const at = now();
  const { accountId, actor } = request;
  return plans.db.transaction().execute(async (tx) => {
    await recordSent(tx, request, { ...key, ...issue, sentAt: at });
    const detail = { item: handle, tracker: TRACKER_NAMES[key.kind], project: key.project, issue: issue.label };
    await recordAudit(tx, { accountId, actor, action: 'work_item.send', target: key.planId, at, detail });
    const row = await selectIssue(tx, request, key);
    if (row === undefined) {
      throw new ServiceError('conflict', `The plan was deleted while ${issue.label} was being created.`, {
        fix: issue.url,
      });
    }
    return { row, outcome };
  });
}
