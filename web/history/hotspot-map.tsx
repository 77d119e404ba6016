import { Link } from '@tanstack/react-router';
import { fileLink } from '../code/links.ts';
import { type Hotspot, hotspotReason } from './hotspot-reason.ts';
import { type FolderTile, type Tile, treemapOf } from './treemap.ts';

/** A score of 100 is this much red, in percent. */
const MOST_RED = 45;

interface HotspotMapProps {
  rows: readonly Hotspot[];
  repo: string;
  /** Shows one folder alone. */
  onZoom: (path: string) => void;
}

/** The hotspots as a picture: as large as their lines, as red as their score. The table below says the same to all. */
export function HotspotMap({ rows, repo, onZoom }: HotspotMapProps) {
  return (
    <figure className="mb-4 max-sm:hidden">
      <div aria-hidden="true" className="relative aspect-video overflow-hidden rounded-lg">
        {treemapOf(rows).map((folder) => (
          <Folder key={folder.path} folder={folder} repo={repo} onZoom={onZoom} />
        ))}
      </div>
      <figcaption className="mt-1.5 text-sm text-quiet">
        Sized by lines, coloured by score. Choose the name of a folder to show it alone.
      </figcaption>
    </figure>
  );
}

function Folder({
  folder,
  repo,
  onZoom,
}: {
  folder: FolderTile<Hotspot>;
  repo: string;
  onZoom: (path: string) => void;
}) {
  const { path, left, top, width, tiles } = folder;
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        title={path}
        disabled={path === ''}
        onClick={() => onZoom(path)}
        className="absolute truncate text-left font-mono text-xs leading-4 text-quiet enabled:hover:text-accent enabled:hover:underline"
        style={{ left: `${left}%`, top: `${top}%`, width: `${width}%` }}
      >
        {path === '' ? '(root)' : path}
      </button>
      {tiles.map((tile) => (
        <File key={tile.row.path} tile={tile} repo={repo} />
      ))}
    </>
  );
}

function File({ tile: { row, left, top, width, height }, repo }: { tile: Tile<Hotspot>; repo: string }) {
  const red = Math.round((row.score / 100) * MOST_RED);
  return (
    <Link
      {...fileLink({ repo, path: row.path })}
      tabIndex={-1}
      preload={false}
      title={`${row.path}\n${hotspotReason(row)}`}
      className="absolute overflow-hidden rounded-sm px-1 text-ellipsis text-xs leading-4 text-ink hover:outline-2 hover:-outline-offset-2 hover:outline-accent"
      style={{
        left: `${left}%`,
        top: `${top}%`,
        width: `${width}%`,
        height: `${height}%`,
        background: `color-mix(in srgb, var(--color-bad) ${red}%, var(--color-hover))`,
      }}
    >
      {row.path.slice(row.path.lastIndexOf('/') + 1)}
    </Link>
  );
}
