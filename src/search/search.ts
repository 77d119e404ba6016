export { documentSearchTool } from './document-search-tool.ts';
export type { SearchParts } from './parts.ts';
export { searchTool } from './search-tool.ts';
