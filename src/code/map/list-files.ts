import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { isPathOf, omittedKind } from '../../kernel/path-kinds.ts';
import type { FileContent } from '../../languages/facts/file-content.ts';
import { fileMask, type FileFilter, type Page } from '../files/store-files.ts';

/** Roles of files. */
export const FILE_ROLES = ['product', 'test', 'generated', 'vendored', 'example', 'data'] as const;
export type FileRole = (typeof FILE_ROLES)[number];

export interface ListedFile {
  path: string;
  /** '' where it is not known. */
  language: string;
  bytes: number;
  lines: number;
  role: FileRole;
}

interface FileSearch extends FileFilter, Page {
  /** A second path that files must fit. */
  within?: string | undefined;
  /** Only files of these roles; all when absent. */
  roles?: readonly FileRole[] | undefined;
}

interface FileList {
  total: number;
  bytes: number;
  lines: number;
  byRole: Partial<Record<FileRole, number>>;
  /** By path. */
  rows: ListedFile[];
}

/** Folders of code that is there to be read or copied. */

/** The files of a filter, and the totals of all of them. One scan of the file table. */
export function listFiles(db: ShardDatabase, { within, roles, limit, offset, ...filter }: FileSearch): FileList {
  const masks = [fileMask(db, filter), fileMask(db, { path: within })];
  const rows = db
    .prepare('select id, path, language, size_bytes as bytes, lines, test, generated, content from file order by id')
    .all() as unknown as StoredFile[];
  const selected = rows
    .filter(({ id }) => masks.every((mask) => mask?.[id] !== 0))
    .map((row) => ({ ...row, role: roleOf(row) }))
    .filter(({ role }) => roles?.includes(role) !== false);
  const counts = FILE_ROLES.map((role) => [role, selected.filter((file) => file.role === role).length] as const);
  return {
    total: selected.length,
    bytes: selected.reduce((sum, { bytes }) => sum + bytes, 0),
    lines: selected.reduce((sum, { lines }) => sum + lines, 0),
    byRole: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    rows: selected
      .slice(offset, offset + limit)
      .map(({ path, language, bytes, lines, role }) => ({ path, language, bytes, lines, role })),
  };
}

interface StoredFile {
  id: number;
  path: string;
  language: string;
  bytes: number;
  lines: number;
  test: number;
  generated: number;
  content: FileContent;
}

/** The first that holds: a copied test is vendored, a generated example generated. */
function roleOf({ path, test, generated, content }: StoredFile): FileRole {
  if (omittedKind(path) === 'vendored') return 'vendored';
  if (generated === 1) return 'generated';
  if (test === 1) return 'test';
  if (isPathOf('example', path)) return 'example';
  return content === 'code' ? 'product' : 'data';
}
