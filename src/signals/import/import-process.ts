import { serveProcessTasks } from '../../platform/processes.ts';
import { importRecords, type Mapping } from './import-file.ts';
import { readRecords } from './records.ts';

/** A file as somebody uploaded it. */
export interface ImportTask {
  name: string;
  bytes: Uint8Array;
  encoding: string | undefined;
  mapping: Mapping;
}

/** Lines that are looked at for the names of columns. */
const COLUMN_LINES = 100;

/** The signals of a file, and how it was read. */
export type ReadSignalFile = Awaited<ReturnType<typeof readSignalFile>>;

async function readSignalFile({ name, bytes, encoding: given, mapping }: ImportTask) {
  const file = await readRecords(name, bytes, { encoding: given });
  const { format, encoding, records, files = [] } = file;
  const { known, dates, ratingOf, ...read } = importRecords(records, mapping, { files });
  const skipped = [...(file.skipped ?? []), ...read.skipped];
  const named = [...records.slice(0, COLUMN_LINES).flatMap(Object.keys), ...Object.values(read.mapping)];
  return {
    ...read,
    skipped,
    format,
    encoding: encoding ?? null,
    encoding_guessed: file.isEncodingDoubtful === true,
    known: known ?? null,
    dates: dates === undefined ? null : { order: dates.order, is_guess: dates.isGuess },
    rating_of: ratingOf ?? null,
    columns: [...new Set(named)],
  };
}

serveProcessTasks(readSignalFile);
