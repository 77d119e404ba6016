/**
 * The queries over a history shard: the module that reader threads import. Each takes the open shard and plain arguments
 * and gives plain rows.
 */
export { fileActivity, filePairs, fileRevisions, fileTimelines } from './store-activity.ts';
export { changelogEntries, packageOfTag, previousVersion } from './store-changelog.ts';
export { commitsOf, explainEmpty, groupCommits, listCommits, searchCommits } from './store-commits.ts';
export { rangeCounts } from './store-compare.ts';
export { fileOwners, mainOwners } from './store-file-owners.ts';
export { commitMessages, filePeople, isPresent } from './store-ownership.ts';
export { readReportHistory } from './store-report-history.ts';
export { findCommits, historyEnd, tagsOfVersions } from './store-range.ts';
export { commitsTouching, filesNamed, findCommit, historyTags, laterPaths, recentPaths } from './store-path-history.ts';
export { commitDetail, hitTerms, lastChanges, pathStates } from './store-show.ts';
export { storedRemovals } from './store-removed-exports.ts';
