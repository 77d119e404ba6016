/** Questions answered from what all tools know, with sources that are looked up again. */
export { askArchitectureTool } from './ask-tools.ts';
export type { AgentTools } from './gather/tools.ts';
