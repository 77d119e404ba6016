import type {
  IssueChoicesBody,
  IssueListBody,
  IssuePreviewBody,
  PlanPreviewBody,
  TrackerListBody,
} from '../../src/trackers/tracker-bodies.ts';
import { readQuery } from '../queries.ts';

export const TRACKER_NAMES = { github: 'GitHub', gitlab: 'GitLab', linear: 'Linear', jira: 'Jira' } as const;

export type TrackerKind = keyof typeof TRACKER_NAMES;

export function trackersQuery(product: string) {
  return readQuery<TrackerListBody>('trackers', 'trackers', { product });
}

/** The issues of all work items of a plan. */
export function issuesQuery(product: string, slug: string) {
  return readQuery<IssueListBody>('issues', `plans/${encodeURIComponent(slug)}/issues`, { product });
}

/**
 * Reads the choices that the tracker offers for the issue of an item. Each read is a request to the tracker, so it is cached
 * for a while.
 */
export function choicesQuery(product: string, { item, tracker }: { item: string; tracker: string }) {
  const path = `work-items/${encodeURIComponent(item)}/issue-choices`;
  return readQuery<IssueChoicesBody>('trackers', path, { product, tracker }, { staleTime: 60_000 });
}

/** What is read each time, because sending requires exactly this. */
const NEVER_CACHED = { staleTime: 0, gcTime: 0 };

/** Reads a preview of what would be sent now. */
export function previewQuery(product: string, { item, tracker }: { item: string; tracker: string }) {
  const path = `work-items/${encodeURIComponent(item)}/issue-preview`;
  return readQuery<IssuePreviewBody>('issue-preview', path, { product, tracker }, NEVER_CACHED);
}

/** Reads a preview of the items of a plan as they would be sent now. */
export function planPreviewQuery(product: string, { slug, tracker }: { slug: string; tracker: string }) {
  const path = `plans/${encodeURIComponent(slug)}/issue-previews`;
  return readQuery<PlanPreviewBody>('issue-preview', path, { product, tracker }, NEVER_CACHED);
}
