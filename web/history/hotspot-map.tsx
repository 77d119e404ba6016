import { type Hotspot, hotspotReason } from './hotspot-reason.ts';
import { TreemapPicture } from './treemap-picture.tsx';

/** A score of 100 is this much red, in percent. */
const MOST_RED = 45;

interface HotspotMapProps {
  rows: readonly Hotspot[];
  repo: string;
  /** Shows one folder alone. */
  onZoom: (path: string) => void;
}

/** The hotspots as a picture: as large as their lines, as red as their score. The table below says the same to all. */
export function HotspotMap(props: HotspotMapProps) {
  return (
    <TreemapPicture
      {...props}
      lookOf={(row) => ({
        title: `${row.path}\n${hotspotReason(row)}`,
        background: `color-mix(in srgb, var(--color-bad) ${Math.round((row.score / 100) * MOST_RED)}%, var(--color-hover))`,
      })}
    >
      Sized by lines, coloured by score. Choose the name of a folder to show it alone.
    </TreemapPicture>
  );
}
