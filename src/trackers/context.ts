import type { NetPolicy } from '../platform/net.ts';
import type { SecretKeys } from '../platform/secrets.ts';
import type { Plans } from '../plans/plans.ts';
import type { TrackerRow } from './store.ts';

/** The parts that every function of this slice works on. Holds no resource: nothing to close. */
export interface Trackers {
  plans: Plans;
  /** Tokens are encrypted with them. */
  keys: SecretKeys;
  net: NetPolicy;
  /** Lets time pass between attempts. */
  wait: (ms: number) => Promise<void>;
  now: () => Date;
}

export const TRACKER_KINDS = ['github', 'gitlab', 'linear', 'jira'] as const;
export type TrackerKind = (typeof TRACKER_KINDS)[number];

export const TRACKER_NAMES: Readonly<Record<TrackerKind, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  linear: 'Linear',
  jira: 'Jira',
};

/** The destination of an issue: an equal one is the same, whatever connection it goes through. */
export type Destination = Pick<TrackerRow, 'kind' | 'baseUrl' | 'project'>;

export function isSameDestination(one: Destination, other: Destination): boolean {
  return one.kind === other.kind && one.baseUrl === other.baseUrl && one.project === other.project;
}
