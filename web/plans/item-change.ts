import { type Action, useAction, useChanges } from '../action.ts';
import { type ApiError, send } from '../api.ts';
import type { WorkItem, WorkItemChange } from '../knowledge/queries.ts';

/** Changes fields of a work item; what was edited stays until the text says something new about it. */
export function useItemChange(
  item: WorkItem,
  { onProblem, onDone }: { onProblem?: (problem: ApiError) => void; onDone?: () => void },
): Action<WorkItemChange> {
  const { path, refresh } = useChanges();
  return useAction<WorkItemChange>(async (change) => {
    await send<WorkItem>('PATCH', path(`work-items/${encodeURIComponent(item.id)}`), change);
    await refresh('plan');
    void refresh('plans', 'work-items');
    onDone?.();
  }, onProblem);
}
