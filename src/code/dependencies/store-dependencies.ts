import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { relationBit, RELATIONS, strongestRelation } from '../../code-index/format/relations.ts';
import type { Grade, Relation } from '../../code-index/format/rows.ts';
import { EXACT_BIT } from '../../code-index/format/shard-input.ts';
import {
  byPlace,
  type Edge,
  edgesIn,
  edgesOut,
  EndRows,
  type EndRow,
  fileEdges,
  fileOfNode,
  filesAt,
  isFileNode,
  isFunction,
  type Node,
  nodesOfChange,
  nodesOnLines,
  outermostFunction,
  type Root,
  withInner,
} from './store-dependencies-nodes.ts';
import { fileMask, type FileFilter, type Page, testFlags } from '../files/store-files.ts';
import { withFamilies } from '../usages/store-overrides.ts';
import { describeFileEdges } from './file-edges.ts';

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

interface Found {
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
  wanted: number;
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
  const wanted = relations.reduce((bits, relation) => bits | relationBit(relation), 0);
  const sides = direction === 'both' ? (['out', 'in'] as const) : [direction];
  const walks = sides.map((side) => walk(db, start, { side, depth, areFiles, wanted }));
  const { path, tests = 'include' } = search;
  const mask = fileMask(db, { path });
  const isTest = testFlags(db);
  const all = keepNearest(walks.flatMap(({ found }) => found));
  const kept = all.filter(({ reached, edge: { from, to } }) => {
    const touchesTests = [from, to].some((end) => isTest[fileOfNode(db, end)] === 1);
    return mask?.[fileOfNode(db, reached)] !== 0 && (tests === 'include' || touchesTests === (tests === 'only'));
  });
  const place = byPlace(db);
  kept.sort((a, b) => a.hop - b.hop || place(a.edge.from, b.edge.from) || place(a.edge.to, b.edge.to));
  const counts = RELATIONS.map((name) => [name, kept.filter(({ relation }) => relation === name).length] as const);
  const ends = new EndRows(db);
  const page = kept.slice(search.offset, search.offset + search.limit);
  const described = describeFileEdges(db, page);
  return {
    total: kept.length,
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
  if ('changed' in root) return nodesOfChange(db, root.changed);
  return 'from' in root ? nodesOnLines(db, root) : filesAt(db, root.path);
}

function walk(db: ShardDatabase, start: readonly Node[], { side, depth, areFiles, wanted }: Walk) {
  const found: Found[] = [];
  const seen = new Set<Node>(start);
  const inside = new Set<Node>(start);
  let frontier: readonly Node[] = start;
  for (let hop = 1; hop <= depth && frontier.length > 0; hop++) {
    const next: Node[] = [];
    for (const node of areFiles ? frontier : expandFrontier(db, frontier, { side, hop, seen })) {
      if (found.length >= MOST_EDGES || db.cancelled()) return { found, isCut: true };
      for (const edge of edgesOf(db, node, { side, areFiles })) {
        const reached = side === 'out' ? edge.to : edge.from;
        const relation = strongestRelation(edge.bits, { areFiles, relations: wanted });
        if (relation === undefined || edge.from === edge.to || (hop === 1 && inside.has(reached))) continue;
        found.push({ edge, relation, hop, reached });
        if (seen.has(reached)) continue;
        seen.add(reached);
        next.push(reached);
      }
    }
    frontier = next;
  }
  return { found, isCut: false };
}

/**
 * The nodes whose edges count for a frontier: who uses a method may use it by the name of what it overrides, and what is
 * inside a function is used through it; a function needs what the ones inside it need. A file that a symbol is used in
 * ends the way.
 */
function expandFrontier(
  db: ShardDatabase,
  frontier: readonly Node[],
  { side, hop, seen }: { side: 'in' | 'out'; hop: number; seen: Set<Node> },
): Node[] {
  const symbols = frontier.filter((node) => !isFileNode(node));
  const files = hop === 1 ? frontier.filter(isFileNode) : [];
  const around = (): Node[] => symbols.map((node) => outermostFunction(db, node));
  const inner = (): Node[] => withInner(db, hop === 1 ? [] : symbols.filter((node) => isFunction(db, node)));
  const related = side === 'out' ? inner() : withFamilies(db, hop === 1 ? symbols : [...symbols, ...around()]);
  const more = related.filter((node) => !seen.has(node));
  for (const node of more) seen.add(node);
  return [...files, ...symbols, ...more];
}

function edgesOf(db: ShardDatabase, node: Node, { side, areFiles }: Pick<Walk, 'side' | 'areFiles'>): Edge[] {
  if (areFiles) return fileEdges(db, node, side);
  return side === 'out' ? edgesOut(db, node) : edgesIn(db, node);
}

/** Asked in both directions, a circle shows the same dependency twice: the nearer one stays. */
function keepNearest(found: readonly Found[]): Found[] {
  const kept = new Map<string, Found>();
  for (const dependency of found) {
    const key = `${dependency.edge.from} ${dependency.edge.to}`;
    const known = kept.get(key);
    if (known === undefined || dependency.hop < known.hop) kept.set(key, dependency);
  }
  return [...kept.values()];
}
