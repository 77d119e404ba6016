/** Readers of a code shard, for other slices in reader threads and indexing processes. */
export { dense, fileAt, firstSymbols, pathOf, testFlags, TextReader } from '../files/store-files.ts';
export { fileOfSymbol, searchSymbols } from '../symbols/store-symbols.ts';
export { usesOf } from '../usages/store-usages.ts';
export { testModules } from '../usages/test-modules.ts';
