/** Entry points of a shard's files, for other slices. */
export { packageMains } from './store-entry-points.ts';
export { publicSymbols } from './store-offered-files.ts';
