import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { COMMENT_TAGS, type CommentTag, type TaggedComment } from '../../code-index/format/comment-tags.ts';
import { fileMask, pathOf, testFlags, type FileFilter, type Page } from '../files/store-files.ts';

interface CommentSearch extends FileFilter, Page {
  /** Only these; all when absent or empty. */
  tags?: readonly CommentTag[] | undefined;
  /** Words that the text has, in any case. */
  words?: readonly string[] | undefined;
}

export interface CommentRow extends TaggedComment {
  path: string;
  test: boolean;
}

/** Tagged comments by path and line, with exact totals. Reads them all: some thousands in a large repository. */
export function comments(
  db: ShardDatabase,
  search: CommentSearch,
): { total: number; byTag: Partial<Record<CommentTag, number>>; rows: CommentRow[] } {
  const mask = fileMask(db, search);
  const tags = search.tags === undefined || search.tags.length === 0 ? undefined : new Set<string>(search.tags);
  const words = (search.words ?? []).map((word) => word.toLowerCase());
  const all = db.prepare('select file, line, tag, text from comment order by id').iterate() as unknown as Iterable<
    TaggedComment & { file: number }
  >;
  const isTest = testFlags(db);
  const byTag: Partial<Record<CommentTag, number>> = {};
  const rows: CommentRow[] = [];
  let total = 0;
  for (const { file, line, tag, text } of all) {
    const isSelected =
      mask?.[file] !== 0 && tags?.has(tag) !== false && words.every((word) => text.toLowerCase().includes(word));
    if (!isSelected) continue;
    byTag[tag] = (byTag[tag] ?? 0) + 1;
    if (total >= search.offset && rows.length < search.limit)
      rows.push({ path: pathOf(db, file), line, tag, text, test: isTest[file] === 1 });
    total += 1;
  }
  const inOrder = COMMENT_TAGS.flatMap((tag) => (byTag[tag] === undefined ? [] : [[tag, byTag[tag]] as const]));
  return { total, byTag: Object.fromEntries(inOrder), rows };
}
