import type { OwnershipMap } from './history-bodies.ts';

/** More are never drawn nor listed. */
const MOST_FILES = 20_000;

interface WorkedOn {
  path: string;
  busFactor: number;
  /** The main owner first. */
  owners: readonly { author: string; decayedPercent: number }[];
}

/** Joins the lines of files with who works on them, largest first, at most 20,000. People are listed by the lines of their files. */
export function ownershipMap(
  sizes: readonly { path: string; lines: number }[],
  worked: readonly WorkedOn[],
): Omit<OwnershipMap, 'commit' | 'omitted'> {
  const byPath = new Map(worked.map((file) => [file.path, file]));
  const shown = sizes.toSorted((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1)).slice(0, MOST_FILES);
  const lines = new Map<string, number>();
  for (const { path, lines: count } of shown) {
    const author = byPath.get(path)?.owners[0]?.author;
    if (author !== undefined) lines.set(author, (lines.get(author) ?? 0) + count);
  }
  const people = [...lines].toSorted(([a, of], [b, other]) => other - of || (a < b ? -1 : 1)).map(([name]) => name);
  const index = new Map(people.map((name, at) => [name, at]));
  return {
    total: sizes.length,
    people,
    files: shown.map(({ path, lines: count }) => {
      const { busFactor = 0, owners: [main] = [] } = byPath.get(path) ?? {};
      const owner = main === undefined ? null : (index.get(main.author) ?? null);
      return { path, lines: count, bus_factor: busFactor, owner, owner_pct: main?.decayedPercent ?? 0 };
    }),
  };
}
