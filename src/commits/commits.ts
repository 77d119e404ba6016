export { commitTool } from './commit-tool.ts';
export { HISTORY_FORMAT } from './history-schema.ts';
export type { HistoryResult, HistoryTask } from './mining.ts';
export { PATH_HISTORY } from './path-history.ts';
