// Loads nothing of the queries, which run in reader threads: a service starts without the weights of its rankings.
export { isSentenceText } from '../ranking/sentences.ts';
export type { ReadWords } from './store-question.ts';
export type { RankedUnit } from './store-units.ts';
