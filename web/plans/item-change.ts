import { useChanges } from '../action.ts';
import { send } from '../api.ts';
import type { WorkItem, WorkItemChange } from '../knowledge/queries.ts';

/** Changes fields of a work item; what was edited stays until the text says something new about it. */
export function useSendItemChange({ id }: WorkItem): (change: WorkItemChange) => Promise<void> {
  const { path, apply } = useChanges();
  return (change) =>
    apply(send<WorkItem>('PATCH', path(`work-items/${encodeURIComponent(id)}`), change), { to: 'plan' });
}
