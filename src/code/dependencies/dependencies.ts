/** What other slices ask about how files of a shard are entered. */
export { packageMains } from './store-entry-points.ts';
export { publicSymbols } from './store-offered-files.ts';
