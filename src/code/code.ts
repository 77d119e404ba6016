export { indexCode, type CodeIndexResult, type CodeIndexRun, type CodeIndexTask } from './indexing.ts';
export { isCurrentCodeShard } from './shard-queries.ts';
