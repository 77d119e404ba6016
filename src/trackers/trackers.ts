export { connectTracker, findTracker, listTrackers, removeTracker } from './connections.ts';
export { TRACKER_KINDS, TRACKER_NAMES, type TrackerKind, type Trackers } from './context.ts';
export { refreshItem, refreshTrackers } from './refresh-issues.ts';
export { previewIssue, sendIssue } from './send-issue.ts';
