/** What other slices read a code shard with, in reader threads and indexing processes. */
export { dense, fileAt, firstSymbols, pathOf, testFlags, TextReader } from '../files/store-files.ts';
export { fileOfSymbol, searchSymbols } from '../symbols/store-symbols.ts';
export { usesOf } from '../usages/store-usages.ts';
