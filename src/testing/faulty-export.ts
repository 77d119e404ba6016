import { type Cell, workbookOf } from './workbook.ts';

/** Rows of the export, the names of its columns not among them. */
export const FAULTY_ROWS = 2_000;

/** Result that the importer must give for the export. */
export interface ExpectedImport {
  /** Lines without any text, and nothing else, are left out. */
  skipped: number[];
  /** Lines whose date, number or rating says nothing. */
  unreadable: number[];
  /** By their line: the day of those that have one. */
  days: Map<number, string>;
  customers: number;
}

const [DAY_COLUMN, AMOUNT_COLUMN, RATING_COLUMN] = [4, 5, 6];

/** As people write one day. */
const DAY_FORMS: readonly ((day: Date) => string)[] = [
  (day) => `${two(day.getUTCDate())}.${two(day.getUTCMonth() + 1)}.${day.getUTCFullYear()}`,
  // What a spreadsheet makes of a date whose cell lost its format.
  (day) => String(serialOf(day)),
  (day) => day.toISOString().slice(0, 10),
  (day) =>
    `${day.getUTCDate()}. ${day.toLocaleString('de', { month: 'long', timeZone: 'UTC' })} ${day.getUTCFullYear()}`,
  (day) => `${day.toISOString().slice(0, 10)} 14:05:00 +0200`,
];
const CUSTOMERS = [
  ['ACME GmbH', 'Acme GmbH', 'acme', 'einkauf@acme.example'],
  ['Bäckerei Grün AG', 'BÄCKEREI GRÜN', 'Bäckerei  Grün'],
  ['Müller & Söhne KG', 'Müller & Söhne', 'müller & söhne'],
];

/** A table as an office exports it after years: dates in several forms, doubled columns, quotes, line breaks, amounts in words. */
export function faultyExport(): { rows: string[][]; expected: ExpectedImport } {
  const expected: ExpectedImport = { skipped: [], unreadable: [], days: new Map(), customers: CUSTOMERS.length };
  const rows = [
    ['Ticket', 'Betreff', 'Beschreibung', 'Kunde', 'Erstellt am', 'Umsatz', 'Bewertung', 'Labels', 'Labels', 'URL'],
  ];
  for (let line = 1; line <= FAULTY_ROWS; line += 1) {
    const names = CUSTOMERS[line % CUSTOMERS.length] ?? [];
    const day = new Date(Date.UTC(2026, 0, 1 + (line % 250)));
    const isEmpty = line % 97 === 0;
    const isUndated = line % 53 === 0;
    const isWorthless = line % 61 === 0;
    if (isEmpty) expected.skipped.push(line);
    else if (isUndated || isWorthless) expected.unreadable.push(line);
    if (!isEmpty && !isUndated) expected.days.set(line, day.toISOString().slice(0, 10));
    rows.push([
      `T-${line}`,
      isEmpty ? ' ' : `Größe der Rechnung ${line}`,
      isEmpty
        ? ''
        : line % 7 === 0
          ? ''
          : `Die „Übersicht“ lädt nicht;\nerst nach ${line} Versuchen, sagt sie "fertig".`,
      names[Math.floor(line / CUSTOMERS.length) % names.length] ?? '',
      isUndated ? 'irgendwann' : (DAY_FORMS[line % DAY_FORMS.length]?.(day) ?? ''),
      isWorthless ? 'viel' : '1.200,50 €',
      String(1 + (line % 5)),
      'Export',
      line % 2 === 0 ? 'Rechnung' : '',
      `https://tickets.example/${line}`,
    ]);
  }
  return { rows, expected };
}

/** The same table as a workbook: a sheet in front, a title above, and cells that are dates, numbers, formulas and errors. */
export function faultyWorkbook(rows: readonly (readonly string[])[]): Buffer {
  const [head = [], ...lines] = rows;
  const table = lines.map((row, at) => row.map((cell, column) => cellOf(cell, { column, line: at + 1 })));
  return workbookOf({ Deckblatt: [['Erstellt von der Auswertung']], Tickets: [['Alle Tickets'], [], head, ...table] });
}

function cellOf(text: string, { column, line }: { column: number; line: number }): Cell {
  // A lookup that found nothing leaves an error, which is as empty.
  if (text === '') return line % 2 === 0 ? { error: '#N/A' } : undefined;
  if (column === DAY_COLUMN) {
    const iso = /^\d{4}-\d{2}-\d{2}(?= (\d{2}):(\d{2})|$)/.exec(text);
    if (iso !== null)
      return { day: serialOf(new Date(iso[0])) + (Number(iso[1] ?? 0) + Number(iso[2] ?? 0) / 60) / 24 };
    return /^\d+$/.test(text) ? Number(text) : text;
  }
  if (column === AMOUNT_COLUMN) return text === 'viel' || line % 3 === 0 ? text : 1200.5;
  if (column === RATING_COLUMN) return Number(text);
  return line % 11 === 0 ? { formula: 'A1&""', text } : text;
}

/** The table with this sign between its cells, quoted where it has to be. */
export function joinCells(rows: readonly (readonly string[])[], sign: ';' | '\t'): string {
  return rows.map((row) => row.map(quoteCell).join(sign)).join('\r\n');
}

function quoteCell(cell: string): string {
  return /[;\t"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Windows-1252: Latin-1 with a few signs more. */
export function windows1252(text: string): Buffer {
  const bytes: Readonly<Record<string, number>> = { '€': 0x80, '„': 0x84, '“': 0x93 };
  return Buffer.from(Array.from(text, (character) => bytes[character] ?? character.charCodeAt(0)));
}

/** As spreadsheets count days. */
function serialOf(day: Date): number {
  return 25_569 + day.getTime() / 86_400_000;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
