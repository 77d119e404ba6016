import { extname } from 'node:path';
import { ServiceError } from '../../kernel/errors.ts';
import { parseJson } from '../../kernel/json.ts';
import { readArchive } from '../../platform/archive.ts';
import { canonicalEncoding, type DecodeHints, decodeText } from '../../text/decode.ts';
import { BEYOND, type FilePart, type ImportRecord, type LineNote, type NamedFile } from './import-file.ts';
import { mapColumns } from './known-exports.ts';
import { mailFormat, readMails } from './mail.ts';
import { isRecord } from '../../kernel/json.ts';
import { isSlackExport, readSlackExport } from './slack-export.ts';

/** The records of a file, with how they were read. */
interface ReadFile {
  format: 'CSV' | 'JSON' | 'JSON Lines' | 'XLSX' | 'EML' | 'mbox' | 'Slack export';
  /** Undefined for a format that has its own, and for several files. */
  encoding: string | undefined;
  /** The encoding is a guess. */
  isEncodingDoubtful?: true;
  records: ImportRecord[];
  /** Ranges of the records of each file of an archive or folder. */
  files?: FilePart[];
  /** Parts of the file that are left out, with the reason. */
  skipped?: LineNote[];
}

const ZIP_MARK = [0x50, 0x4b, 0x03, 0x04];
/** Of all parts of a workbook or archive, unpacked. */
const MOST_UNPACKED_BYTES = 200_000_000;
/** The control character that stands for one that cannot be read. */
const SUBSTITUTE = 0x1a;
/** Tab, line feed, form feed, carriage return. */
const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d]);
/** Text has at most one zero in so many bytes. */
const BYTES_PER_ZERO = 20;
/** Rows of a sheet among which the names of its columns stand. */
const HEAD_ROWS = 20;
/** Objects around the list of a JSON document. */
const MOST_JSON_LEVELS = 4;
/** Types of files that an archive or folder is searched for. */
const TYPES: ReadonlySet<string> = new Set([
  '.csv',
  '.tsv',
  '.txt',
  '.xlsx',
  '.json',
  '.jsonl',
  '.ndjson',
  '.eml',
  '.mbox',
  '.mbx',
]);

/**
 * The records of a file: a workbook (its largest sheet, and those with the same columns) or table with the names of its columns in the first row, JSON
 * Lines, a JSON list, a JSON object that holds one list, mails (EML, mbox), or a ZIP of one export: a Slack export, or files that
 * have the same columns. The content says which; text may be in any encoding, which `given` names where nothing tells it. A workbook of 4,000 rows takes
 * some 400 ms.
 *
 * @throws ServiceError `bad_argument` for a file that is none of these, `too_large` for what unpacks to more than 200 MB.
 */
export async function readRecords(
  name: string,
  bytes: Uint8Array,
  given: { encoding?: string | undefined } = {},
): Promise<ReadFile> {
  if (ZIP_MARK.every((byte, at) => bytes[at] === byte)) {
    const buffer = Buffer.from(bytes);
    if ((await isWorkbook(name, buffer)) || extname(name).toLowerCase() === '.xlsx')
      return { format: 'XLSX', encoding: undefined, ...(await recordsOfWorkbook(name, buffer)) };
    return readFolder(name, await unpack(buffer), given);
  }
  const { text, ...decoded } = textOf(name, bytes, given.encoding);
  const mails = mailFormat(text);
  if (mails !== undefined)
    return { format: mails, encoding: undefined, records: await readMails(Buffer.from(bytes), mails) };
  const extension = extname(name).toLowerCase();
  if (['.json', '.jsonl', '.ndjson'].includes(extension) || /^\s*[[{]/.test(text)) {
    return { ...readJson(name, text), ...decoded };
  }
  const { readTable } = await import('../../platform/csv.ts');
  return { format: 'CSV', ...decoded, records: recordsOf(belowTitles(readTable(text))) };
}

/**
 * The records of the files of one export, those that may hold some: a Slack export, or files that have the same columns.
 *
 * @throws ServiceError as `readRecords`, and `bad_argument` when files have different columns, or there is none.
 */
export async function readFolder(
  name: string,
  all: readonly NamedFile[],
  given: { encoding?: string | undefined } = {},
): Promise<ReadFile> {
  if (isSlackExport(all)) return wholeOf('Slack export', readSlackExport(all));
  const files = all.filter((file) => TYPES.has(extname(file.name).toLowerCase()));
  const [only, ...others] = files;
  if (only === undefined)
    throw new ServiceError('bad_argument', `${name} contains no file that can be imported.`, {
      fix: 'Import CSV, TSV, XLSX, JSON, JSON Lines, EML or mbox files, a Slack export, or a ZIP of these.',
    });
  if (others.length === 0) return readRecords(only.name, only.bytes, given);
  const read = await Array.fromAsync(files, async (file) => ({
    name: file.name,
    ...(await readRecords(file.name, file.bytes, given)),
  }));
  const [first] = read;
  const different = read.find(
    (file) => columnsOf(file.records) !== columnsOf(first?.records ?? []) && file.records.length > 0,
  );
  if (different !== undefined)
    throw new ServiceError('bad_argument', `${different.name} has other columns than ${first?.name ?? name}.`, {
      fix: 'Import the files one by one.',
    });
  return wholeOf(first?.format ?? 'CSV', read);
}

/** @throws ServiceError `bad_argument` for bytes that are no text, and for an encoding that nobody knows. */
function textOf(
  name: string,
  bytes: Uint8Array,
  given: string | undefined,
): { text: string; encoding: string; isEncodingDoubtful?: true } {
  if (given !== undefined && canonicalEncoding(given) === undefined)
    throw new ServiceError('bad_argument', `"${given}" is not the name of an encoding.`, {
      fix: 'Name one such as utf-8, windows-1252, iso-8859-15, shift_jis or gb18030.',
    });
  const hints = { path: name, encoding: given };
  const decoded = decodeText(bytes, hints) ?? decodeMarked(bytes, hints);
  if (decoded === undefined)
    throw new ServiceError(
      'bad_argument',
      `${name} is not a text file, and not of another type that can be imported.`,
      {
        fix: 'Import CSV, TSV, XLSX, JSON, JSON Lines, EML or mbox, or a ZIP of these.',
      },
    );
  const { text, encoding, isDoubtful } = decoded;
  return { text, encoding: titleOf(encoding), ...(isDoubtful && { isEncodingDoubtful: true }) };
}

/** Text in which a few bytes are zero, with U+FFFD for each of them; undefined for bytes that are no text. */
function decodeMarked(bytes: Uint8Array, hints: DecodeHints): ReturnType<typeof decodeText> {
  const zeros = bytes.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  const isText = !bytes.some((byte) => byte < 0x20 && byte !== 0 && !BLANKS.has(byte));
  if (!isText || zeros * BYTES_PER_ZERO > bytes.length) return undefined;
  const decoded = decodeText(
    bytes.map((byte) => (byte === 0 ? SUBSTITUTE : byte)),
    hints,
  );
  return decoded && { ...decoded, text: decoded.text.replaceAll(String.fromCharCode(SUBSTITUTE), '\uFFFD') };
}

/** As people write the name of an encoding: `UTF-8`, `Windows-1252`. */
function titleOf(encoding: string): string {
  return encoding.startsWith('windows') ? encoding.replace('windows', 'Windows') : encoding.toUpperCase();
}

function wholeOf(format: ReadFile['format'], files: readonly { name: string; records: ImportRecord[] }[]): ReadFile {
  return {
    format,
    encoding: undefined,
    records: files.flatMap(({ records }) => records),
    files: files.map(({ name, records }) => ({ name, records: records.length })),
  };
}

/** Columns of a table; objects of one list have different ones. */
function columnsOf([first]: readonly ImportRecord[]): string {
  return Object.keys(first ?? {})
    .toSorted()
    .join('\n');
}

/** Columns without a name or with that of another are told apart by their number; cells behind the last one are kept together. */
function recordsOf([head = [], ...rows]: readonly (readonly unknown[])[]): ImportRecord[] {
  const usedNames = new Set<string>();
  const columns = head.map((cell, at) => {
    const name = typeof cell === 'string' ? cell.trim() : '';
    const unique = name === '' || usedNames.has(name) ? `${name || 'column'} ${at + 1}` : name;
    usedNames.add(unique);
    return unique;
  });
  return rows.map((row) => {
    const beyond = row.slice(columns.length).filter((cell) => cell !== null && cell !== '');
    const cells = columns.map((column, at) => [column, row[at]]);
    return Object.fromEntries(beyond.length === 0 ? cells : [...cells, [BEYOND, beyond.join(', ')]]);
  });
}

/**
 * The records of a workbook: its largest sheet with those that have the same columns. Sheets of other columns are named among
 * the lines that are left out.
 */
async function recordsOfWorkbook(name: string, bytes: Buffer): Promise<Omit<ReadFile, 'format' | 'encoding'>> {
  const { readWorkbook } = await import('../../platform/workbook.ts');
  const sheets = (await readWorkbook(name, bytes)).map((sheet) => ({
    name: sheet.name,
    records: recordsOf(tableOf(sheet.rows.filter((row) => countFilled(row) > 0))),
  }));
  const [largest] = sheets.toSorted((a, b) => b.records.length - a.records.length);
  if (largest === undefined) return { records: [] };
  const isSame = ({ records }: { records: ImportRecord[] }): boolean =>
    columnsOf(records) === columnsOf(largest.records);
  const read = sheets.filter((sheet) => sheet === largest || (sheet.records.length > 0 && isSame(sheet)));
  const others = sheets.filter(({ records }) => records.length > 0).filter((sheet) => !read.includes(sheet));
  return {
    records: read.flatMap(({ records }) => records),
    ...(read.length > 1 && { files: read.map((sheet) => ({ name: sheet.name, records: sheet.records.length })) }),
    ...(others.length > 0 && {
      skipped: others.map((sheet) => ({
        file: sheet.name,
        line: 1,
        reason: `The sheet has other columns than "${largest.name}": save it as a file of its own.`,
      })),
    }),
  };
}

/** Without the titles and notes above the names of the columns, which fill few of the cells. */
function tableOf<Row extends readonly unknown[]>(rows: readonly Row[]): readonly Row[] {
  const widest = Math.max(0, ...rows.slice(0, HEAD_ROWS).map(countFilled));
  return rows.slice(rows.findIndex((row) => countFilled(row) > widest / 2));
}

/**
 * Without the titles above the names of the columns of a text table, where the first row names no column that can be the text of
 * a signal, and a later one does that fills more cells than all before it: texts with a delimiter in them widen rows too.
 */
function belowTitles(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  let widest = 0;
  for (const [at, row] of rows.slice(0, HEAD_ROWS).entries()) {
    const filled = countFilled(row);
    if (filled > widest && mapColumns(row).mapping.text !== undefined) return rows.slice(at);
    widest = Math.max(widest, filled);
  }
  return rows;
}

function countFilled(row: readonly unknown[]): number {
  return row.filter((cell) => cell !== null && cell !== undefined && cell !== '').length;
}

/** True if a ZIP is an Office file. A small file can unpack to more than there is memory. */
async function isWorkbook(name: string, bytes: Buffer): Promise<boolean> {
  const { fromBufferPromise } = await import('yauzl');
  let [size, isOffice] = [0, false];
  try {
    const zip = await fromBufferPromise(bytes, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      size += entry.uncompressedSize;
      isOffice ||= entry.fileName === '[Content_Types].xml';
    }
  } catch (cause) {
    throw new ServiceError('bad_argument', `${name} is broken.`, { fix: 'Save or pack it again.', cause });
  }
  if (size > MOST_UNPACKED_BYTES)
    throw new ServiceError('too_large', `${name} unpacks to more than ${MOST_UNPACKED_BYTES / 1e6} MB.`, {
      fix: 'Import its files one by one.',
    });
  return isOffice;
}

/** @throws ServiceError for an entry that cannot be read: no line of it could be named. */
async function unpack(bytes: Buffer): Promise<NamedFile[]> {
  const files: NamedFile[] = [];
  const [problem] = await readArchive(bytes, async (name, content) => void files.push({ name, bytes: content }));
  if (problem === undefined) return files;
  throw new ServiceError('bad_argument', `${problem.name} cannot be read: ${problem.reason}`, {
    fix: 'Unpack the archive, and import the folder.',
  });
}

function readJson(name: string, text: string): Pick<ReadFile, 'format' | 'records'> {
  const source = text.replace(/^\ufeff/, '');
  const whole = parseJson(source);
  const lists = listsIn(whole, MOST_JSON_LEVELS);
  const list = lists.toSorted((a, b) => b.length - a.length)[0] ?? (isRecord(whole) ? [whole] : undefined);
  if (list?.length === 0 || isMostlyRecords(list ?? [])) return { format: 'JSON', records: (list ?? []).map(recordOf) };
  const lines = source.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseJson(line)]));
  if (isMostlyRecords(lines)) return { format: 'JSON Lines', records: lines.map(recordOf) };
  throw new ServiceError('bad_argument', `${name} is neither a JSON list of objects nor one JSON object per line.`, {
    fix: 'Export it as JSON Lines or CSV.',
  });
}

/** One line that was cut off, or an entry that is no object, does not cost the others. */
function isMostlyRecords(values: readonly unknown[]): boolean {
  return values.filter(isRecord).length * 2 > values.length;
}

/** A value as a record. One that is no object has no text, and is skipped with that reason. */
function recordOf(value: unknown): ImportRecord {
  return isRecord(value) ? value : {};
}

/** The lists in a document that are no values of a list themselves, such as `data.items` of an answer of a service. */
function listsIn(value: unknown, levels: number): unknown[][] {
  if (Array.isArray(value)) return [value];
  if (!isRecord(value) || levels === 0) return [];
  return Object.values(value).flatMap((inner) => listsIn(inner, levels - 1));
}
