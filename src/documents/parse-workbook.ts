import { readWorkbook } from '../platform/workbook.ts';
import { tableBlocks } from './parse-text.ts';
import { type ParsedDocument, sectionsOf } from './sections.ts';

/** Reads the sheets of a workbook as tables: some rows a section, below the name of the sheet. */
export async function parseXlsx(name: string, bytes: Buffer): Promise<ParsedDocument> {
  const sheets = await readWorkbook(name, bytes);
  const blocks = sheets.flatMap((sheet) => {
    const rows = sheet.rows.map((row) => row.map(textOfCell)).filter((row) => row.some((cell) => cell !== ''));
    return tableBlocks(rows, [sheet.name]);
  });
  return { title: '', tags: [], sections: sectionsOf(blocks) };
}

function textOfCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.trim();
  if (!(value instanceof Date)) return JSON.stringify(value);
  const text = value.toISOString();
  // A date without a time of day is midnight.
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}
