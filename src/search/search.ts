export type { SearchParts } from './parts.ts';
