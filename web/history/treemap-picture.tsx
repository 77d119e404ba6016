import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { fileLink } from '../code/links.ts';
import { type FolderTile, type Tile, treemapOf } from './treemap.ts';

const TILE_CLASS =
  'absolute overflow-hidden rounded-sm px-1 text-left text-xs leading-4 text-ellipsis whitespace-nowrap text-ink hover:outline-2 hover:-outline-offset-2 hover:outline-accent';

/** In percent of the picture: smaller tiles have no room for a name, or for a second line. */
const LEAST_NAMED = { width: 2.5, height: 2.5 };
const LEAST_DETAILED = 6.5;

/** Appearance of a tile. */
export interface TileLook {
  title: string;
  /** A CSS colour. */
  background: string;
  /** Below its name, where there is room. */
  detail?: ReactNode;
}

interface TreemapPictureProps<Row> {
  rows: readonly Row[];
  repo: string;
  lookOf: (row: Row) => TileLook;
  /** Shows one folder alone. */
  onZoom: (path: string) => void;
  /** Below the picture. */
  children: ReactNode;
}

interface Sized {
  path: string;
  lines: number;
  /** A folder as one tile. */
  isFolder?: boolean;
}

/** Files by folder, each as large as its lines. A table beside it says the same to all. */
export function TreemapPicture<Row extends Sized>({ rows, repo, lookOf, onZoom, children }: TreemapPictureProps<Row>) {
  return (
    <figure className="mb-4 max-sm:hidden">
      <div aria-hidden="true" className="relative aspect-video overflow-hidden rounded-lg">
        {treemapOf(rows).map((folder) => (
          <Folder key={folder.path} folder={folder} onZoom={onZoom}>
            {folder.tiles.map((tile) => (
              <Area key={tile.row.path} tile={tile} repo={repo} look={lookOf(tile.row)} onZoom={onZoom} />
            ))}
          </Folder>
        ))}
      </div>
      <figcaption className="mt-1.5 text-sm text-quiet">{children}</figcaption>
    </figure>
  );
}

interface FolderProps {
  folder: Omit<FolderTile<unknown>, 'tiles'>;
  onZoom: (path: string) => void;
  children: ReactNode;
}

const NAME_CLASS = 'absolute truncate text-left font-mono text-xs leading-4 text-quiet';

function Folder({ folder: { path, left, top, width }, onZoom, children }: FolderProps) {
  const style = { left: `${left}%`, top: `${top}%`, width: `${width}%` };
  return (
    <>
      {path === '' ? (
        <span className={NAME_CLASS} style={style}>
          (root)
        </span>
      ) : (
        <button
          type="button"
          tabIndex={-1}
          title={path}
          onClick={() => onZoom(path)}
          className={`${NAME_CLASS} hover:text-accent hover:underline`}
          style={style}
        >
          {path}
        </button>
      )}
      {children}
    </>
  );
}

interface AreaProps {
  tile: Tile<Sized>;
  repo: string;
  look: TileLook;
  onZoom: (path: string) => void;
}

function Area({ tile: { row, left, top, width, height }, repo, look, onZoom }: AreaProps) {
  const style = {
    left: `${left}%`,
    top: `${top}%`,
    width: `${width}%`,
    height: `${height}%`,
    background: look.background,
  };
  const name = row.path.slice(row.path.lastIndexOf('/') + 1);
  const text = width > LEAST_NAMED.width && height > LEAST_NAMED.height && (
    <>
      {row.isFolder === true ? `${name}/` : name}
      {look.detail !== undefined && height > LEAST_DETAILED && <span className="block truncate">{look.detail}</span>}
    </>
  );
  const shared = { tabIndex: -1, title: look.title, className: TILE_CLASS, style };
  if (row.isFolder === true)
    return (
      <button {...shared} type="button" onClick={() => onZoom(row.path)}>
        {text}
      </button>
    );
  return (
    <Link {...fileLink({ repo, path: row.path })} {...shared} preload={false}>
      {text}
    </Link>
  );
}
