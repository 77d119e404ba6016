import { ServiceError } from '../kernel/errors.ts';
import { readArchive } from './archive.ts';
import { repackArchive } from './pack-archive.ts';
import { readXml } from './xml.ts';

/** A sheet of a workbook: its name, and its rows of texts, numbers, dates and empty cells. */
interface Sheet {
  name: string;
  rows: (readonly unknown[])[];
}

const SHEET_PART = /(?:^|\/)worksheets\/[^/]+\.xml$/i;
/** The beginning of a row or cell, with its attributes. */
const ROW_OR_CELL = /<((?:\w+:)?(row|c))(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)>/g;
const ANY_ADDRESS = /\sr\s*=\s*["']([^"']*)["']/;
/** Other addresses lead the library anywhere. */
const PLAIN_ADDRESS = /^[A-Z]{0,3}\d{1,7}$/;
const ADDRESS = /\sr\s*=\s*["']([A-Z]*)(\d+)["']/;
/** Cells of a sheet up to its last row and column, empty ones included: the library makes a place for each. */
const MOST_CELLS = 10_000_000;
const LETTERS = 26;
const FIRST_LETTER = 65;

/**
 * The sheets of an XLSX workbook that are shown; all of them where none is. Cells need no address: those without one follow the cell before, as the format has it.
 *
 * @throws ServiceError `bad_argument` for bytes that are no workbook, `too_large` for a sheet that reaches too far.
 */
export async function readWorkbook(name: string, bytes: Buffer): Promise<Sheet[]> {
  const { default: readXlsxFile } = await import('read-excel-file/node');
  const read = async (workbook: Buffer): Promise<Sheet[]> =>
    (await readXlsxFile(workbook)).map(({ sheet, data }) => ({ name: sheet, rows: data }));
  const hidden = new Set<string>();
  try {
    await readArchive(bytes, async (part, content) => {
      if (part === 'xl/workbook.xml') addHiddenSheets(hidden, content);
      if (SHEET_PART.test(part)) checkReach(name, content);
    });
    // The library wants an address in every cell; most workbooks have them, and are read once.
    const sheets = await read(bytes).catch(async () => read(await addressCells(bytes)));
    const shown = sheets.filter(({ name: sheet }) => !hidden.has(sheet));
    return shown.length > 0 ? shown : sheets;
  } catch (cause) {
    if (cause instanceof ServiceError && cause.code === 'too_large') throw cause;
    throw new ServiceError('bad_argument', `${name} cannot be read as an Excel workbook.`, {
      fix: 'Save it as XLSX or CSV.',
      cause,
    });
  }
}

/** Adds the names of the sheets that Excel does not show. */
function addHiddenSheets(hidden: Set<string>, workbook: Buffer): void {
  readXml(workbook.toString('utf8'), {
    open: (tag, { name = '', state = '' }) => {
      if (tag.endsWith('sheet') && /^(?:veryHidden|hidden)$/.test(state)) hidden.add(name);
    },
  });
}

/** Refuses a sheet that reaches too far: a single cell in the last row and column, by a slip of the hand, makes one of 17 billion. */
function checkReach(name: string, sheet: Buffer): void {
  let [rows, columns] = [0, 0];
  const position = new CellPosition();
  for (const [, , kind, attributes = ''] of sheet.toString('latin1').matchAll(ROW_OR_CELL)) {
    const address = ANY_ADDRESS.exec(attributes)?.[1];
    if (address !== undefined && !PLAIN_ADDRESS.test(address)) throw new Error(`"${address}" is no address of a cell.`);
    position.move(kind, attributes);
    rows = Math.max(rows, position.row);
    columns = Math.max(columns, position.column);
  }
  if (rows * columns <= MOST_CELLS) return;
  throw new ServiceError('too_large', `${name} has a sheet that reaches to row ${rows} and column ${columns}.`, {
    fix: 'Delete the cells far away from the table, or save the table as CSV.',
  });
}

async function addressCells(workbook: Buffer): Promise<Buffer> {
  return repackArchive(
    workbook,
    (name) => SHEET_PART.test(name),
    (texts) => {
      for (const [name, text] of texts) texts.set(name, withAddresses(text));
    },
  );
}

/** A sheet whose cells all have their address. */
function withAddresses(xml: string): string {
  const position = new CellPosition();
  return xml.replaceAll(ROW_OR_CELL, (tag, element: string, kind: string, attributes: string) => {
    if (position.move(kind, attributes)) return tag;
    return `<${element} r="${lettersOf(position.column)}${position.row}"${attributes}>`;
  });
}

/** Position of the row or cell that was read last, from 1: by its address, or after the one before. */
class CellPosition {
  row = 0;
  column = 0;

  /** Moves to the next row or cell, and returns whether it needs no address. */
  move(kind: string | undefined, attributes: string): boolean {
    const [, letters = '', digits] = ADDRESS.exec(attributes) ?? [];
    const row = digits === undefined ? undefined : Number(digits);
    if (kind === 'row') {
      this.row = row ?? this.row + 1;
      this.column = 0;
      return true;
    }
    this.row = row ?? this.row;
    this.column = row === undefined ? this.column + 1 : columnOf(letters);
    return row !== undefined;
  }
}

function columnOf(letters: string): number {
  return Array.from(letters).reduce((column, letter) => column * LETTERS + letter.charCodeAt(0) - FIRST_LETTER + 1, 0);
}

function lettersOf(column: number): string {
  const before = Math.floor((column - 1) / LETTERS);
  return (before === 0 ? '' : lettersOf(before)) + String.fromCharCode(FIRST_LETTER + ((column - 1) % LETTERS));
}
