import { z } from 'zod';
import { isTestPath } from '../../languages/languages.ts';
import { type CodePlace, findNamed } from './code.ts';
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
  kind: z.string().default(''),
  manifest: z.string().default(''),
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
  fixes: z.number().default(0),
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
export const Edge = z.looseObject({
  from: z.string(),
  to: z.string(),
  relation: z.string(),
  hop: z.number(),
  grade: z.string(),
  line: z.number().optional(),
});

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

export async function rowsOf<Row extends z.ZodType>(
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

/** What smells in the structure, the worst first. */
export function findSmells(
  tools: Tools,
  kind: readonly string[],
  limit: number,
  path?: string,
): Promise<Rows<SmellRow>> {
  const narrowed = path === undefined ? {} : { path };
  return rowsOf(tools, 'code-tool', { action: 'smells', kind, tests: 'exclude', limit, ...narrowed }, Smell);
}

const TYPES_ALONE = /^not counted, closed by types alone: /;

/** Circles of files that import each other at run time, and what is known of those that only imports of types close; '' when there are none. */
export async function findCycles(tools: Tools): Promise<Rows<SmellRow> & { ofTypes: string }> {
  // A path would leave out circles that begin elsewhere and lead through it.
  const asked = { action: 'smells', kind: ['cycle'], tests: 'exclude', limit: 100 };
  const found = await tools.ask('code-tool', asked, Smell);
  const { notes } = Notes.parse(found ?? {});
  const ofTypes = notes.find((note) => TYPES_ALONE.test(note))?.replace(TYPES_ALONE, '') ?? '';
  const repo = found === undefined ? '' : tools.repoOf(found, {});
  return { repo, rows: found?.rows ?? [], total: found?.total ?? 0, ofTypes };
}

/** Pages of 100 rows that are read. */
const MOST_PAGES = 6;

const MapPage = z.object({
  next: z.string().optional(),
  counts: z.object({ packages: z.number().default(0) }).default({ packages: 0 }),
});

/** Packages, folders and what they use, entry points and central symbols; all packages of up to six pages, of the rest what the pages have. */
export async function readMap(tools: Tools, path?: string): Promise<Rows<MapEntry>> {
  const asked = { action: 'map', limit: 100, ...(path !== undefined && { path }) };
  const rows: MapEntry[] = [];
  let [repo, total, cursor]: [string, number, string | undefined] = ['', 0, undefined];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const found = await tools.ask('code-tool', cursor === undefined ? asked : { ...asked, cursor }, MapRow);
    if (found === undefined) break;
    const { next, counts } = MapPage.parse(found);
    rows.push(...found.rows);
    repo = tools.repoOf(found, {});
    total = found.total;
    cursor = next;
    if (cursor === undefined || rows.filter(({ part }) => part === 'packages').length >= counts.packages) break;
  }
  return { repo, rows, total };
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

/** A symbol, a file or a folder at which a way ends. */
interface WayTarget {
  path: string;
  isReached: (handle: string) => boolean;
}

/** A way of dependencies, and how many were followed in vain where there is none. */
interface FoundWay {
  way: EdgeRow[] | undefined;
  followed: number;
  /** Whether some were left out, so that a way may have been missed. */
  isCut: boolean;
}

const Walked = z.object({ cut: z.boolean().default(false), notes: z.array(z.string()).default([]) });

/**
 * The shortest way from a file, a folder or a symbol to another over what each depends on, within five hops; none when there is
 * none. One or two calls for each hop.
 */
export async function findPath(tools: Tools, from: string, target: WayTarget): Promise<FoundWay> {
  // What only names something of another file may know it by what others declare: files depend by imports, where a language has
  // them, else by what they do with it.
  if (from.startsWith('sym:')) return followWay(tools, from, target);
  const byImports = await followWay(tools, from, target, IMPORTED);
  return byImports.way === undefined ? followWay(tools, from, target, DONE) : byImports;
}

const IMPORTED = ['imports'];
const DONE = ['imports', 'calls', 'extends', 'implements'];

async function followWay(tools: Tools, from: string, target: WayTarget, kind?: readonly string[]): Promise<FoundWay> {
  const way: EdgeRow[] = [];
  let { path, isReached } = target;
  let depth = MOST_HOPS;
  for (;;) {
    const asked = { action: 'dependencies', query: from, depth, path, limit: 100, ...(kind !== undefined && { kind }) };
    const found = await tools.ask('code-tool', asked, Edge);
    const { notes } = Walked.parse(found ?? {});
    // What only tests depend on, the program does not.
    const last = found?.rows.find(
      (edge) => edge.grade !== 'name' && isReached(edge.to) && !isTestPath(pathOf(edge.from)),
    );
    if (last === undefined) {
      const followed = Number(notes.flatMap((note) => FOLLOWED.exec(note)?.[1] ?? [])[0] ?? 0);
      const isCut = notes.some((note) => note.startsWith('stopped after'));
      return { way: way.length === 0 ? undefined : way, followed, isCut: isCut || found === undefined };
    }
    way.unshift(last);
    if (last.hop <= 1) return { way, followed: 0, isCut: false };
    depth = last.hop - 1;
    path = pathOf(last.from);
    isReached = (handle) => handle === last.from;
  }
}

const FOLLOWED = /^(\d+) dependencies, but none/;

/** What depends on something, or what that depends on. */
interface Dependencies {
  repo: string;
  files: string[];
  /** Whether all are known, and by a compiler. */
  isWhole: boolean;
  isExact: boolean;
}

const Page = z.object({ next: z.string().optional(), notes: z.array(z.string()).default([]) });

/**
 * The other files that a file or symbol depends on at once (`out`), or that depend on it (`in`), by what is certain and `isMeant`.
 * One call for each 100 dependencies, up to six.
 */
export async function findDependencies(
  tools: Tools,
  of: string,
  direction: 'in' | 'out',
  isMeant: (edge: EdgeRow) => boolean = () => true,
): Promise<Dependencies> {
  const edges: EdgeRow[] = [];
  let [repo, cursor, isWhole]: [string, string | undefined, boolean] = ['', undefined, true];
  for (let page = 0; page < MOST_PAGES && (page === 0 || cursor !== undefined); page += 1) {
    const asked = { action: 'dependencies', query: of, direction, depth: 1, limit: 100 };
    const found = await tools.ask('code-tool', cursor === undefined ? asked : { ...asked, cursor }, Edge);
    if (found === undefined) break;
    const { next, notes } = Page.parse(found);
    repo = tools.repoOf(found, {});
    cursor = next;
    if (notes.some((note) => /^(?:stopped after|\d+ possible)/.test(note))) isWhole = false;
    edges.push(...found.rows.filter((edge) => edge.grade !== 'name' && isMeant(edge)));
  }
  // What imports a thing shows it more plainly than what only uses what that declares.
  const shown = edges.toSorted((a, b) => Number(b.relation === 'imports') - Number(a.relation === 'imports'));
  const files = shown.map(({ from, to }) => pathOf(direction === 'in' ? from : to));
  return {
    repo,
    files: [...new Set(files)].filter((path) => path !== pathOf(of)),
    isWhole: isWhole && cursor === undefined,
    isExact: edges.every(({ grade }) => grade === 'exact'),
  };
}

/** The files of one part that depend on another part at once, of at most 100 dependencies, the first ones first. One call. */
export async function findLinks(
  tools: Tools,
  from: string,
  to: string,
): Promise<{ files: string[]; isWhole: boolean }> {
  const asked = { action: 'dependencies', query: from, path: to, depth: 1, tests: 'exclude', limit: 100 };
  const imported = await rowsOf(tools, 'code-tool', { ...asked, kind: IMPORTED }, Edge);
  const { rows, total } =
    imported.rows.length > 0 ? imported : await rowsOf(tools, 'code-tool', { ...asked, kind: DONE }, Edge);
  const files = rows.filter(({ grade }) => grade !== 'name').map((edge) => pathOf(edge.from));
  return { files: [...new Set(files)].filter((path) => !isTestPath(path)), isWhole: rows.length >= total };
}

/** `sym:Class/method@src/a.ts` and `src/a.ts` → src/a.ts. */
export function pathOf(handle: string): string {
  return handle.startsWith('sym:') ? handle.slice(handle.lastIndexOf('@') + 1) : handle;
}

/** A place as calls take it. */
export function handleOf({ symbol, path }: Pick<CodePlace, 'symbol' | 'path'>): string {
  return symbol === '' ? path : `sym:${symbol}@${path}`;
}

/** The line of a file at which something begins. One call. */
export async function headOf(tools: Tools, repo: string, path: string, line: number): Promise<CodePlace | undefined> {
  const [found] = await findNamed(tools, `${path}:${line}-${line}`);
  return found === undefined ? undefined : { ...found, repo };
}
