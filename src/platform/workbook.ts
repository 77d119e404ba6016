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
const ADDRESS = /\sr\s*=\s*["']([A-Z]*)(\d+)["']/;
const LETTERS = 26;
const FIRST_LETTER = 65;

/**
 * The sheets of an XLSX workbook that are shown; all of them where none is. Cells need no address: those without one follow the cell before, as the format has it.
 *
 * @throws ServiceError `bad_argument` for bytes that are no workbook.
 */
export async function readWorkbook(name: string, bytes: Buffer): Promise<Sheet[]> {
  const { default: readXlsxFile } = await import('read-excel-file/node');
  const read = async (workbook: Buffer): Promise<Sheet[]> =>
    (await readXlsxFile(workbook)).map(({ sheet, data }) => ({ name: sheet, rows: data }));
  const hidden = await hiddenSheets(bytes).catch(() => NONE);
  try {
    // The library wants an address in every cell; most workbooks have them, and are read once.
    const sheets = await read(bytes).catch(async () => read(await addressCells(bytes)));
    const shown = sheets.filter(({ name: sheet }) => !hidden.has(sheet));
    return shown.length > 0 ? shown : sheets;
  } catch (cause) {
    throw new ServiceError('bad_argument', `${name} cannot be read as an Excel workbook.`, {
      fix: 'Save it as XLSX or CSV.',
      cause,
    });
  }
}

const NONE: ReadonlySet<string> = new Set();

/** The names of the sheets that Excel does not show. */
async function hiddenSheets(workbook: Buffer): Promise<ReadonlySet<string>> {
  const hidden = new Set<string>();
  await readArchive(workbook, async (name, bytes) => {
    if (name !== 'xl/workbook.xml') return;
    readXml(bytes.toString('utf8'), {
      open: (tag, { name: sheet = '', state = '' }) => {
        if (tag.endsWith('sheet') && /^(?:veryHidden|hidden)$/.test(state)) hidden.add(sheet);
      },
    });
  });
  return hidden;
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
  let [row, column] = [0, 0];
  return xml.replaceAll(ROW_OR_CELL, (tag, element: string, kind: string, attributes: string) => {
    const [, letters = '', digits] = ADDRESS.exec(attributes) ?? [];
    if (kind === 'row') {
      row = digits === undefined ? row + 1 : Number(digits);
      column = 0;
      return tag;
    }
    if (digits !== undefined) {
      row = Number(digits);
      column = columnOf(letters);
      return tag;
    }
    column += 1;
    return `<${element} r="${lettersOf(column)}${row}"${attributes}>`;
  });
}

function columnOf(letters: string): number {
  return Array.from(letters).reduce((column, letter) => column * LETTERS + letter.charCodeAt(0) - FIRST_LETTER + 1, 0);
}

function lettersOf(column: number): string {
  const before = Math.floor((column - 1) / LETTERS);
  return (before === 0 ? '' : lettersOf(before)) + String.fromCharCode(FIRST_LETTER + ((column - 1) % LETTERS));
}
