/**
 * The queries over a code shard: the module that reader threads import. Each takes the open shard and plain arguments and
 * gives plain rows; all are bounded by `limit` or by the shard.
 */
export { nearestNames } from '../symbols/search-names.ts';
export { comments } from '../comments/store-comments.ts';
export { deadCode } from '../dead-code/store-dead-code.ts';
export { dependencies } from '../dependencies/dependencies.ts';
export { impact } from '../dependencies/store-impact.ts';
export { listFiles } from '../map/list-files.ts';
export { countFiles, coverage, omittedFiles, sourceOf, unreadFiles } from '../files/store-files.ts';
export { fileMeant } from '../files/store-paths.ts';
export { grep } from '../grep/store-grep.ts';
export { implementations } from '../heritage/heritage.ts';
export { resolveFrames } from '../localise/named-places.ts';
export { countMentions, localise } from '../localise/store-localise.ts';
export { codeMap } from '../map/map.ts';
export { hitTexts } from '../ranking/store-hit-texts.ts';
export { definedIn, fileReferences } from '../symbols/store-file-references.ts';
export { fileLines, fileSizes, symbolsOnLines } from '../symbols/store-lines.ts';
export { embeddingTexts } from '../ranking/store-embeddings.ts';
export { offeredFiles } from '../dependencies/store-offered-files.ts';
export { semanticSearch } from '../ranking/store-rank.ts';
export { filePlaces, foldersAmong, placesAround, placesWithSyntax, symbolPlaces } from '../symbols/store-syntax.ts';
export { readQuestion } from '../units/store-question.ts';
export { rankUnits } from '../units/store-units.ts';
export { smells } from '../smells/store-smells.ts';
export { filesOfRoot, testsOf, untestedOf } from '../reach/store-tests.ts';
export { findDefinitions, outline, searchSymbols } from '../symbols/store-symbols.ts';
export { usersOf } from '../usages/store-users.ts';
export { countFamilies, usages } from '../usages/store-usages.ts';
