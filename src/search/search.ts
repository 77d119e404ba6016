export {
  type CountRow,
  CountOutput,
  DOCUMENT_OUTPUTS,
  DocumentHitsOutput,
  NewOutput,
  TextOutput,
  ThemesOutput,
} from './document-output.ts';
export { type SearchHit, SearchOutput } from './search-output.ts';
export type { SearchParts } from './parts.ts';
