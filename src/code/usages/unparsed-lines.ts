import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { namesOfLanguages } from '../../languages/languages.ts';
import type { UsageRow } from '../../code-index/format/rows.ts';
import { fileAt, type FileFilter, testFlags } from '../files/store-files.ts';
import { grep } from '../grep/store-grep.ts';

/** Languages whose files are code. */
const PARSED = namesOfLanguages(({ isProse, declaresData }) => isProse !== true && declaresData !== true);

/**
 * Lines with one of the names as a word, in files of a language with symbols that were not parsed: too large, of very long
 * lines, too deep. Nothing is read where there is no such file.
 */
export function linesOfUnparsed(
  db: ShardDatabase,
  { names, limit, ...filter }: FileFilter & { names: readonly string[]; limit: number },
): { total: number; rows: UsageRow[] } {
  const files = db.derived('unparsed files', () => unparsedFiles(db));
  if (names.length === 0 || !files.includes(1)) return { total: 0, rows: [] };
  const matches = grep(db, { pattern: wordPattern(names), files, limit, offset: 0, ...filter });
  const rows = matches.rows.map((row): UsageRow => {
    const test = testFlags(db)[fileAt(db, row.path) ?? -1] === 1;
    return { ...row, use: 'read', enclosing: '', text: row.text.trim(), grade: 'name', test };
  });
  return { total: matches.total, rows };
}

/** A pattern for lines that have one of some names as a word. */
export function wordPattern(names: readonly string[]): string {
  return names.map((name) => bounded(name.replaceAll(/[^\w]/g, (mark) => `\\${mark}`))).join('|');
}

function bounded(word: string): string {
  return `${/^\w/.test(word) ? '\\b' : ''}${word}${/\w$/.test(word) ? '\\b' : ''}`;
}

function unparsedFiles(db: ShardDatabase): Uint8Array {
  const rows = db.prepare('select id, language, parsed, reason from file order by id').all() as unknown as {
    language: string;
    parsed: string;
    reason: string | null;
  }[];
  return Uint8Array.from(rows, ({ language, parsed, reason }) =>
    parsed === 'failed' && reason !== null && PARSED.has(language) ? 1 : 0,
  );
}
