import type { ListedWorkItem } from '../knowledge/queries.ts';
import { saysWords } from '../says-words.ts';
import { textParameters } from '../search-parameters.ts';

/** Parameters in the address of the list of work items. Without a status it shows open ones: todo and doing. */
export const workItemFilter = textParameters(['query', 'status', 'plan', 'priority', 'assignee', 'ready']);

export type WorkItemFilter = ReturnType<typeof workItemFilter>;

/** Returns the parameters of the request to the service. Words are looked for here, in its answer. */
export function requestOfFilter({ status, plan, priority, assignee, ready }: WorkItemFilter): Record<string, string> {
  const statuses = status ?? 'todo,doing';
  return {
    ...(statuses !== 'all' && { status: statuses }),
    ...(plan !== undefined && { plan }),
    ...(priority !== undefined && { priority }),
    ...(assignee !== undefined && { assignee }),
    ...(ready !== undefined && { ready: 'true' }),
  };
}

/** True if a work item has all of the words. */
export function itemSaysWords(
  item: Pick<ListedWorkItem, 'key' | 'number' | 'title' | 'group' | 'body' | 'plan' | 'assignee' | 'files'>,
  words: string,
): boolean {
  return saysWords(
    [item.key, item.number, item.title, item.group, item.body, item.plan, item.assignee, ...item.files],
    words,
  );
}
