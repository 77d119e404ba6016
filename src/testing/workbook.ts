import { zipOf } from './zip.ts';

/** A cell: a number, a text, a date (days from 1899-12-30, shown as a date), the text that a formula gave, an error, or nothing. */
export type Cell =
  | number
  | string
  | { day: number }
  | { formula: string; text: string }
  | { error: string }
  | undefined;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE_RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** An XLSX file of these sheets, with shared texts, as Excel writes it. */
export function workbookOf(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
  { hidden = [], isFrom1904 = false }: { hidden?: readonly string[]; isFrom1904?: boolean } = {},
): Buffer {
  const texts = new Map<string, number>();
  const files: Record<string, string> = {};
  const names = Object.keys(sheets);
  for (const [at, rows] of Object.values(sheets).entries())
    files[`xl/worksheets/sheet${at + 1}.xml`] =
      `${HEAD}<worksheet ${MAIN}><sheetData>${rows.map((row, index) => rowXml(row, index + 1, texts)).join('')}</sheetData></worksheet>`;
  const related = names.map(
    (_, at) => `<Relationship Id="r${at + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const listed = names.map(
    (name, at) =>
      `<sheet name="${escapeXml(name)}" sheetId="${at + 1}"${hidden.includes(name) ? ' state="hidden"' : ''} r:id="r${at + 1}"/>`,
  );
  const shared = [...texts.keys()].map((text) => `<si><t xml:space="preserve">${escapeXml(text)}</t></si>`);
  return zipOf({
    '[Content_Types].xml': `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE_RELATIONS}"><Relationship Id="r1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE_RELATIONS}">${related.join('')}<Relationship Id="s1" Type="${RELATIONS}/styles" Target="styles.xml"/><Relationship Id="s2" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/workbook.xml': `${HEAD}<workbook ${MAIN} xmlns:r="${RELATIONS}">${isFrom1904 ? '<workbookPr date1904="1"/>' : ''}<sheets>${listed.join('')}</sheets></workbook>`,
    'xl/styles.xml': `${HEAD}<styleSheet ${MAIN}><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${HEAD}<sst ${MAIN}>${shared.join('')}</sst>`,
    ...files,
  });
}

function rowXml(row: readonly Cell[], number: number, texts: Map<string, number>): string {
  return `<row r="${number}">${row.map((cell, at) => cellXml(cell, `${columnName(at)}${number}`, texts)).join('')}</row>`;
}

/** Letters of a column, counted from 0. */
function columnName(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : columnName(Math.floor(at / 26) - 1) + letter;
}

function cellXml(cell: Cell, reference: string, texts: Map<string, number>): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') {
    const at = texts.get(cell) ?? texts.size;
    texts.set(cell, at);
    return `<c r="${reference}" t="s"><v>${at}</v></c>`;
  }
  if ('day' in cell) return `<c r="${reference}" s="1"><v>${cell.day}</v></c>`;
  if ('error' in cell) return `<c r="${reference}" t="e"><v>${escapeXml(cell.error)}</v></c>`;
  return `<c r="${reference}" t="str"><f>${escapeXml(cell.formula)}</f><v>${escapeXml(cell.text)}</v></c>`;
}

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);
}
