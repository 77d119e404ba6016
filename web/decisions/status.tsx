import { Badge, type Tone } from '../components/inline.tsx';
import type { Decision } from '../knowledge/queries.ts';

/** Statuses that a person can set; `superseded` comes from the decision that replaces it. */
export const GIVEN_STATUSES = [
  'proposed',
  'accepted',
  'rejected',
  'deprecated',
] as const satisfies Decision['status'][];

export const DECISION_STATUSES = [...GIVEN_STATUSES, 'superseded'] as const satisfies Decision['status'][];

const TONES: Readonly<Record<Decision['status'], Tone>> = {
  proposed: 'accent',
  accepted: 'good',
  rejected: 'bad',
  deprecated: 'neutral',
  superseded: 'neutral',
};

export function DecisionBadge({ status }: Pick<Decision, 'status'>) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}
