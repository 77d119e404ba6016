export { indexCode, type CodeIndexResult, type CodeIndexRun, type CodeIndexTask } from './indexing.ts';
export { CODE_FORMAT } from './shard-schema.ts';
export { EXACT_COMPILER, type ExactRequest, hasExactLanguage } from './refine/exact-pass.ts';
export type { ScipSummary, ScipTask } from './scip/check-scip.ts';
export { codeTool } from './code-tool.ts';
export { forEachMatch } from './store-files.ts';
export { CodeSources, type CodeToolParts, type IndexedRepository } from './code-sources.ts';
export { codePlaces, type CodePlaces } from './code-places.ts';
export type { CodePlace } from './store-syntax.ts';
