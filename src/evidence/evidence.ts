/** Evidence briefs: what a question is answered with, and the calls that gather it. */
export type { AbsentWord } from './model/question.ts';
export { type AgentTools, type Answered, Operations } from './model/operations.ts';
export { levelOf } from './confidence.ts';
export type { Effort } from './candidates.ts';
export { renderBrief } from './render-brief.ts';
export { isComment } from './facts/lines.ts';
export { contentTerms } from './read-question.ts';
export { searchCorpus } from './search-written.ts';
export { writeBrief } from './write-brief.ts';
