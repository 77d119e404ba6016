export { forEachMatch } from './files/store-files.ts';
export { CODE_QUERIES } from './queries/code-queries.ts';
export { embedShard, type EmbedProgress } from './embeddings/embed-shard.ts';
export { encodeSentence } from './ranking/sentences.ts';
export { embeddedRevision } from './ranking/store-embeddings.ts';
export type { HitTexts } from './ranking/store-hit-texts.ts';
export type { SuspectFile, SuspectFunction } from './localise/describe-suspects.ts';
export type { Localised } from './localise/store-localise.ts';
export { readThresholds } from './smells/smell-thresholds.ts';
