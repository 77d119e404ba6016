import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { pathTable, scanCommits } from './store-filter.ts';
import { FILE_HALF_LIFE_DAYS, MOST_FILES } from './store-ownership.ts';
import { peopleOfHistory } from './people.ts';

const DAY_SECONDS = DAY_MS / 1000;

/** A file of the newest commit, and who works on it by commits: lines need git. */
interface FileOwners {
  path: string;
  /** The fewest people with more than half of the decayed commits. */
  busFactor: number;
  owners: { author: string; commits: number; decayedPercent: number; lastAt: number }[];
}

interface Work {
  commits: number;
  decayed: number;
  lastAt: number;
}

/**
 * Returns who works on each file, by path; `most` people a file. Commits count as for one file (`filePeople`), under earlier
 * names too. Reads the whole history once: some 50 ms for 100,000 changes.
 */
export function fileOwners(db: ShardDatabase, { most }: { most: number }): FileOwners[] {
  const { paths, alive, omitted } = pathTable(db);
  const { of, people } = peopleOfHistory(db);
  // The file that a path was at this point of the history: itself, or what it was renamed to later.
  const now = Int32Array.from(paths, (_, path) => (alive[path] === 1 ? path : -1));
  const files = new Map<number, Map<number, Work>>();
  let newest = 0;
  scanCommits(db, { range: {} }, ({ author, bot, changes, merge, time }) => {
    const person = of[author] ?? -1;
    const counts = !merge && !bot && changes.length <= MOST_FILES && people[person]?.bot === false;
    if (counts) newest = Math.max(newest, time);
    const weight = 0.5 ** ((newest - time) / DAY_SECONDS / FILE_HALF_LIFE_DAYS);
    for (const { path, oldPath } of changes) {
      const file = now[path] ?? -1;
      if (file !== -1 && counts && omitted[file] !== 1) addWork(files, file, { person, time, weight });
      if (oldPath !== undefined) now[oldPath] = file;
    }
  });
  return [...files]
    .map(([file, work]) => ownersOf(paths[file] ?? '', work, { most, nameOf: (person) => people[person]?.name ?? '' }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Returns who works most on each of the paths, with their share of its decayed commits in percent; undefined for a path without
 * commits.
 */
export function mainOwners(
  db: ShardDatabase,
  { paths }: { paths: readonly string[] },
): ({ name: string; percent: number } | undefined)[] {
  const owners = db.derived(
    'main_owners',
    () => new Map(fileOwners(db, { most: 1 }).map(({ path, owners: [owner] }) => [path, owner] as const)),
  );
  return paths.map((path) => {
    const owner = owners.get(path);
    return owner === undefined ? undefined : { name: owner.author, percent: Math.round(owner.decayedPercent) };
  });
}

function addWork(
  files: Map<number, Map<number, Work>>,
  file: number,
  { person, time, weight }: { person: number; time: number; weight: number },
): void {
  let work = files.get(file);
  if (work === undefined) files.set(file, (work = new Map()));
  const before = work.get(person) ?? { commits: 0, decayed: 0, lastAt: 0 };
  const { commits, decayed, lastAt } = before;
  work.set(person, { commits: commits + 1, decayed: decayed + weight, lastAt: Math.max(lastAt, time) });
}

function ownersOf(
  path: string,
  work: ReadonlyMap<number, Work>,
  { most, nameOf }: { most: number; nameOf: (person: number) => string },
): FileOwners {
  const all = [...work.values()].reduce((sum, { decayed }) => sum + decayed, 0);
  const ranked = [...work]
    .map(([person, { commits, decayed, lastAt }]) => {
      const decayedPercent = all === 0 ? 0 : Math.round((1000 * decayed) / all) / 10;
      return { author: nameOf(person), commits, decayedPercent, lastAt };
    })
    .toSorted((a, b) => b.decayedPercent - a.decayedPercent || b.lastAt - a.lastAt || (a.author < b.author ? -1 : 1));
  let [remaining, busFactor] = [50, 0];
  for (const { decayedPercent } of ranked) {
    if (remaining < 0) break;
    remaining -= decayedPercent;
    busFactor += 1;
  }
  return { path, busFactor, owners: ranked.slice(0, most) };
}
