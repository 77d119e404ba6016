/**
 * The queries over a code shard: the module that reader threads import. Each takes the open shard and plain arguments and
 * gives plain rows; all are bounded by `limit` or by the shard.
 */
export { nearestNames } from './search-names.ts';
export { comments } from './store-comments.ts';
export { deadCode } from './store-dead-code.ts';
export { dependencies } from './store-dependencies.ts';
export { impact } from './store-impact.ts';
export { countFiles, coverage, sourceOf } from './store-files.ts';
export { grep } from './store-grep.ts';
export { hitTexts } from './store-hit-texts.ts';
export { fileSizes, symbolsOnLines } from './store-lines.ts';
export { embeddingTexts } from './store-embeddings.ts';
export { offeredFiles } from './store-offered-files.ts';
export { semanticSearch } from './store-rank.ts';
export { filePlaces, foldersAmong, placesAround, placesWithSyntax, symbolPlaces } from './store-syntax.ts';
export { smells } from './store-smells.ts';
export { findDefinitions, outline, searchSymbols } from './store-symbols.ts';
export { countFamilies, usages } from './store-usages.ts';
