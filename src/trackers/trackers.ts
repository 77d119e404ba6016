export type { Trackers } from './context.ts';
export { refreshTrackers } from './refresh-issues.ts';
export { TRACKER_TOKENS } from './store.ts';
export { WEBHOOK_SECRETS as TRACKER_WEBHOOK_SECRETS } from './store-webhooks.ts';
export type { PlanPreviewBody, SentIssuesBody, TrackerListBody } from './tracker-bodies.ts';
