/** Evidence briefs: what a question is answered with, and the calls that gather it. */
export type { AbsentWord } from './model/question.ts';
export { type AgentTools, type Answered, Operations } from './model/operations.ts';
export { renderBrief } from './render-brief.ts';
export { writeBrief } from './write-brief.ts';
