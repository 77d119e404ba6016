import type { Tenant } from '../kernel/tenant.ts';
import { ServiceError } from '../kernel/errors.ts';
import { findItem } from '../plans/plans.ts';
import { listTrackers, resealTokens } from './connections.ts';
import { isSameDestination, type Trackers } from './context.ts';
import { openTracker } from './open-tracker.ts';
import { type IssueRow, recordStatus, selectConnectedProducts, selectDueIssues, selectIssues } from './store.ts';
import type { TrackerApi } from './tracker-api.ts';

const HOUR_MS = 60 * 60_000;
/** Open issues are looked at again after this; a little less than an hour, which is how often somebody asks. */
const OPEN_MS = 0.8 * HOUR_MS;
/** Closed ones may be opened again, but seldom are. */
const CLOSED_MS = 24 * HOUR_MS;
/** Issues of one product that are looked at in one go. */
const MOST_ISSUES = 200;

/** Reads the status of the issues of a work item now. @throws ServiceError `unknown_id`. Faults of trackers stand in the rows. */
export async function refreshItem(trackers: Trackers, tenant: Tenant, handle: string): Promise<IssueRow[]> {
  const { planId, key } = await findItem(trackers.plans, tenant, handle);
  const rows = await selectIssues(trackers.plans.db, tenant, { planId, itemKey: key });
  await refreshRows(trackers, tenant, {
    rows: rows.filter(({ externalId, isGone }) => externalId !== null && !isGone),
  });
  return selectIssues(trackers.plans.db, tenant, { planId, itemKey: key });
}

/**
 * Reads the status of all issues that are due, of all products, and encrypts tokens again that are encrypted with an old
 * key. Safe twice.
 */
export async function refreshTrackers(trackers: Trackers, signal: AbortSignal): Promise<void> {
  const { db } = trackers.plans;
  const now = trackers.now().getTime();
  const due = { before: new Date(now - OPEN_MS), closedBefore: new Date(now - CLOSED_MS), limit: MOST_ISSUES };
  for (const tenant of await selectConnectedProducts(db)) {
    if (signal.aborted) return;
    await resealTokens(trackers, tenant);
    await refreshRows(trackers, tenant, { rows: await selectDueIssues(db, tenant, due), signal });
  }
}

/** One after the other, so that no tracker sees many requests at once; after a fault its other issues wait for the next time. */
async function refreshRows(
  trackers: Trackers,
  tenant: Tenant,
  { rows, signal }: { rows: readonly IssueRow[]; signal?: AbortSignal },
): Promise<void> {
  const connected = await listTrackers(trackers, tenant);
  const faults = new Map<string, string>();
  for (const row of rows) {
    if (signal?.aborted === true) return;
    const name = JSON.stringify([row.kind, row.baseUrl, row.project]);
    const fault = faults.get(name);
    const tracker = connected.find((trackerRow) => isSameDestination(trackerRow, row));
    if (tracker === undefined) continue;
    const checkedAt = trackers.now();
    if (fault !== undefined) {
      await recordStatus(trackers.plans.db, tenant, { ...row, checkedAt, fault });
      continue;
    }
    try {
      const read = await statusOf(openTracker(trackers, tenant, tracker), row);
      await recordStatus(trackers.plans.db, tenant, { ...row, ...read, checkedAt, fault: null });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      faults.set(name, error.message);
      await recordStatus(trackers.plans.db, tenant, { ...row, checkedAt, fault: error.message });
    }
  }
}

/** An issue is gone when its project is there and it is not: a token that lost its rights sees neither. */
async function statusOf(
  api: TrackerApi,
  { externalId }: IssueRow,
): Promise<Pick<IssueRow, 'isGone'> & Partial<Pick<IssueRow, 'status' | 'label' | 'url' | 'isClosed'>>> {
  const issue = await api.read(externalId ?? '');
  if (issue === undefined) {
    await api.check();
    return { isGone: true };
  }
  const { status, label, url, isClosed } = issue;
  return { status, label, url, isClosed, isGone: false };
}
