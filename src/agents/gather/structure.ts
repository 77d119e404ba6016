import { z } from 'zod';
import type { Tools } from './tools.ts';

const Smell = z.looseObject({
  repo: z.string().optional(),
  path: z.string(),
  line: z.number(),
  symbol: z.string().default(''),
  smell: z.string(),
  value: z.number(),
  threshold: z.number(),
  files: z.array(z.string()).default([]),
});
const MapRow = z.looseObject({
  repo: z.string().optional(),
  part: z.string(),
  path: z.string().default(''),
  line: z.number().optional(),
  symbol: z.string().optional(),
  package: z.string().optional(),
  role: z.string().default(''),
  files: z.number().default(0),
  uses: z.array(z.object({ path: z.string(), files: z.number() })).default([]),
  qualified: z.string().optional(),
  doc: z.string().default(''),
  refs: z.number().default(0),
  reason: z.string().default(''),
});
const Hotspot = z.looseObject({
  repo: z.string().optional(),
  path: z.string(),
  score: z.number(),
  revisions: z.number(),
  authors: z.number(),
  complexity: z.number(),
  fix_share: z.number(),
  lines: z.number(),
});
const Pair = z.looseObject({
  a: z.string(),
  b: z.string(),
  shared: z.number(),
  /** Shared commits in percent of the mean of those to each. */
  degree_pct: z.number(),
  revisions_a: z.number().default(0),
  revisions_b: z.number().default(0),
  linked: z.boolean().default(false),
});
const Edge = z.looseObject({
  from: z.string(),
  to: z.string(),
  relation: z.string(),
  hop: z.number(),
  grade: z.string(),
  line: z.number().optional(),
});
const Line = z.looseObject({ path: z.string(), start: z.number(), body: z.string().default('') });

export type SmellRow = z.output<typeof Smell>;
export type MapEntry = z.output<typeof MapRow>;
export type HotspotRow = z.output<typeof Hotspot>;
export type CoupledPair = z.output<typeof Pair>;
export type EdgeRow = z.output<typeof Edge>;

/** Rows of a question about structure, with the repository they are of. */
interface Rows<Row> {
  repo: string;
  rows: Row[];
  total: number;
}

async function rowsOf<Row extends z.ZodType>(
  tools: Tools,
  name: string,
  args: Record<string, unknown>,
  row: Row,
): Promise<Rows<z.output<Row>>> {
  const found = await tools.ask(name, args, row);
  return {
    repo: found === undefined ? '' : tools.repoOf(found, {}),
    rows: found?.rows ?? [],
    total: found?.total ?? 0,
  };
}

/** Circles of files that import each other, and other smells of the structure. */
export function findSmells(
  tools: Tools,
  kind: readonly string[],
  limit: number,
  path?: string,
): Promise<Rows<SmellRow>> {
  const narrowed = path === undefined ? {} : { path };
  return rowsOf(tools, 'code-tool', { action: 'smells', kind, tests: 'exclude', limit, ...narrowed }, Smell);
}

/** Packages, folders and what they use, entry points and central symbols. */
export function readMap(tools: Tools, path?: string): Promise<Rows<MapEntry>> {
  return rowsOf(tools, 'code-tool', { action: 'map', limit: 100, ...(path !== undefined && { path }) }, MapRow);
}

const Layers = z.object({
  layers: z.array(z.object({ name: z.string(), path: z.string(), files: z.number() })).default([]),
  faults: z.array(z.object({ fromPath: z.string(), toPath: z.string() })).default([]),
});

/** The layers of the code from the top down, and imports that go up. */
export type CodeLayers = z.output<typeof Layers>;

/** The layers that explain the imports best; none where the graph of a repository cannot be asked. One call. */
export async function readLayers(tools: Tools): Promise<CodeLayers> {
  const found = await tools.ask('entity-analysis-tool', { action: 'map' }, z.unknown());
  return Layers.parse(found ?? {});
}

/** Files that change often and are complex, of the last twelve months or of another period. */
export function findHotspots(
  tools: Tools,
  { path, since, limit }: { path?: string | undefined; since?: string; limit: number },
): Promise<Rows<HotspotRow>> {
  const narrowed = { ...(path !== undefined && { path }), ...(since !== undefined && { since }) };
  return rowsOf(tools, 'commit-tool', { action: 'hotspots', limit, ...narrowed }, Hotspot);
}

const Notes = z.object({ notes: z.array(z.string()).default([]) });
const LEFT_OUT = 'left out: ';

/** Files that change together, with the commits that were not counted, in the words of the tool; of the last twelve months or of another period. One call. */
export async function findCoupling(
  tools: Tools,
  { path, since, limit }: { path: string | undefined; since?: string; limit: number },
): Promise<Rows<CoupledPair> & { leftOut: string }> {
  const narrowed = { ...(path !== undefined && { path }), ...(since !== undefined && { since }) };
  const args = { action: 'coupling', limit, ...narrowed };
  const found = await tools.ask('commit-tool', args, Pair);
  const { notes } = Notes.parse(found ?? {});
  const leftOut = notes.find((note) => note.startsWith(LEFT_OUT))?.slice(LEFT_OUT.length) ?? '';
  const repo = found === undefined ? '' : tools.repoOf(found, {});
  return { repo, rows: found?.rows ?? [], total: found?.total ?? 0, leftOut };
}

/** Hops that a path between two places may have. */
const MOST_HOPS = 5;

/**
 * The shortest way from one file or symbol to another over what each depends on; undefined when there is none within five hops.
 * One call for each number of hops.
 */
export async function findPath(
  tools: Tools,
  from: string,
  isTarget: (handle: string) => boolean,
): Promise<EdgeRow[] | undefined> {
  for (const depth of [1, 2, MOST_HOPS]) {
    const found = await tools.ask('code-tool', { action: 'dependencies', query: from, depth, limit: 100 }, Edge);
    const way = walkBack(found?.rows ?? [], isTarget);
    if (way !== undefined || found === undefined) return way;
  }
  return undefined;
}

/** The other files that a file or symbol depends on at once (`out`), or that depend on it (`in`), by what is certain. One call. */
export async function findDependencies(
  tools: Tools,
  of: string,
  direction: 'in' | 'out',
): Promise<{ repo: string; files: string[] }> {
  const asked = { action: 'dependencies', query: of, direction, depth: 1, limit: 100 };
  const { repo, rows } = await rowsOf(tools, 'code-tool', asked, Edge);
  const edges = rows.filter(({ grade }) => grade !== 'name');
  const files = edges.map(({ from, to }) => pathOf(direction === 'in' ? from : to));
  return { repo, files: [...new Set(files)].filter((path) => path !== pathOf(of)) };
}

/** The edges that lead to the first target, from the first to the last. */
function walkBack(edges: readonly EdgeRow[], isTarget: (handle: string) => boolean): EdgeRow[] | undefined {
  const last = edges.find(({ to, grade }) => grade !== 'name' && isTarget(to));
  if (last === undefined) return undefined;
  const way = [last];
  for (let at = last; at.hop > 1;) {
    const before = edges.find(({ to, hop }) => to === at.from && hop < at.hop);
    if (before === undefined) return undefined;
    way.unshift(before);
    at = before;
  }
  return way;
}

/** The lines of a file that name another one: the import that makes it depend on it. */
export async function importLine(
  tools: Tools,
  from: string,
  to: string,
): Promise<{ path: string; line: number; text: string } | undefined> {
  const [file, target] = [pathOf(from), pathOf(to)];
  const found = await tools.ask('code-tool', { action: 'definition', query: `${file}:1-200` }, Line);
  const stem = (target.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
  const name = /^(?:__init__|index|mod|lib)$/.test(stem) ? (target.split('/').at(-2) ?? stem) : stem;
  const lines = (found?.rows[0]?.body ?? '').split('\n');
  const at = lines.findIndex(
    (line) =>
      (/\b(?:import|from|require|use|include|using)\b/.test(line) || IN_BLOCK.test(line)) && line.includes(name),
  );
  return at === -1 ? undefined : { path: file, line: at + 1, text: lines[at] ?? '' };
}

/** A line of a block of imports, as Go has them. */
const IN_BLOCK = /^\s+(?:[\w.]+ )?"[^"]+"$/;

const Symbol = z.looseObject({ id: z.string() });
const Hit = z.looseObject({ path: z.string(), line: z.number(), text: z.string() });
/** Names of a file that are looked for in another, the longest first: short ones are in many lines. */
const MOST_LOOKED_FOR = 30;

/** The first line of a file that names what another one declares: files of one package need no import. Two calls. */
export async function namingLine(tools: Tools, from: string, to: string): Promise<z.output<typeof Hit> | undefined> {
  const declared = await tools.ask('code-tool', { action: 'outline', query: pathOf(to), limit: 100 }, Symbol);
  const names = (declared?.rows ?? []).flatMap(({ id }) => /^sym:(\w+)@/.exec(id)?.[1] ?? []);
  if (names.length === 0) return undefined;
  const longest = names.toSorted((a, b) => b.length - a.length).slice(0, MOST_LOOKED_FOR);
  const query = `\\b(${longest.join('|')})\\b`;
  const found = await tools.ask('code-tool', { action: 'grep', query, path: pathOf(from), limit: 1 }, Hit);
  return found?.rows[0];
}

/** `sym:Class/method@src/a.ts` and `src/a.ts` → src/a.ts. */
export function pathOf(handle: string): string {
  return handle.startsWith('sym:') ? handle.slice(handle.lastIndexOf('@') + 1) : handle;
}
