import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { relationBit, RELATIONS, relationsOfUses, strongestRelation } from '../../code-index/format/relations.ts';
import type { Grade, Relation } from '../../code-index/format/rows.ts';
import { importedAtRunTime, referencesInto } from '../usages/file-imports.ts';
import { usesIn } from '../usages/store-usages.ts';
import {
  byLocation,
  type Edge,
  edgesIn,
  edgesOut,
  type EndRow,
  EndRows,
  fileEdges,
  fileOfNode,
  filesAt,
  isFileNode,
  isFunction,
  type Node,
  nodesOnLines,
  outermostFunction,
  type Root,
  withInner,
} from './store-dependencies-nodes.ts';
import { EXACT_BIT } from '../../code-index/format/shard-input.ts';
import { type FileFilter, fileMask, type Page, testFlags } from '../files/store-files.ts';
import { withFamilies } from '../usages/store-overrides.ts';

export { packageMains } from './store-entry-points.ts';
export { publicSymbols } from './store-offered-files.ts';

/** References of one file to another one whose lines are compared: the first is nearly always among them. */
const MOST_COMPARED = 8;

/** Line and kind of a dependency of one file on another. */
interface FileEdge {
  /** The first line that shows it; 0 where nothing of the other file is named. */
  line: number;
  /** It is gone at run time: only types are needed. */
  isOfTypes: boolean;
}

/** Describes edges between files, each file read once. */
function describeFileEdges(
  db: ShardDatabase,
  edges: readonly { edge: Edge; relation: Relation }[],
): Map<Edge, FileEdge> {
  const described = new Map<Edge, FileEdge>();
  const between = edges.filter(({ edge: { from, to } }) => isFileNode(from) && isFileNode(to));
  for (const [file, own] of Map.groupBy(between, ({ edge }) => fileOfNode(db, edge.from))) {
    const into = referencesInto(
      db,
      file,
      own.map(({ edge }) => fileOfNode(db, edge.to)),
    );
    const atRunTime = new Set(importedAtRunTime(db, into));
    for (const { edge, relation } of own) {
      const target = fileOfNode(db, edge.to);
      const line = edge.line || firstLine(db, file, { references: into.references.get(target) ?? [], relation });
      described.set(edge, { line, isOfTypes: relation === 'imports' && !atRunTime.has(target) });
    }
  }
  return described;
}

/** The first line where one of some symbols is used as a relation says, else where one is used at all. */
function firstLine(
  db: ShardDatabase,
  file: number,
  { references, relation }: { references: readonly { target: number; uses: number }[]; relation: Relation },
): number {
  const isOf = (uses: number): boolean => (relationsOfUses(uses) & relationBit(relation)) !== 0;
  const fitting = references.filter(({ uses }) => isOf(uses));
  const uses = (fitting.length > 0 ? fitting : references)
    .slice(0, MOST_COMPARED)
    .flatMap(({ target }) => usesIn(db, target, file));
  const best = uses.filter(({ use }) => isOf(1 << use));
  return (best.length > 0 ? best : uses).reduce((least, { line }) => Math.min(least || line, line), 0);
}

/** Dependencies that one question follows; then it stops and says so. */
const MOST_EDGES = 20_000;

interface DependencySearch extends FileFilter, Page {
  root: Root;
  direction: 'in' | 'out' | 'both';
  /** Hops, 1 to 5. */
  depth: number;
  /** Follows only these; all when absent. */
  relations?: readonly Relation[] | undefined;
}

/** `from` depends on `to`. `hop` is 1 for what touches the root. */
export interface DependencyRow {
  from: EndRow;
  to: EndRow;
  relation: Relation;
  hop: number;
  grade: Grade;
  /** An import that is gone at run time: only types are needed. */
  isOfTypes: boolean;
}

interface DependencyPage {
  /** Exact, over all pages, unless `isCut`. */
  total: number;
  /** The same whatever `path` and `tests` keep. */
  followed: number;
  byRelation: Partial<Record<Relation, number>>;
  /** True when there were more than 20,000 dependencies to follow: those farthest away are missing. */
  isCut: boolean;
  rows: DependencyRow[];
}

interface ReachedEdge {
  edge: Edge;
  relation: Relation;
  hop: number;
  /** The end that the question reached. */
  reached: Node;
}

interface Walk {
  side: 'in' | 'out';
  depth: number;
  areFiles: boolean;
  relationBits: number;
}

/**
 * Dependencies of the root, its dependents, or both, breadth first: by hop, then by the location of `from`, then of `to`. A
 * symbol stands for all that is inside it, and an override family for one when its users are requested. A path is answered file
 * by file; what happens inside of it is omitted. Each node is followed once, so circles end. `path` selects the rows whose far
 * end is there, `tests` those of which an end is a test, or none; neither stops the traversal through other files.
 */
export function dependencies(db: ShardDatabase, search: DependencySearch): DependencyPage {
  const { root, direction, depth, relations = RELATIONS } = search;
  const areFiles = 'path' in root && !('from' in root);
  const start = startOf(db, root);
  const relationBits = relations.reduce((bits, relation) => bits | relationBit(relation), 0);
  const sides = direction === 'both' ? (['out', 'in'] as const) : [direction];
  const walks = sides.map((side) => walk(db, start, { side, depth, areFiles, relationBits }));
  const { path, tests = 'include' } = search;
  const mask = fileMask(db, { path });
  const isTest = testFlags(db);
  const all = keepNearest(walks.flatMap(({ edges }) => edges));
  const selected = all.filter(({ reached, edge: { from, to } }) => {
    const touchesTests = [from, to].some((end) => isTest[fileOfNode(db, end)] === 1);
    return mask?.[fileOfNode(db, reached)] !== 0 && (tests === 'include' || touchesTests === (tests === 'only'));
  });
  const compareLocations = byLocation(db);
  selected.sort(
    (a, b) => a.hop - b.hop || compareLocations(a.edge.from, b.edge.from) || compareLocations(a.edge.to, b.edge.to),
  );
  const counts = RELATIONS.map((name) => [name, selected.filter(({ relation }) => relation === name).length] as const);
  const ends = new EndRows(db);
  const page = selected.slice(search.offset, search.offset + search.limit);
  const described = describeFileEdges(db, page);
  return {
    total: selected.length,
    followed: all.length,
    byRelation: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    isCut: walks.some((answer) => answer.isCut),
    rows: page.map(({ edge, relation, hop }) => ({
      from: ends.row(edge.from, described.get(edge)?.line ?? edge.line),
      to: ends.row(edge.to),
      relation,
      hop,
      grade: (edge.bits & EXACT_BIT) === 0 ? 'resolved' : 'exact',
      isOfTypes: described.get(edge)?.isOfTypes === true,
    })),
  };
}

/** The nodes of a root: a symbol with all inside it, the files of a path, the symbols on some lines or in a change. */
export function startOf(db: ShardDatabase, root: Root): Node[] {
  if ('symbols' in root) return withInner(db, root.symbols);
  if ('changed' in root) return [...new Set(root.changed.flatMap((change) => nodesOnLines(db, change)))];
  if (!('from' in root)) return filesAt(db, root.path);
  return nodesOnLines(db, { path: root.path, lines: [[root.from, root.to]] });
}

function walk(db: ShardDatabase, start: readonly Node[], { side, depth, areFiles, relationBits }: Walk) {
  const edges: ReachedEdge[] = [];
  const visited = new Set<Node>(start);
  const inside = new Set<Node>(start);
  let frontier: readonly Node[] = start;
  for (let hop = 1; hop <= depth && frontier.length > 0; hop++) {
    const next: Node[] = [];
    for (const node of areFiles ? frontier : expandFrontier(db, frontier, { side, hop, visited })) {
      if (edges.length >= MOST_EDGES || db.cancelled()) return { edges, isCut: true };
      for (const edge of edgesOf(db, node, { side, areFiles })) {
        const reached = side === 'out' ? edge.to : edge.from;
        const relation = strongestRelation(edge.bits, { areFiles, relations: relationBits });
        if (relation === undefined || edge.from === edge.to || (hop === 1 && inside.has(reached))) continue;
        edges.push({ edge, relation, hop, reached });
        if (visited.has(reached)) continue;
        visited.add(reached);
        next.push(reached);
      }
    }
    frontier = next;
  }
  return { edges, isCut: false };
}

/**
 * The nodes whose edges count for a frontier: who uses a method may use it by the name of what it overrides, and what is
 * inside a function is used through it; a function needs what the ones inside it need. A file that a symbol is used in
 * ends the way.
 */
function expandFrontier(
  db: ShardDatabase,
  frontier: readonly Node[],
  { side, hop, visited }: { side: 'in' | 'out'; hop: number; visited: Set<Node> },
): Node[] {
  const symbols = frontier.filter((node) => !isFileNode(node));
  const files = hop === 1 ? frontier.filter(isFileNode) : [];
  const around = (): Node[] => symbols.map((node) => outermostFunction(db, node));
  const inner = (): Node[] => withInner(db, hop === 1 ? [] : symbols.filter((node) => isFunction(db, node)));
  const related = side === 'out' ? inner() : withFamilies(db, hop === 1 ? symbols : [...symbols, ...around()]);
  const more = related.filter((node) => !visited.has(node));
  for (const node of more) visited.add(node);
  return [...files, ...symbols, ...more];
}

function edgesOf(db: ShardDatabase, node: Node, { side, areFiles }: Pick<Walk, 'side' | 'areFiles'>): Edge[] {
  if (areFiles) return fileEdges(db, node, side);
  return side === 'out' ? edgesOut(db, node) : edgesIn(db, node);
}

/** Asked in both directions, a circle shows the same dependency twice: the nearer one stays. */
function keepNearest(edges: readonly ReachedEdge[]): ReachedEdge[] {
  const nearest = new Map<string, ReachedEdge>();
  for (const dependency of edges) {
    const key = `${dependency.edge.from} ${dependency.edge.to}`;
    const existing = nearest.get(key);
    if (existing === undefined || dependency.hop < existing.hop) nearest.set(key, dependency);
  }
  return [...nearest.values()];
}
