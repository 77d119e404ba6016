/** Evidence briefs: what a question is answered with, and the calls that gather it. */
export type { ComputeFacts, Fact, NextCall, Reference, SourceKind } from './model/brief.ts';
export { type AgentTools, type Answered, Operations } from './model/operations.ts';
export type { AbsentWord, NamedPlace, NamedThing } from './model/question.ts';
export { renderBrief } from './render-brief.ts';
