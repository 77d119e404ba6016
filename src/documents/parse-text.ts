import { readTable } from '../platform/csv.ts';
import { blocksBelow, type LocatedHeading } from './parse-markdown.ts';
import { type Block, type ParsedDocument, sectionsOf } from './sections.ts';

/** Rows of a table that make one section. */
const ROWS_A_SECTION = 25;

/** A line of text with a line of one repeated sign below it: a heading in reStructuredText and in many text files. */
const UNDERLINED = /^(?:([=\-~^"'#*+`:.])\1{2,}[ \t]*\n)?([^\n]{1,120})\n([=\-~^"'#*+`:.])\3{2,}[ \t]*$/gm;

/** Reads plain text, cut at underlined headings. The sign that comes first is the outermost. */
export function parseText(source: string): ParsedDocument {
  const text = source.replaceAll('\r\n', '\n');
  const signs: string[] = [];
  const headings: LocatedHeading[] = [];
  for (const match of text.matchAll(UNDERLINED)) {
    const [whole, over = '', line = '', under = ''] = match;
    if (line.trim() === '' || whole.length - whole.lastIndexOf('\n') < line.trim().length) continue;
    const sign = over + under;
    if (!signs.includes(sign)) signs.push(sign);
    const start = match.index;
    headings.push({ depth: signs.indexOf(sign) + 1, text: line.trim(), start, end: start + whole.length });
  }
  return { title: headings[0]?.text ?? '', tags: [], sections: sectionsOf(blocksBelow(text, headings)) };
}

/**
 * Reads a table whose first row names the columns: some rows a section, each as `column: value` pairs.
 *
 * @throws ServiceError `bad_argument` for text that is no table.
 */
export function parseCsv(source: string): ParsedDocument {
  return { title: '', tags: [], sections: sectionsOf(tableBlocks(readTable(source), [])) };
}

/** The rows of a table below its first one, which names the columns: some rows a block. */
export function tableBlocks(rows: readonly (readonly string[])[], path: readonly string[]): Block[] {
  const [columns = [], ...records] = rows;
  const blocks: Block[] = [];
  for (let at = 0; at < records.length; at += ROWS_A_SECTION) {
    const some = records.slice(at, at + ROWS_A_SECTION);
    const lines = some.map((record) =>
      record.flatMap((value, index) => (value === '' ? [] : [`${columns[index] ?? index + 1}: ${value}`])).join('; '),
    );
    blocks.push({ path: [...path, `Rows ${at + 1} to ${at + some.length}`], text: lines.join('\n') });
  }
  if (records.length === 0) blocks.push({ path, text: columns.join('; ') });
  return blocks;
}
