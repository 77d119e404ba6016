/**
 * The queries over a history shard: the module that reader threads import. Each takes the open shard and plain arguments
 * and gives plain rows.
 */
export { fileActivity, filePairs } from './store-activity.ts';
export { groupCommits, searchCommits } from './store-commits.ts';
export { findCommits, historyEnd } from './store-range.ts';
