export type { Trackers } from './context.ts';
export { refreshTrackers } from './refresh-issues.ts';
export { deleteTrackersWithoutKey } from './store.ts';
