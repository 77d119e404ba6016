import { extname } from 'node:path';
import { ServiceError } from '../../kernel/errors.ts';
import { decodeText } from './decode-text.ts';
import { BEYOND, type ImportRecord } from './import-file.ts';

/** What was read of a file. */
interface ReadFile {
  format: 'CSV' | 'JSON' | 'JSON Lines' | 'XLSX';
  /** Undefined for a format that has its own. */
  encoding: string | undefined;
  records: ImportRecord[];
}

const ZIP_MARK = [0x50, 0x4b, 0x03, 0x04];
/** Of all parts of a workbook, unpacked. */
const MOST_WORKBOOK_BYTES = 200_000_000;

/**
 * The records of a file: a workbook (its largest sheet) or table with the names of its columns in the first row, JSON
 * Lines, a JSON list, or a JSON object that holds one list. The content says which; text may be in UTF-8, UTF-16 or
 * Windows-1252. A workbook of 4,000 rows takes some 400 ms.
 *
 * @throws ServiceError `bad_argument` for a file that is none of these.
 */
export async function readRecords(name: string, bytes: Uint8Array): Promise<ReadFile> {
  if (ZIP_MARK.every((byte, at) => bytes[at] === byte)) {
    return { format: 'XLSX', encoding: undefined, records: await readWorkbook(name, Buffer.from(bytes)) };
  }
  const { text, encoding } = decodeText(bytes);
  const extension = extname(name).toLowerCase();
  if (['.json', '.jsonl', '.ndjson'].includes(extension) || /^\s*[[{]/.test(text)) {
    return { ...readJson(name, text), encoding };
  }
  const { readTable } = await import('../../platform/csv.ts');
  return { format: 'CSV', encoding, records: recordsOf(readTable(text.replace(/^\ufeff/, ''))) };
}

/** Columns without a name or with that of another are told apart by their number; cells behind the last one are kept together. */
function recordsOf([head = [], ...rows]: readonly (readonly unknown[])[]): ImportRecord[] {
  const seen = new Set<string>();
  const columns = head.map((cell, at) => {
    const name = typeof cell === 'string' ? cell.trim() : '';
    const unique = name === '' || seen.has(name) ? `${name || 'column'} ${at + 1}` : name;
    seen.add(unique);
    return unique;
  });
  return rows.map((row) => {
    const beyond = row.slice(columns.length).filter((cell) => cell !== null && cell !== '');
    const cells = columns.map((column, at) => [column, row[at]]);
    return Object.fromEntries(beyond.length === 0 ? cells : [...cells, [BEYOND, beyond.join(', ')]]);
  });
}

async function readWorkbook(name: string, bytes: Buffer): Promise<ImportRecord[]> {
  try {
    await checkSize(bytes);
    const { default: readXlsxFile } = await import('read-excel-file/node');
    const sheets = await readXlsxFile(bytes);
    const largest = sheets.toSorted((a, b) => b.data.length - a.data.length)[0];
    const rows = (largest?.data ?? []).filter((row) => row.some((cell) => cell !== null && cell !== ''));
    return recordsOf(rows);
  } catch (cause) {
    throw new ServiceError('bad_argument', `${name} cannot be read as an Excel workbook.`, {
      fix: 'Save it as XLSX or CSV.',
      cause,
    });
  }
}

/** A small file can unpack to more than there is memory. */
async function checkSize(bytes: Buffer): Promise<void> {
  const { fromBufferPromise } = await import('yauzl');
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  let size = 0;
  for await (const entry of zip.eachEntry()) size += entry.uncompressedSize;
  if (size > MOST_WORKBOOK_BYTES) throw new Error('It unpacks to too much.');
}

function readJson(name: string, text: string): Pick<ReadFile, 'format' | 'records'> {
  const source = text.replace(/^\ufeff/, '');
  const whole = parsed(source);
  const lists = Array.isArray(whole) ? [whole] : Object.values(isObject(whole) ? whole : {}).filter(Array.isArray);
  const list = lists.toSorted((a, b) => b.length - a.length)[0] ?? (isObject(whole) ? [whole] : undefined);
  if (list?.every(isObject) === true) return { format: 'JSON', records: list };
  const lines = source.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parsed(line)]));
  if (lines.length > 0 && lines.every(isObject)) return { format: 'JSON Lines', records: lines };
  throw new ServiceError('bad_argument', `${name} is neither a JSON list of objects nor one JSON object per line.`, {
    fix: 'Export it as JSON Lines or CSV.',
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is ImportRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
