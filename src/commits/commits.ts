export { FileFacts } from './files/file-facts.ts';
export { HISTORY_QUERIES, type HistorySources } from './queries/history-queries.ts';
export { HISTORY_FORMAT } from './mine/history-schema.ts';
export type { ReportHistory } from './queries/store-report-history.ts';
export type { HistoryResult, HistoryTask } from './mine/mine.ts';
export { hasRemovedExports, type RemovedExportsResult, type RemovedExportsTask } from './removals/removals.ts';
export type { PlacedReason, ReasonSource } from './files/rationale.ts';
