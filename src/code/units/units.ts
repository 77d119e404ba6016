/** Lines of code and documents that are ranked and shown together, and questions as they are read against them. */
export { isSentenceText } from '../ranking/sentences.ts';
export type { ReadWords } from './store-question.ts';
export { isFunctionWord, type RankedUnit } from './store-units.ts';
