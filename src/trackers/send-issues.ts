import type { ProductRequest } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import { findItem, type WorkItem } from '../plans/plans.ts';
import { findTracker } from './connections.ts';
import type { Trackers } from './context.ts';
import { withParent } from './link-issues.ts';
import { openTracker } from './open-tracker.ts';
import { sendIssue, type SentIssue } from './send-issue.ts';
import { namedAssignee, type IssueChoices, type IssueFields } from './tracker-api.ts';

/** The result for one item of many. */
export type SendResult = { item: WorkItem } & ({ sent: SentIssue } | { fault: ServiceError });

/**
 * Makes issues of several work items, one after the other, each given to whom the item names where the tracker has such a
 * person. What fails is told in its result, and the others go on; once the tracker asks for patience or does not answer, the
 * rest is not sent. Sending the same again makes what is missing. About a second for an item.
 *
 * @throws ServiceError `unknown_id` for an item or a tracker that the product does not have, `conflict` when the tracker does
 * not accept the token, `bad_argument` for a parent that is not there: nothing was sent then.
 */
export async function sendIssues(
  trackers: Trackers,
  request: ProductRequest,
  {
    trackerId,
    wanted,
    fields,
  }: { trackerId: string; wanted: readonly { handle: string; digest: string }[]; fields: IssueFields },
): Promise<SendResult[]> {
  const tracker = await findTracker(trackers, request, trackerId);
  const api = openTracker(trackers, request, tracker);
  const items: WorkItem[] = [];
  for (const { handle } of wanted) items.push(await findItem(trackers.plans, request, handle));
  await api.check();
  await withParent(api, tracker, fields);
  const isNamed = fields.assignee === undefined && items.some(({ assignee }) => assignee !== '');
  const choices: Pick<IssueChoices, 'assignees'> = isNamed ? await api.choices() : { assignees: [] };
  const results: SendResult[] = [];
  let stop: ServiceError | undefined;
  for (const [at, { handle, digest }] of wanted.entries()) {
    const item = items[at];
    if (item === undefined) break;
    if (stop !== undefined) {
      results.push({ item, fault: stop });
      continue;
    }
    const assignee = fields.assignee ?? namedAssignee(choices, item.assignee);
    try {
      const sent = await sendIssue(trackers, request, { handle, trackerId, digest, fields: { ...fields, assignee } });
      results.push({ item, sent });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      results.push({ item, fault: error });
      if (error.code === 'rate_limited' || error.code === 'upstream_failed') stop = notSent(error);
    }
  }
  return results;
}

function notSent({ code, message, fix }: ServiceError): ServiceError {
  return new ServiceError(code, `Not sent, because of an item before: ${message}`, { fix });
}
