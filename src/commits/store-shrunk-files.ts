import type { ShardDatabase } from '../shards/shards.ts';
import { readBlock } from './change-blocks.ts';
import { isPublicPath } from './public-paths.ts';
import { earlierNames, pathTable } from './store-filter.ts';
import { commitId } from './store-range.ts';

/** A commit with those of its files that may have lost exported names. */
export interface ShrunkFiles {
  sha: string;
  paths: string[];
}

/**
 * Of commits those that took lines from files whose exports others use; `offered` are such files as of the newest commit,
 * their earlier names count. In the order given; the others are left out. Reads the blocks of the commits: 0.1 ms a commit.
 */
export function shrunkFiles(
  db: ShardDatabase,
  { shas, offered }: { shas: readonly string[]; offered: readonly string[] },
): ShrunkFiles[] {
  const { paths, leftOut } = pathTable(db);
  const isPublic = publicPaths(db, offered);
  const wanted = new Map(shas.map((sha) => [commitId(db, sha) ?? 0, sha]));
  const found = new Map<string, string[]>();
  const blocks = db.prepare(
    'select first_commit as first, last_commit as last, data from change_block order by first_commit',
  );
  const ids = [...wanted.keys()].filter((id) => id > 0).toSorted((a, b) => a - b);
  let next = 0;
  for (const { first, last, data } of blocks.iterate() as Iterable<{ first: number; last: number; data: Uint8Array }>) {
    if (next === ids.length || db.cancelled()) break;
    if ((ids[next] ?? 0) > last) continue;
    for (const { id, merge, changes } of readBlock(first, data)) {
      if (id !== ids[next]) continue;
      next += 1;
      if (merge) continue;
      const shrunk = changes.filter(
        ({ path, oldPath, status, deleted }) =>
          status !== 'A' && deleted !== 0 && leftOut[path] !== 1 && isPublic(oldPath ?? path),
      );
      if (shrunk.length > 0)
        found.set(
          wanted.get(id) ?? '',
          shrunk.map(({ path, oldPath }) => paths[oldPath ?? path] ?? ''),
        );
    }
  }
  return shas.flatMap((sha) => (found.has(sha) ? [{ sha, paths: found.get(sha) ?? [] }] : []));
}

function publicPaths(db: ShardDatabase, offered: readonly string[]): (path: number) => boolean {
  const { paths } = pathTable(db);
  const idOf = db.prepare('select id from path where path = ?');
  const everOffered = new Set(offered);
  for (const path of offered) {
    const row = idOf.get(path) as { id: number } | undefined;
    if (row !== undefined) for (const id of earlierNames(db, row.id).keys()) everOffered.add(paths[id] ?? '');
  }
  const known = new Map<number, boolean>();
  return (path) => {
    const said = known.get(path) ?? isPublicPath(paths[path] ?? '', everOffered);
    known.set(path, said);
    return said;
  };
}
