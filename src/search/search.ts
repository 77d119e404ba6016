export { type CountRow, CountOutput, DocumentHitsOutput, NewOutput, ThemesOutput } from './document-output.ts';
export type { SearchParts } from './parts.ts';
