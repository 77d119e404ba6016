import type { ShardDatabase } from '../../indexes/shards/shards.ts';

/** A path as the index writes it: `./`, a leading `/`, `file://` and `\` are of the client. */
export function cleanPath(path: string): string {
  return path
    .trim()
    .replace(/^file:\/\//, '')
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '');
}

/**
 * The files that a path means: the one at it, else those whose path ends with it (`client.ts`, `mail/client.ts`), else, for
 * a path from the root of a disk, the one at its longest end that is in the index. Ascending; reads the file table.
 */
export function filesMeant(db: ShardDatabase, path: string): number[] {
  const cleaned = cleanPath(path);
  if (cleaned === '') return [];
  const at = db.prepare('select id from file where path = ?');
  const exact = at.get(cleaned) as { id: number } | undefined;
  if (exact !== undefined) return [exact.id];
  const ending = db
    .prepare("select id from file where substr(path, -length(?1) - 1) = '/' || ?1 order by id")
    .all(cleaned) as { id: number }[];
  if (ending.length > 0 || !isAbsolute(path)) return ending.map(({ id }) => id);
  const parts = cleaned.split('/');
  for (let from = 1; from < parts.length; from += 1) {
    const row = at.get(parts.slice(from).join('/')) as { id: number } | undefined;
    if (row !== undefined) return [row.id];
  }
  return [];
}

/** The path of the one file that a path means, or nothing when it means none, several, or a folder. */
export function fileMeant(db: ShardDatabase, { path }: { path: string }): string | undefined {
  const [file, other] = filesMeant(db, path);
  if (file === undefined || other !== undefined) return undefined;
  return (db.prepare('select path from file where id = ?').get(file) as { path: string }).path;
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[a-z]:[\\/]|file:)/i.test(path.trim());
}
