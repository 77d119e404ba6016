/** A column of a table: its name, and its value for a row. */
export type Column<Row> = readonly [name: string, value: (row: Row) => string | number | null];

/** First characters that spreadsheet programs take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A table as CSV (RFC 4180), the names of the columns first. A text that a program for tables would run as a formula has
 * an apostrophe in front.
 */
export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map(([name]) => name), ...rows.map((row) => columns.map(([, value]) => cellOf(value(row))))];
  return lines.map((cells) => `${cells.map(quote).join(',')}\r\n`).join('');
}

function cellOf(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  return FORMULA.test(value) ? `'${value}` : value;
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

export function jsonLinesOf(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** Hands a text to the browser as a file to keep. */
export function saveFile(name: string, type: 'text/csv' | 'application/jsonl', text: string): void {
  // Programs for tables read UTF-8 only where a byte order mark says so.
  const mark = type === 'text/csv' ? '\uFEFF' : '';
  const url = URL.createObjectURL(new Blob([mark, text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Reads a list to its end, page by page. */
export async function readAll<Page extends { next: string | null }>(
  read: (cursor: string | undefined) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await read(cursor);
    pages.push(page);
    if (page.next === null) return pages;
    cursor = page.next;
  }
}
