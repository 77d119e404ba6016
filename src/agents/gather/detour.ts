import { Edge, type EdgeRow, pathOf } from './structure.ts';
import type { Tools } from './tools.ts';

/** Hops that a way may have, files that are followed at once, and pages that are read of what they depend on. */
const MOST_HOPS = 5;
const MOST_FOLLOWED = 40;
const MOST_PAGES = 6;

/**
 * The shortest way by imports from a file or folder to another that does not go through what `isAvoided`, within five hops; undefined
 * when there is none, and whether one may have been missed. One to six calls for each hop and forty files.
 */
export async function findDetour(
  tools: Tools,
  from: string,
  { isReached, isAvoided }: { isReached: (path: string) => boolean; isAvoided: (path: string) => boolean },
): Promise<{ way: EdgeRow[] | undefined; isCut: boolean }> {
  const cameBy = new Map<string, EdgeRow>();
  let frontier: readonly string[] = [from];
  let isCut = false;
  for (let hop = 0; hop < MOST_HOPS && frontier.length > 0; hop += 1) {
    const next: string[] = [];
    for (let at = 0; at < frontier.length; at += MOST_FOLLOWED) {
      const read = await edgesFrom(tools, frontier.slice(at, at + MOST_FOLLOWED));
      isCut ||= read.isCut;
      for (const edge of read.edges) {
        const to = pathOf(edge.to);
        if (edge.grade === 'name' || isAvoided(to) || isAvoided(pathOf(edge.from)) || cameBy.has(to)) continue;
        cameBy.set(to, edge);
        if (isReached(to)) return { way: wayTo(edge, cameBy), isCut: false };
        next.push(to);
      }
    }
    frontier = next;
  }
  return { way: undefined, isCut: isCut || frontier.length > 0 };
}

async function edgesFrom(tools: Tools, paths: readonly string[]): Promise<{ edges: EdgeRow[]; isCut: boolean }> {
  const query = paths.length === 1 ? (paths[0] ?? '') : `{${paths.join(',')}}`;
  const asked = { action: 'dependencies', query, depth: 1, kind: ['imports'], tests: 'exclude', limit: 100 };
  const edges: EdgeRow[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const found = await tools.ask('code-tool', cursor === undefined ? asked : { ...asked, cursor }, Edge);
    edges.push(...(found?.rows ?? []));
    cursor = found?.next;
    if (cursor === undefined) break;
  }
  return { edges, isCut: cursor !== undefined };
}

/** The edges by which the end of one was reached, in their order. */
function wayTo(last: EdgeRow, cameBy: ReadonlyMap<string, EdgeRow>): EdgeRow[] {
  const way = [last];
  for (
    let edge = cameBy.get(pathOf(last.from));
    edge !== undefined && !way.includes(edge);
    edge = cameBy.get(pathOf(edge.from))
  )
    way.unshift(edge);
  return way;
}
