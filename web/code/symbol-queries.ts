import type { CODE_OUTPUTS, DefinedSymbol } from '../../src/code/outputs/outputs.ts';
import { readQuery, type ToolAnswer, toolPages, toolQuery } from '../queries.ts';

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

type Answer<Action extends keyof typeof CODE_OUTPUTS> = ToolAnswer<(typeof CODE_OUTPUTS)[Action]>;
/** Of a symbol that is named, and not of lines. */
type Definition = Omit<Answer<'definition'>, 'rows'> & { rows: DefinedSymbol[] };

function ask<Output>(action: string, reference: SymbolReference, more: object) {
  const given = { ...symbolCall(action, reference), ...more };
  return toolQuery<Output>('code', { product: reference.product, name: OPERATION }, given);
}

export function definitionQuery(reference: SymbolReference) {
  return ask<Definition>('definition', reference, { detail: 'body', limit: 5 });
}

/** Reads the implementations, extensions and overrides of a symbol; `above` is what it implements or extends itself. */
export function implementationsQuery(reference: SymbolReference) {
  return ask<Answer<'implementations'>>('implementations', reference, { limit: MOST_RELATED });
}

/** Reads what a symbol calls and uses (`out`), or its callers and users (`in`). */
export function dependenciesQuery(reference: SymbolReference, direction: 'in' | 'out') {
  return ask<Answer<'dependencies'>>('dependencies', reference, { direction, limit: MOST_RELATED });
}

export function usagesQuery(reference: SymbolReference) {
  const given = { ...symbolCall('usages', reference), limit: USAGES_PAGE };
  return toolPages<Answer<'usages'>>('code', { product: reference.product, name: OPERATION }, given);
}

/** Test code that uses a file. */
export function testsQuery({ product, repo, path }: { product: string; repo: string; path: string }) {
  const given = { action: 'dependencies', query: path, repo, direction: 'in', tests: 'only', limit: MOST_RELATED };
  return toolQuery<Answer<'dependencies'>>('code', { product, name: OPERATION }, given);
}

/** Reads the smells of a file, the worst first. */
export function smellsQuery({ product, repo, ref, path }: Omit<SymbolReference, 'handle'> & { path: string }) {
  const given = { action: 'smells', path, repo, limit: MOST_SMELLS, ...(ref !== '' && { ref }) };
  return toolQuery<Answer<'smells'>>('code', { product, name: OPERATION }, given);
}

/** Reads the reasons for a file, or for some of its lines, at the indexed commit. */
export function rationaleQuery({ product, repo, path, lines }: RationaleScope) {
  return readQuery<Rationale>('code', 'artifacts/rationale', { product, repo, path, lines });
}

export interface RationaleScope {
  product: string;
  repo: string;
  path: string;
  /** `12-40`; all of the file when absent. */
  lines?: string;
}
