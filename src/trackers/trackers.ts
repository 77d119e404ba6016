export type { Trackers } from './context.ts';
export { refreshTrackers } from './refresh-issues.ts';
export { TRACKER_TOKENS } from './store.ts';
