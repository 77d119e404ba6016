import type { ShardDatabase } from '../../indexes/shards/shards.ts';

/** The newest commits of which pairs are read, and files of one commit: more say nothing about two of them. */
const MOST_COMMITS = 5_000;
const MOST_FILES = 10;
/** Shared commits below which two files met by chance, and partners that are listed for one file. */
const LEAST_SHARED = 2;
const MOST_PARTNERS = 8;

/** Files by path id with those that changed in the same commits: one degree (0 to 1) for each, greatest first. */
export type Partners = ReadonlyMap<number, readonly { file: number; degree: number }[]>;

/** Pairs of files that commits changed together, as a share of the commits of both. `files` lists commits newest first. */
export function partnersOf(db: ShardDatabase, commits: Iterable<readonly number[]>): Partners {
  const revisions = new Map<number, number>();
  const shared = new Map<string, { a: number; b: number; count: number }>();
  let read = 0;
  for (const files of commits) {
    if (files.length > MOST_FILES) continue;
    if (read >= MOST_COMMITS || db.cancelled()) break;
    read += 1;
    const sorted = files.toSorted((a, b) => a - b);
    for (const [at, a] of sorted.entries()) {
      revisions.set(a, (revisions.get(a) ?? 0) + 1);
      for (const b of sorted.slice(at + 1)) {
        const key = `${a} ${b}`;
        const pair = shared.get(key);
        if (pair === undefined) shared.set(key, { a, b, count: 1 });
        else pair.count += 1;
      }
    }
  }
  const partners = new Map<number, { file: number; degree: number }[]>();
  const add = (file: number, partner: number, degree: number): void => {
    const list = partners.get(file);
    if (list === undefined) partners.set(file, [{ file: partner, degree }]);
    else list.push({ file: partner, degree });
  };
  for (const { a, b, count } of shared.values()) {
    if (count < LEAST_SHARED) continue;
    const degree = count / Math.sqrt((revisions.get(a) ?? 1) * (revisions.get(b) ?? 1));
    add(a, b, degree);
    add(b, a, degree);
  }
  for (const [file, list] of partners)
    partners.set(file, list.toSorted((a, b) => b.degree - a.degree || a.file - b.file).slice(0, MOST_PARTNERS));
  return partners;
}
