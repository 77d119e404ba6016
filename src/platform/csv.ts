import { CsvError, parse } from 'csv-parse/sync';
import { ServiceError } from '../kernel/errors.ts';

const MOST_COLUMNS = 1_000;
/** Delimiters of values, the most usual first. */
const DELIMITERS = [',', ';', '\t', '|'];
/** Length of the part of a table that is searched for its delimiter. */
const HEAD_CHARACTERS = 100_000;

/** A first line in which Excel names the delimiter of values. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=([^\r\n"])"?[^\S\r\n]*(?:\r?\n|$)/i;

/**
 * The rows of a table with `,`, `;`, tabs or `|`, or what a first line `sep=^` names, between values. Rows may differ in length.
 *
 * @throws ServiceError `bad_argument` for text that is no table.
 */
export function readTable(text: string): string[][] {
  const [line = '', separator] = SEPARATOR_LINE.exec(text) ?? [];
  const source = text.slice(line.length);
  const delimiter = separator ?? delimiterOf(source);
  try {
    return parse(source, {
      delimiter,
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      // Called for each row as it is read: nothing goes on behind one that is too wide.
      on_record: (record: string[]) => {
        if (record.length > MOST_COLUMNS) throw new TooWide(`it has more than ${MOST_COLUMNS} columns`);
        return record;
      },
    });
  } catch (cause) {
    throw new ServiceError('bad_argument', `The table cannot be read: ${reasonOf(cause)}.`, {
      fix: 'Save it as CSV with the names of the columns in the first row.',
      cause,
    });
  }
}

/** Returns the delimiter of the first line that has any of the usual ones: a title above the table may have none. */
function delimiterOf(source: string): string {
  const first = /^[^\r\n]*[,;\t|][^\r\n]*$/m.exec(source.slice(0, HEAD_CHARACTERS))?.[0] ?? '';
  return DELIMITERS.toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ',';
}

/** Describes the fault of a table in our words: those of the library name its options. */
function reasonOf(cause: unknown): string {
  if (cause instanceof TooWide) return cause.message;
  const line = cause instanceof CsvError && 'lines' in cause ? Number(cause['lines']) : undefined;
  const what =
    cause instanceof CsvError && /QUOTE/.test(cause.code) ? 'a quotation mark is not closed' : 'it is no table';
  return line === undefined ? what : `${what}, at or before line ${line}`;
}

class TooWide extends Error {}
