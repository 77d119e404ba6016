export { FileFacts, type FileOwnership, type FileRationale, type FileRequest } from './files/file-facts.ts';
export { HistorySources } from './asking/history-sources.ts';
export { HISTORY_FORMAT } from './mine/history-schema.ts';
export type { HistoryResult, HistoryTask } from './mine/mining.ts';
export { PATH_HISTORY } from './files/path-history.ts';
export {
  hasRemovedExports,
  type RemovedExportsResult,
  type RemovedExportsTask,
} from './removals/write-removed-exports.ts';
export type { AskedFile, PlacedReason, ReasonSource } from './files/rationale.ts';
