import { parse } from 'csv-parse/sync';
import { ServiceError } from '../kernel/errors.ts';

const MOST_COLUMNS = 1_000;

/**
 * The rows of a table with `,`, `;` or tabs between values. Rows may differ in length.
 *
 * @throws ServiceError `bad_argument` for text that is no table.
 */
export function readTable(source: string): string[][] {
  const [first = ''] = source.split('\n', 1);
  const delimiter = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ',';
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
        if (record.length > MOST_COLUMNS) throw new Error(`it has more than ${MOST_COLUMNS} columns`);
        return record;
      },
    });
  } catch (cause) {
    throw new ServiceError(
      'bad_argument',
      `The table cannot be read: ${cause instanceof Error ? cause.message : ''}.`,
      {
        fix: 'Save it as CSV with the names of the columns in the first row.',
        cause,
      },
    );
  }
}
