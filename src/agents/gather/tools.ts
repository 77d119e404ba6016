export { type AgentTools, type Answered, Operations as Tools } from '../../evidence/evidence.ts';
