import type { CompareRow } from '../../src/commits/outputs/outputs.ts';
import type { ToolCall } from '../components/entity-link.tsx';
import { toolPages } from '../queries.ts';
import { compareRange, type RefPair } from './compare-rows.ts';
import type { HistorySource } from './queries.ts';

const PAGE = 100;
/** Room for a page of rows. */
const MOST_TOKENS = 20_000;

/** An answer of `commit-tool compare`. */
export interface ComparePage {
  total: number;
  at_least?: boolean;
  rows: CompareRow[];
  next?: string;
  notes?: string[];
  /** The compared commits, in full. */
  from: string;
  to: string;
  commits: { total?: number; by_type?: Record<string, number> };
  files: { total: number; plus: number; minus: number };
  symbols: { added: number; removed: number; changed: number; moved: number; breaking: number };
}

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
