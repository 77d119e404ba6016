import type { Tenant } from '../kernel/tenant.ts';
import { ServiceError } from '../kernel/errors.ts';
import { itemsOfPlans, type WorkItem } from '../plans/plans.ts';
import { type Destination, isSameDestination, TRACKER_NAMES, type Trackers } from './context.ts';
import { type IssueRow, selectIssues } from './store.ts';
import type { IssueFields, TrackerApi } from './tracker-api.ts';

/**
 * The fields with the issue below which a new one goes, which a person names as the tracker does (`#12`, `ENG-7`).
 *
 * @throws ServiceError `bad_argument` when there is none of this name.
 */
export async function withParent(
  api: TrackerApi,
  { kind, project }: Destination,
  { parent, ...fields }: IssueFields,
): Promise<IssueFields> {
  const name = parent?.trim() ?? '';
  if (name === '') return fields;
  const issue = await api.identify(name);
  if (issue !== undefined) return { ...fields, parent: issue.externalId };
  throw new ServiceError('bad_argument', `${TRACKER_NAMES[kind]} ${project} has no issue "${name.slice(0, 80)}".`, {
    fix: 'Name it as the tracker does, such as #12 or ENG-7.',
  });
}

/**
 * Puts the issue of a work item below its parent, and says in the tracker that it waits for the issues of what the item
 * depends on, and that those of what depends on it wait for it. Gives the reason when that fails: the issue is there all the
 * same, and an update tries again. What the plan depends on no more stays linked there.
 */
export async function linkIssue(
  { plans }: Trackers,
  tenant: Tenant,
  { api, item, row, parent }: { api: TrackerApi; item: WorkItem; row: IssueRow; parent: string | undefined },
): Promise<string | undefined> {
  const own = row.externalId ?? '';
  const items = await itemsOfPlans(plans, tenant, [item.planId]);
  const rows = await selectIssues(plans.db, tenant, { planId: item.planId });
  const issueOf = (key: string): string[] => {
    const sentRow = rows.find((other) => other.itemKey === key && isSameDestination(other, row) && !other.isGone);
    return sentRow?.externalId == null ? [] : [sentRow.externalId];
  };
  const waiting = items.filter(({ depends }) => depends.includes(item.key)).flatMap(({ key }) => issueOf(key));
  const blockers = item.depends.flatMap(issueOf);
  try {
    if (parent !== undefined) await api.nest?.(own, parent);
    if (blockers.length > 0) await api.block(own, blockers);
    for (const other of waiting) await api.block(other, [own]);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}
