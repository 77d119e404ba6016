import type { Action } from '../action.ts';
import { Select } from '../components/field.tsx';
import { Badge } from '../components/inline.tsx';
import type { WorkItem, WorkItemChange } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { ITEM_STATUSES } from './status.tsx';

export const STATUS_CHOICES = ITEM_STATUSES.map((value) => ({ value, label: value }));

/** Whose status it is, as read aloud, and what changes it. */
interface ItemStatusProps {
  item: WorkItem;
  name: string;
  change: Action<WorkItemChange>;
}

/** The status of a work item: members choose another in its place. */
export function ItemStatus({ item, name, change }: ItemStatusProps) {
  const { atLeast } = useSession();
  if (!atLeast('member')) return <Badge>{item.status}</Badge>;
  return (
    <Select
      aria-label={`Status of ${name}`}
      value={item.status}
      choices={STATUS_CHOICES}
      disabled={change.busy}
      onChoose={(status) => change.run({ status })}
      className="min-w-24"
    />
  );
}
