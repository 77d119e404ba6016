import { z } from 'zod';
import { type CodePlace, handleOf, readSymbol } from './code.ts';
import { isAside } from './prefer.ts';
import type { Tools } from './tools.ts';

const Usage = z.looseObject({
  repo: z.string().optional(),
  path: z.string(),
  line: z.number(),
  use: z.string().default('call'),
  enclosing: z.string().default(''),
  text: z.string().default(''),
  grade: z.string().default('name'),
  test: z.boolean().default(false),
});
const Edge = z.looseObject({
  from: z.string(),
  to: z.string(),
  relation: z.string(),
  grade: z.string(),
  to_line: z.number().optional(),
});
const Commit = z.looseObject({
  repo: z.string().optional(),
  sha: z.string(),
  id: z.string(),
  date: z.string(),
  author: z.string(),
  type: z.string().default(''),
  subject: z.string(),
});
const Heir = z.looseObject({
  path: z.string(),
  line: z.number(),
  qualified: z.string(),
  relation: z.string(),
  grade: z.string(),
});

export type Use = z.output<typeof Usage>;
export type CommitRow = z.output<typeof Commit>;
type HeirRow = z.output<typeof Heir>;

/** What a symbol calls, in the order in which its body does. */
export interface Callee {
  symbol: string;
  path: string;
  line: number;
}

/** What stands around a symbol. */
export interface Surroundings {
  /** Uses by code that is no test, by a resolved reference, and how many there are with the rest. */
  uses: Use[];
  totals: { uses: number; tests: number };
  callees: Callee[];
  /** What it extends or implements. */
  parents: Callee[];
  heirs: HeirRow[];
}

/** Callers, callees, parents and heirs of a symbol: three calls at once. */
export async function lookAround(tools: Tools, place: CodePlace): Promise<Surroundings> {
  const query = handleOf(place);
  const repo = place.repo === '' ? {} : { repo: place.repo };
  const [uses, out, heirs] = await Promise.all([
    tools.ask('code-tool', { action: 'usages', query, limit: 100, ...repo }, Usage),
    edgesOf(tools, place),
    isType(place) ? tools.ask('code-tool', { action: 'implementations', query, limit: 20, ...repo }, Heir) : undefined,
  ]);
  const rows = (uses?.rows ?? []).filter(({ use, grade }) => use !== 'import' && use !== 'export' && grade !== 'name');
  const own = rows.filter(({ test }) => !test);
  const live = own.length > 0 || isType(place) ? behindAside(own) : await usesOfFamily(tools, place);
  return {
    uses: live,
    totals: { uses: live.length, tests: rows.length - own.length },
    callees: calledIn(out, place),
    parents: out.filter(({ relation }) => relation === 'extends' || relation === 'implements').map(targetOf),
    heirs: (heirs?.rows ?? []).filter(({ grade }) => grade !== 'name'),
  };
}

/** What a symbol calls, in the order in which its body does. One call. */
export async function readCalls(tools: Tools, place: CodePlace): Promise<Callee[]> {
  return calledIn(await edgesOf(tools, place), place);
}

/** What a symbol depends on by a resolved reference. */
async function edgesOf(tools: Tools, place: CodePlace): Promise<z.output<typeof Edge>[]> {
  const { repo } = place;
  const args = { action: 'dependencies', query: handleOf(place), limit: 50, ...(repo !== '' && { repo }) };
  const edges = await tools.ask('code-tool', args, Edge);
  return (edges?.rows ?? []).filter(({ grade, to }) => grade !== 'name' && to.startsWith('sym:'));
}

function calledIn(edges: readonly z.output<typeof Edge>[], place: CodePlace): Callee[] {
  return inOrderOfCalls(edges.filter(({ relation }) => relation === 'calls').map(targetOf), place);
}

/** Uses by examples and scripts behind those by the code itself. */
function behindAside(uses: readonly Use[]): Use[] {
  return [...uses.filter(({ path }) => !isAside(path)), ...uses.filter(({ path }) => isAside(path))];
}

const Hit = z.looseObject({
  path: z.string(),
  symbol: z.string(),
  hop: z.number(),
  grade: z.string(),
  is_test: z.boolean().default(false),
});
const MOST_CALLERS = 2;

/** Calls of what a symbol overrides or implements: a reader finds the symbol by them, and it has no other uses. */
async function usesOfFamily(tools: Tools, { symbol, path, repo }: CodePlace): Promise<Use[]> {
  const of = repo === '' ? {} : { repo };
  const found = await tools.ask(
    'code-tool',
    { action: 'impact', query: `sym:${symbol}@${path}`, limit: 20, ...of },
    Hit,
  );
  const callers = (found?.rows ?? []).filter(
    ({ hop, grade, is_test: isTest }) => hop === 1 && grade !== 'name' && !isTest,
  );
  const read = await Promise.all(
    callers.slice(0, MOST_CALLERS).map((caller) => readSymbol(tools, { ...caller, repo })),
  );
  const name = lastPart(symbol);
  return read.flatMap((caller) => {
    const lines = caller?.body.split('\n') ?? [];
    // What overrides it has its name too, and so has the type around that: such a line defines it and calls nothing.
    const head = caller !== undefined && lastPart(caller.symbol) === name ? 1 : 0;
    const at = lines.findIndex((line, index) => index >= head && line.includes(`${name}(`));
    const text = lines[at];
    if (caller === undefined || text === undefined || isType(caller)) return [];
    return [
      {
        path: caller.path,
        line: caller.start + at,
        use: 'call',
        enclosing: caller.symbol,
        text,
        grade: 'resolved',
        test: false,
      },
    ];
  });
}

/** Commits whose words fit a question, each with its repository. */
export async function findCommits(
  tools: Tools,
  query: string,
  more: { since?: string; limit: number },
): Promise<(CommitRow & { repo: string })[]> {
  const found = await tools.ask('commit-tool', { action: 'search', query, since: '10y', ...more }, Commit);
  return (found?.rows ?? []).map((row) => ({ ...row, repo: tools.repoOf(found ?? { repo: '' }, row) }));
}

/** Whether a place is a type. */
export function isType({ kind }: Pick<CodePlace, 'kind'>): boolean {
  return ['class', 'interface', 'struct', 'trait', 'enum', 'type', 'object', 'protocol'].includes(kind);
}

function targetOf({ to, to_line: line = 1 }: z.output<typeof Edge>): Callee {
  const [, symbol = '', path = ''] = /^sym:(.*)@([^@]+)$/.exec(to) ?? [];
  return { symbol, path, line };
}

/** Callees where their names stand first in the body; those whose name it does not have come last. */
function inOrderOfCalls(callees: readonly Callee[], { body }: CodePlace): Callee[] {
  const at = (callee: Callee): number => {
    const name = lastPart(callee.symbol);
    const found = body.search(new RegExp(`(?<![\\w$])${name.replaceAll(/[^\w]/g, '\\$&')}(?![\\w$])\\s*[(<\`]`));
    return found === -1 ? body.length : found;
  };
  return callees
    .map((callee) => ({ callee, at: at(callee) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ callee }) => callee);
}

/** `Class/method` → method. */
export function lastPart(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf('/') + 1).replace(/\(.*$/, '');
}
