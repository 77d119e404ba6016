import { hierarchy, tree } from 'd3-hierarchy';
import type { Entity, Neighbour } from '../../src/graph/entity-output.ts';
import { entityAddress } from './queries.ts';
import { relationWords } from './words.ts';

/** Nodes of one relation that are drawn, and those behind one of them; a last one counts the others. */
const MOST_IN_GROUP = 12;
const MOST_BEHIND = 4;
/** Pixels between the middles of two rows. */
const ROW = 30;

/** Content of one position of the picture. */
export type Drawn =
  | { what: 'focus'; entity: Entity }
  | { what: 'relation'; words: string; count: number }
  | { what: 'node'; row: Neighbour }
  | { what: 'more'; count: number };

interface Placed {
  key: string;
  drawn: Drawn;
  /** 0 for the focus; negative at the left, where edges come in. */
  column: number;
  /** Of its middle, in pixels from the top. */
  top: number;
}

export interface Picture {
  places: Placed[];
  /** Keys of both ends, the one nearer to the focus first. */
  links: { from: string; to: string }[];
  /** Columns that hold something, from the left. */
  columns: number[];
  height: number;
}

interface Branch {
  key: string;
  drawn: Drawn;
  children: Branch[];
}

/**
 * The neighbours of an entity as two trees: what comes in at the left, what goes out at the right; next to the focus the
 * relations, behind them their nodes, and behind these the nodes of the second hop. No two boxes of a column overlap.
 */
export function pictureOf(entity: Entity, rows: readonly Neighbour[]): Picture {
  const behind = Map.groupBy(
    rows.filter(({ hop }) => hop > 1),
    ({ via = '' }) => via,
  );
  const near = rows.filter(({ hop }) => hop === 1);
  const sides = (['in', 'out'] as const).map((direction) =>
    layOutTree(
      { key: 'focus', drawn: { what: 'focus', entity }, children: groupsOf(near, { direction, behind }) },
      direction === 'in' ? -1 : 1,
    ),
  );
  const first = Math.min(0, ...sides.flat().map(({ top }) => top));
  const last = Math.max(0, ...sides.flat().map(({ top }) => top));
  const places = new Map<string, Placed>();
  for (const node of sides.flat()) places.set(node.key, { ...node, top: node.top - first + ROW / 2 });
  return {
    places: [...places.values()],
    links: sides.flat().flatMap(({ parent, key }) => (parent === undefined ? [] : [{ from: parent, to: key }])),
    columns: [...new Set([...places.values()].map(({ column }) => column))].toSorted((a, b) => a - b),
    height: last - first + ROW,
  };
}

interface Side {
  direction: 'in' | 'out';
  behind: ReadonlyMap<string, readonly Neighbour[]>;
}

function groupsOf(near: readonly Neighbour[], { direction, behind }: Side): Branch[] {
  const groups = Map.groupBy(
    near.filter((row) => row.direction === direction),
    relationWords,
  );
  return [...groups].map(([words, rows]): Branch => {
    const key = `${direction} ${words}`;
    const nodes = rows.map((row): Branch => {
      const address = entityAddress(row);
      const next = (behind.get(address) ?? []).map((far): Branch => ({
        key: `node ${entityAddress(far)}`,
        drawn: { what: 'node', row: far },
        children: [],
      }));
      const children = firstOf(next, MOST_BEHIND, `behind ${address}`);
      return { key: `node ${address}`, drawn: { what: 'node', row }, children };
    });
    return {
      key,
      drawn: { what: 'relation', words, count: rows.length },
      children: firstOf(nodes, MOST_IN_GROUP, key),
    };
  });
}

/** The first of some, and one that counts the others; a single other one is shown itself. */
function firstOf(all: readonly Branch[], most: number, of: string): Branch[] {
  if (all.length <= most + 1) return [...all];
  const more: Branch = { key: `more ${of}`, drawn: { what: 'more', count: all.length - most }, children: [] };
  return [...all.slice(0, most), more];
}

/** Places one tree around a focus at height 0. */
function layOutTree(branch: Branch, side: -1 | 1): (Placed & { parent: string | undefined })[] {
  const laid = tree<Branch>()
    .nodeSize([ROW, 1])
    .separation(() => 1)(hierarchy(branch));
  return laid.descendants().map(({ data, depth, x, parent }) => ({
    key: data.key,
    drawn: data.drawn,
    column: depth * side,
    top: x,
    parent: parent?.data.key,
  }));
}
