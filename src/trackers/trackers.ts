export { connectTracker, listTrackers, removeTracker } from './connections.ts';
export type { Trackers } from './context.ts';
export { refreshItem, refreshTrackers } from './refresh-issues.ts';
export { previewIssue, sendIssue } from './send-issue.ts';
export { deleteTrackersWithoutKey } from './store.ts';
