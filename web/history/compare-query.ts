import type { COMMIT_OUTPUTS } from '../../src/commits/outputs/outputs.ts';
import type { ToolCall } from '../components/entity-link.tsx';
import { type ToolAnswer, toolPages } from '../queries.ts';
import { compareRange, type RefPair } from './compare-rows.ts';
import type { HistorySource } from './queries.ts';

const PAGE = 100;
/** Room for a page of rows. */
const MOST_TOKENS = 20_000;

export type ComparePage = ToolAnswer<(typeof COMMIT_OUTPUTS)['compare']>;

/** The comparison as an MCP client asks for it. */
export function compareCall(repo: string, refs: RefPair): ToolCall {
  return { name: 'commit-tool', arguments: { action: 'compare', query: compareRange(refs), repo } };
}

export function compareQuery({ product, id, commit }: HistorySource, refs: RefPair) {
  const { name, arguments: compared } = compareCall(id, refs);
  const given = { ...compared, limit: PAGE, max_tokens: MOST_TOKENS };
  return toolPages<ComparePage>('history', { product, name }, given, {
    of: commit,
    enabled: refs.since !== '',
    retry: false,
  });
}
