/** A pair of files with how much of their changes they share. */
export interface CoupledPair {
  a: string;
  b: string;
  degree_pct: number;
}

/** A file at its place on the circle. */
interface CircleFile {
  path: string;
  x: number;
  y: number;
  /** Of its name, in degrees clockwise from the right; names at the left half are turned so that they can be read. */
  turn: number;
  isLeft: boolean;
}

/** The files with the most coupling among some pairs, by path, so that those of a folder are together. */
export function coupledFiles(pairs: readonly CoupledPair[], most: number): string[] {
  const weights = new Map<string, number>();
  for (const { a, b, degree_pct: degree } of pairs)
    for (const path of [a, b]) weights.set(path, (weights.get(path) ?? 0) + degree);
  return [...weights]
    .toSorted(([a, some], [b, more]) => more - some || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([path]) => path)
    .toSorted();
}

/** Files around a circle, with a gap after each folder. */
export function circleOf(files: readonly string[], radius: number): CircleFile[] {
  const slots: (string | undefined)[] = [];
  for (const [at, path] of files.entries()) {
    if (at > 0 && folderOf(path) !== folderOf(files[at - 1] ?? '')) slots.push(undefined);
    slots.push(path);
  }
  return slots.flatMap((path, slot) => {
    if (path === undefined) return [];
    // The circle begins at the top, and ends a gap before it.
    const angle = (2 * Math.PI * slot) / (slots.length + 1) - Math.PI / 2;
    const degrees = (angle * 180) / Math.PI;
    const isLeft = Math.cos(angle) < 0;
    return [
      {
        path,
        x: radius * Math.cos(angle),
        y: radius * Math.sin(angle),
        turn: isLeft ? degrees + 180 : degrees,
        isLeft,
      },
    ];
  });
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
