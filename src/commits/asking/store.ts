/**
 * The queries over a history shard: the module that reader threads import. Each takes the open shard and plain arguments
 * and gives plain rows.
 */
export { fileActivity, filePairs } from '../queries/store-activity.ts';
export { changelogEntries, previousVersion } from '../queries/store-changelog.ts';
export { commitsOf, explainEmpty, groupCommits, listCommits, searchCommits } from '../queries/store-commits.ts';
export { hitTerms, lastChanges } from '../queries/store-hit-terms.ts';
export { commitMessages, filePeople, isPresent } from '../queries/store-ownership.ts';
export { filesNamed, historyTags } from '../queries/store-names.ts';
export { findCommits, historyEnd } from '../queries/store-range.ts';
export { laterPaths } from '../queries/store-path-history.ts';
export { commitDetail } from '../queries/store-show.ts';
export { storedRemovals } from '../queries/store-removed-exports.ts';
export { fileTimelines } from '../queries/store-timelines.ts';
