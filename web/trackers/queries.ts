import { queryOptions } from '@tanstack/react-query';
import type {
  IssueChoicesBody,
  IssueListBody,
  IssuePreviewBody,
  PlanPreviewBody,
  TrackerListBody,
} from '../../src/trackers/tracker-bodies.ts';
import { get } from '../api.ts';
import { readQuery } from '../queries.ts';

export const TRACKER_NAMES = { github: 'GitHub', gitlab: 'GitLab', linear: 'Linear', jira: 'Jira' } as const;

export type TrackerKind = keyof typeof TRACKER_NAMES;

export function trackersQuery(product: string) {
  return readQuery<TrackerListBody>(['trackers', product], 'trackers', { product });
}

/** The issues of all work items of a plan. */
export function issuesQuery(product: string, slug: string) {
  return readQuery<IssueListBody>(['issues', product, slug], `plans/${encodeURIComponent(slug)}/issues`, { product });
}

/**
 * Reads the choices that the tracker offers for the issue of an item. Each read is a request to the tracker, so it is cached
 * for a while.
 */
export function choicesQuery(product: string, { item, tracker }: { item: string; tracker: string }) {
  return queryOptions({
    queryKey: ['issue-choices', product, item, tracker],
    queryFn: () => get<IssueChoicesBody>(`work-items/${encodeURIComponent(item)}/issue-choices`, { product, tracker }),
    staleTime: 60_000,
  });
}

/** Reads a preview of what would be sent now; never a cached one, because sending requires exactly this. */
export function previewQuery(product: string, { item, tracker }: { item: string; tracker: string }) {
  return queryOptions({
    queryKey: ['issue-preview', product, item, tracker],
    queryFn: () => get<IssuePreviewBody>(`work-items/${encodeURIComponent(item)}/issue-preview`, { product, tracker }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Reads a preview of the items of a plan as they would be sent now; never a cached one, as above. */
export function planPreviewQuery(product: string, { slug, tracker }: { slug: string; tracker: string }) {
  return queryOptions({
    queryKey: ['plan-preview', product, slug, tracker],
    queryFn: () => get<PlanPreviewBody>(`plans/${encodeURIComponent(slug)}/issue-previews`, { product, tracker }),
    staleTime: 0,
    gcTime: 0,
  });
}
