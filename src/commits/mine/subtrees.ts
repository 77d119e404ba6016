import { lacksObject } from '../../platform/git/git-failure.ts';
import { decodePath, type GitObjects, splitBytes } from '../../platform/git/git-objects.ts';

/** Merges of unrelated histories that are looked into; a shallow clone may look as if it had very many. */
const MOST_MERGES = 500;
const TAB = 0x09;

/** A commit of a history and its parents, by object id. */
interface GraphCommit {
  sha: string;
  parents: readonly string[];
}

/** A parent that has no commit in common with the other parents of a merge. */
interface UnrelatedParent {
  merge: string;
  parent: string;
  /** First commits of its history, as bits. */
  roots: bigint;
}

/** A history that a merge put into a folder. */
interface Subtree {
  roots: bigint;
  folder: string;
}

/** `rev-list --parents`, oldest first and parents before children. */
export async function readGraph(
  objects: GitObjects,
  range: readonly string[],
  signal: AbortSignal,
): Promise<GraphCommit[]> {
  const output = await objects.run(['rev-list', '--topo-order', '--reverse', '--parents', ...range], signal);
  const lines = output.toString('latin1').trimEnd().split('\n').filter(Boolean);
  return lines.map((line) => {
    const [sha = '', ...parents] = line.split(' ');
    return { sha, parents };
  });
}

/**
 * Folders into which `git subtree` and its like merged histories of other repositories, by commit: `libs/mail/` of each
 * commit that was made where the content of that folder was the root. A merge is one when the whole tree of a parent with
 * first commits of its own is a folder of the merge. What is merged later from the same history belongs there too, and
 * so does what somebody merged into that history before.
 *
 * Costs one pass over the graph, and two git processes where such a merge is possible: only where a history has several first
 * commits.
 */
export async function findSubtrees(
  objects: GitObjects,
  graph: readonly GraphCommit[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const folders = new Map<string, string>();
  if (graph.filter(({ parents }) => parents.length === 0).length < 2) return folders;
  const { roots, unrelated } = followRoots(graph);
  const subtrees = await locateSubtrees(objects, unrelated, signal);
  if (subtrees.length === 0) return folders;
  const byRoots = new Map<bigint, string>();
  for (const [sha, own] of roots) {
    let folder = byRoots.get(own);
    // A merge into a history comes before the merge of that history into another one.
    if (folder === undefined) {
      const around = subtrees.filter((subtree) => (own & ~subtree.roots) === 0n).toReversed();
      byRoots.set(own, (folder = around.map((subtree) => `${subtree.folder}/`).join('')));
    }
    if (folder !== '') folders.set(sha, folder);
  }
  return folders;
}

/** The first commits that each commit comes from, as bits, and the merges of what has none of them in common. */
function followRoots(graph: readonly GraphCommit[]): { roots: Map<string, bigint>; unrelated: UnrelatedParent[] } {
  const roots = new Map<string, bigint>();
  const unrelated: UnrelatedParent[] = [];
  let first = 1n;
  for (const { sha, parents } of graph) {
    const sets = parents.map((parent) => roots.get(parent) ?? 0n);
    let all = sets.reduce((union, set) => union | set, 0n);
    if (parents.length === 0) {
      all = first;
      first <<= 1n;
    }
    roots.set(sha, all);
    for (const [at, set] of parents.length < 2 ? [] : sets.entries()) {
      const others = sets.reduce((union, other, index) => (index === at ? union : union | other), 0n);
      if ((set & others) === 0n) unrelated.push({ merge: sha, parent: parents[at] ?? '', roots: set });
    }
  }
  return { roots, unrelated };
}

async function locateSubtrees(
  objects: GitObjects,
  unrelated: readonly UnrelatedParent[],
  signal: AbortSignal,
): Promise<Subtree[]> {
  const subtrees: Subtree[] = [];
  try {
    for (const { merge, parent, roots } of unrelated.slice(0, MOST_MERGES)) {
      const tree = (await objects.run(['rev-parse', `${parent}^{tree}`], signal)).toString().trim();
      const folder = await folderOf(objects, { merge, tree }, signal);
      if (folder !== undefined) subtrees.push({ roots, folder });
    }
  } catch (error) {
    // A partial clone without trees: its paths stay as its commits have them.
    if (!lacksObject(error)) throw error;
  }
  return subtrees;
}

/** The folder of a merge that has a tree, if it is the only one. */
async function folderOf(
  objects: GitObjects,
  { merge, tree }: { merge: string; tree: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const output = await objects.run(['ls-tree', '-r', '-d', '-z', '--full-tree', merge], signal);
  const [folder, other] = Array.from(splitBytes(output, 0)).filter(
    (entry) => entry.toString('latin1', 0, entry.indexOf(TAB)).split(' ')[2] === tree,
  );
  return folder === undefined || other !== undefined ? undefined : decodePath(folder.subarray(folder.indexOf(TAB) + 1));
}
