import { Badge, type Tone } from '../components/inline.tsx';
import type { Plan, WorkItem } from '../knowledge/queries.ts';

export const PLAN_STATUSES = [
  'draft',
  'proposed',
  'accepted',
  'active',
  'done',
  'dropped',
] as const satisfies Plan['status'][];
export const ITEM_STATUSES = ['todo', 'doing', 'done', 'dropped'] as const satisfies WorkItem['status'][];

export const PRIORITIES = ['urgent', 'high', 'medium', 'low'] as const satisfies WorkItem['priority'][];

const TONES: Readonly<Record<Plan['status'], Tone>> = {
  draft: 'neutral',
  proposed: 'neutral',
  accepted: 'accent',
  active: 'accent',
  done: 'good',
  dropped: 'neutral',
};

export function PlanBadge({ status }: Pick<Plan, 'status'>) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}
