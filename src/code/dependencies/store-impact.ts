import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { relationBit } from '../../code-index/format/relations.ts';
import type { Grade } from '../../code-index/format/rows.ts';
import { EXACT_BIT } from '../../code-index/format/shard-input.ts';
import { startOf } from './dependencies.ts';
import {
  byLocation,
  type Edge,
  edgesIn,
  EndRows,
  type EndRow,
  fileOfNode,
  isFileNode,
  type Node,
  nodeOfFile,
  outermostFunction,
  type Root,
  symbolsOf,
} from './store-dependencies-nodes.ts';
import { entryPoints, type EntryPointRow } from './store-entry-points.ts';
import { fileMask, pathOf, testFlags, type FileFilter, type Page } from '../files/store-files.ts';
import { withFamilies } from '../usages/store-overrides.ts';

/** Symbols and files that one question reaches; then it stops and says so. */
const MOST_REACHED = 5_000;

/** Entry points and test files that are named; their totals are exact. */
const MOST_NAMED = 20;

const IMPORTS = relationBit('imports');

interface ImpactSearch extends FileFilter, Page {
  root: Root;
  /** Hops, 1 to 5. */
  depth: number;
}

/** Code that breaks when the root does. `line` is that of the symbol, or the first line of a file that depends on it. */
export interface ImpactRow extends EndRow {
  hop: number;
  /** The weakest step on the way from the root; never `name`. */
  grade: Grade;
  test: boolean;
}

export interface ImpactPage {
  /** Exact, over all pages, unless `isCut`. */
  total: number;
  /** Rows of hop 1, 2, ... */
  byHop: number[];
  /** The same whatever `path` and `tests` keep. */
  reached: number;
  /** True when more than 5,000 were reached: those farthest away are missing. */
  isCut: boolean;
  /** True if the farthest ones are used by code that no row names: a greater depth shows it. */
  goesOn: boolean;
  rows: ImpactRow[];
  /** Over all that was reached, whatever `path` and `tests` keep. */
  entryPoints: { total: number; rows: EntryPointRow[] };
  testFiles: { total: number; paths: string[] };
}

interface Reached {
  node: Node;
  hop: number;
  isExact: boolean;
  line: number;
}

/**
 * Code that a change of the root affects: its users, their users and so on, by hop, then path and line. Uses of an override
 * family count for each of its members; what happens inside a function happens to the function. A file stands for its code
 * outside symbols; that it imports something is reported only when nothing else in it shows why. `path` and `tests` select
 * rows; they do not stop the traversal.
 */
export function impact(db: ShardDatabase, search: ImpactSearch, most = MOST_REACHED): ImpactPage {
  const start = changedNodes(db, search.root);
  const isPath = 'path' in search.root && !('from' in search.root);
  const { reached, isCut, goesOn } = usersOf(db, start, { depth: search.depth, isPath, most });
  const compareLocations = byLocation(db);
  const all = reached.toSorted((a, b) => a.hop - b.hop || compareLocations(a.node, b.node));
  const mask = fileMask(db, search);
  const selected = all.filter(({ node }) => mask?.[fileOfNode(db, node)] !== 0);
  const isTest = testFlags(db);
  const ends = new EndRows(db);
  const inTests = ({ node }: Reached): boolean => isTest[fileOfNode(db, node)] === 1;
  const testFiles = [...new Set(all.filter(inTests).map(({ node }) => fileOfNode(db, node)))];
  const entries = entryPoints(
    db,
    all.filter((dependent) => !inTests(dependent)).map(({ node }) => node),
    ends,
  );
  return {
    total: selected.length,
    byHop: Array.from({ length: search.depth }, (_, at) => selected.filter(({ hop }) => hop === at + 1).length),
    reached: all.length,
    isCut,
    goesOn,
    rows: selected.slice(search.offset, search.offset + search.limit).map((dependent) => ({
      ...ends.row(dependent.node, dependent.line),
      hop: dependent.hop,
      grade: dependent.isExact ? 'exact' : 'resolved',
      test: inTests(dependent),
    })),
    entryPoints: { total: entries.length, rows: entries.slice(0, MOST_NAMED) },
    testFiles: { total: testFiles.length, paths: testFiles.slice(0, MOST_NAMED).map((file) => pathOf(db, file)) },
  };
}

/** Nodes that change: of a path all symbols of its files, and the files, which may be imported for what they do. */
export function changedNodes(db: ShardDatabase, root: Root): Node[] {
  const nodes = startOf(db, root);
  if (!('path' in root) || 'from' in root) return nodes;
  return nodes.flatMap((node) => {
    const [from, to] = symbolsOf(db, -1 - node);
    return [node, ...Array.from({ length: to - from }, (_, index) => from + index)];
  });
}

function usersOf(
  db: ShardDatabase,
  start: readonly Node[],
  { depth, isPath, most }: { depth: number; isPath: boolean; most: number },
): { reached: Reached[]; isCut: boolean; goesOn: boolean } {
  const reachedNodes = new Map<Node, Reached>();
  const expanded = new Set<Node>();
  let frontier: readonly Node[] = start;
  let isCut = false;
  // The whole family of what is asked about counts as asked about.
  const inside = withRelatives(db, start);
  for (let hop = 1; hop <= depth && frontier.length > 0 && !isCut; hop++) {
    const next = new Map<Node, Reached>();
    const importers = new Map<Node, Reached>();
    for (const node of withRelatives(db, frontier)) {
      if (expanded.has(node)) continue;
      expanded.add(node);
      const isExact = reachedNodes.get(node)?.isExact ?? hop === 1;
      for (const { from: user, bits, line } of hop === 1 && !isPath ? usesAndHolder(db, node) : edgesIn(db, node)) {
        const from = isFileNode(user) ? user : outermostFunction(db, user);
        if (inside.has(user) || inside.has(from) || reachedNodes.has(from)) continue;
        const into = (bits & ~EXACT_BIT) === IMPORTS && isFileNode(from) ? importers : next;
        const existing = into.get(from) ?? { node: from, hop, isExact: false, line };
        into.set(from, { ...existing, isExact: existing.isExact || (isExact && (bits & EXACT_BIT) !== 0) });
      }
      isCut = reachedNodes.size + next.size > most || db.cancelled();
      if (isCut) break;
    }
    for (const reachedNode of next.values()) reachedNodes.set(reachedNode.node, reachedNode);
    addImporters(db, reachedNodes, importers);
    frontier = [...next.keys()].filter((node) => !isFileNode(node));
  }
  const isKnown = (user: Node): boolean => inside.has(user) || reachedNodes.has(user);
  const isUsedFurther = (node: Node): boolean =>
    edgesIn(db, node).some(
      ({ from }) => !isKnown(from) && !isKnown(isFileNode(from) ? from : outermostFunction(db, from)),
    );
  return {
    reached: [...reachedNodes.values()],
    isCut,
    goesOn: !isCut && [...withRelatives(db, frontier)].some((node) => !expanded.has(node) && isUsedFurther(node)),
  };
}

/** Users of a symbol that the question names, and the function that holds it. */
function usesAndHolder(db: ShardDatabase, node: Node): Edge[] {
  const edges = edgesIn(db, node);
  if (isFileNode(node)) return edges;
  return [...edges, { from: outermostFunction(db, node), to: node, bits: EXACT_BIT, line: 0 }];
}

/** Nodes with the rest of their override families, which files have none of: who uses one member may mean any. */
function withRelatives(db: ShardDatabase, nodes: readonly Node[]): Set<Node> {
  return new Set([...nodes, ...withFamilies(db, nodes)]);
}

/** A file that imports something and uses it is told by its uses; one that only imports it stands for itself. */
function addImporters(
  db: ShardDatabase,
  reachedNodes: Map<Node, Reached>,
  importers: ReadonlyMap<Node, Reached>,
): void {
  const files = new Set([...reachedNodes.keys()].map((node) => fileOfNode(db, node)));
  for (const [node, importer] of importers)
    if (!files.has(fileOfNode(db, node))) reachedNodes.set(nodeOfFile(-1 - node), importer);
}
