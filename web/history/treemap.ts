import { hierarchy, treemap } from 'd3-hierarchy';

/** A rectangle in percent of the picture. */
export interface Tile<Row> {
  row: Row;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A folder with the tiles of its files, in percent too. `path` is '' for files of the root. */
export interface FolderTile<Row> extends Omit<Tile<Row>, 'row'> {
  path: string;
  tiles: Tile<Row>[];
}

interface Sized {
  path: string;
  lines: number;
}

/** Units of the layout; folders keep a strip for their name where there is room. */
const WIDTH = 1600;
const HEIGHT = 900;
const NAME_HEIGHT = 34;
const GAP = 4;

interface Node<Row> {
  path: string;
  row?: Row;
  children?: Node<Row>[];
}

/** Files by folder, each as large as its lines. */
export function treemapOf<Row extends Sized>(rows: readonly Row[]): FolderTile<Row>[] {
  const folders = Map.groupBy(rows, ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  const root: Node<Row> = {
    path: '',
    children: Array.from(folders, ([path, files]) => ({
      path,
      children: files.map((row) => ({ path: row.path, row })),
    })),
  };
  const sized = hierarchy(root).sum(({ row }) => Math.max(row?.lines ?? 0, 0));
  // A method of the hierarchy, which has no other one.
  // oxlint-disable-next-line unicorn/no-array-sort
  sized.sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const placed = treemap<Node<Row>>()
    .size([WIDTH, HEIGHT])
    .paddingInner(GAP)
    .paddingTop(({ depth }) => (depth === 1 ? NAME_HEIGHT : 0))(sized);
  return (placed.children ?? []).map((folder) => ({
    path: folder.data.path,
    ...percentOf(folder),
    tiles: (folder.children ?? []).flatMap((file) =>
      file.data.row === undefined ? [] : [{ row: file.data.row, ...percentOf(file) }],
    ),
  }));
}

function percentOf({ x0, x1, y0, y1 }: { x0: number; x1: number; y0: number; y1: number }) {
  return {
    left: (100 * x0) / WIDTH,
    top: (100 * y0) / HEIGHT,
    width: (100 * (x1 - x0)) / WIDTH,
    height: (100 * (y1 - y0)) / HEIGHT,
  };
}
