export { commitTool } from './commit-tool.ts';
export { FileFacts, type FileOwnership, type FileRationale, type FileRequest } from './file-facts.ts';
export { HistorySources } from './history-sources.ts';
export { HISTORY_FORMAT } from './history-schema.ts';
export type { HistoryResult, HistoryTask } from './mining.ts';
export { PATH_HISTORY } from './path-history.ts';
export { hasRemovedExports, type RemovedExportsResult, type RemovedExportsTask } from './write-removed-exports.ts';
export type { AskedFile, PlacedReason, ReasonSource } from './rationale.ts';
