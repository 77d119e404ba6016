export type { Trackers } from './context.ts';
export { refreshTrackers } from './refresh-issues.ts';
export { TRACKER_TOKENS } from './store.ts';
export type { PlanPreviewBody, SentIssuesBody, TrackerListBody } from './tracker-bodies.ts';
