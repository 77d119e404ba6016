import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  DefinedSymbol,
  DependencyRow,
  ImplementationRow,
  SmellRow,
  UsageRow,
} from '../../src/code/outputs/outputs.ts';
import { callTool } from '../api.ts';
import { readQuery } from '../queries.ts';

const OPERATION = 'code-tool';
const USAGES_PAGE = 100;
const MOST_RELATED = 30;
const MOST_SMELLS = 100;

/** A symbol of a repository at a commit; `handle` as operations take it. */
export interface SymbolReference {
  product: string;
  repo: string;
  /** '' for what the index holds. */
  ref: string;
  handle: string;
}

interface Answer<Row> {
  commit?: string;
  total: number;
  at_least?: boolean;
  next?: string;
  rows: Row[];
  notes?: string[];
}

/** A reason for lines of a file: `docs/history.md` says how they are found. */
export interface Reason {
  kind: 'decision' | 'plan' | 'commit' | 'comment' | 'issue';
  id: string;
  text: string;
  confidence: number;
  date: string | null;
}

interface Rationale {
  commit: string;
  ranges: { start: number; end: number; symbol?: string; reasons: Reason[] }[];
}

/** The question about a symbol as an MCP client asks it. */
export function symbolCall(action: string, { repo, ref, handle }: SymbolReference): Record<string, unknown> {
  return { action, query: handle, repo, ...(ref !== '' && { ref }) };
}

function ask<Row>(action: string, reference: SymbolReference, more: object) {
  return queryOptions({
    queryKey: ['symbol', reference, action, more],
    queryFn: ({ signal }) =>
      callTool<Answer<Row>>(
        { product: reference.product, name: OPERATION, signal },
        { ...symbolCall(action, reference), ...more },
      ),
  });
}

export function definitionQuery(reference: SymbolReference) {
  return ask<DefinedSymbol>('definition', reference, { detail: 'body', limit: 5 });
}

/** Reads the implementations, extensions and overrides of a symbol; `above` is what it implements or extends itself. */
export function implementationsQuery(reference: SymbolReference) {
  return ask<ImplementationRow>('implementations', reference, { limit: MOST_RELATED });
}

/** Reads what a symbol calls and uses (`out`), or its callers and users (`in`). */
export function dependenciesQuery(reference: SymbolReference, direction: 'in' | 'out') {
  return ask<DependencyRow>('dependencies', reference, { direction, limit: MOST_RELATED });
}

export function usagesQuery(reference: SymbolReference) {
  return infiniteQueryOptions({
    queryKey: ['symbol', reference, 'usages'],
    queryFn: ({ pageParam, signal }) =>
      callTool<Answer<UsageRow>>(
        { product: reference.product, name: OPERATION, signal },
        {
          ...symbolCall('usages', reference),
          limit: USAGES_PAGE,
          ...(pageParam !== undefined && { cursor: pageParam }),
        },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });
}

/** Test code that uses a file. */
export function testsQuery({ product, repo, path }: { product: string; repo: string; path: string }) {
  return queryOptions({
    queryKey: ['file-tests', product, repo, path],
    queryFn: ({ signal }) =>
      callTool<Answer<DependencyRow>>(
        { product, name: OPERATION, signal },
        { action: 'dependencies', query: path, repo, direction: 'in', tests: 'only', limit: MOST_RELATED },
      ),
  });
}

/** Reads the smells of a file, the worst first. */
export function smellsQuery({ product, repo, ref, path }: Omit<SymbolReference, 'handle'> & { path: string }) {
  return queryOptions({
    queryKey: ['file-smells', product, repo, ref, path],
    queryFn: ({ signal }) =>
      callTool<Answer<SmellRow>>({ product, name: OPERATION, signal }, smellsCall({ repo, ref, path })),
  });
}

/** The same question as an MCP client asks it. */
function smellsCall({ repo, ref, path }: Omit<SymbolReference, 'handle' | 'product'> & { path: string }) {
  return { action: 'smells', path, repo, limit: MOST_SMELLS, ...(ref !== '' && { ref }) };
}

/** Reads the reasons for a file, or for some of its lines, at the indexed commit. */
export function rationaleQuery({ product, repo, path, lines }: RationaleScope) {
  return readQuery<Rationale>(['rationale', product, repo, path, lines], 'artifacts/rationale', {
    product,
    repo,
    path,
    lines,
  });
}

export interface RationaleScope {
  product: string;
  repo: string;
  path: string;
  /** `12-40`; all of the file when absent. */
  lines?: string;
}
