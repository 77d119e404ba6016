import { extname } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import { readTable } from '../platform/csv.ts';

/**
 * The records of a text: a table with the names of its columns in the first row, JSON Lines, or a JSON list; the ending of
 * `name` says which.
 *
 * @throws ServiceError `bad_argument` for a text that is none of these.
 */
export function readRecords(name: string, text: string): Record<string, unknown>[] {
  const source = text.replace(/^\ufeff/, '');
  const extension = extname(name).toLowerCase();
  if (extension !== '.json' && extension !== '.jsonl' && extension !== '.ndjson') {
    const [columns = [], ...rows] = readTable(source);
    return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
  }
  try {
    const lines = source.split('\n').filter((line) => line.trim() !== '');
    const parsed: unknown = /^\s*\[/.test(source) ? JSON.parse(source) : lines.map((line) => JSON.parse(line));
    if (Array.isArray(parsed) && parsed.every((one) => typeof one === 'object' && one !== null)) return parsed;
  } catch {
    // Said below.
  }
  throw new ServiceError('bad_argument', `${name} is neither a JSON list of objects nor one JSON object per line.`, {
    fix: 'Export it as JSON Lines or CSV.',
  });
}
