import { extname } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import { decodeText } from '../text/decode.ts';

export const DOCUMENT_TYPES = ['markdown', 'text', 'html', 'pdf', 'docx', 'csv', 'zip'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** How much of a file is looked at. */
const HEAD_BYTES = 4_096;

/** What names say where the content is text in any case. */
const TEXT_TYPES: Record<string, DocumentType> = {
  '.md': 'markdown',
  '.mdx': 'markdown',
  '.markdown': 'markdown',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.html': 'html',
  '.htm': 'html',
};

/** What to do about a file that cannot be read. */
const READABLE = 'Upload Markdown, text, HTML, PDF, DOCX, CSV, or a ZIP of these.';

const OFFICE = /\.(?:docx|dotx)$/i;

/**
 * What a file is by its content; the name decides only between kinds of text.
 *
 * @throws ServiceError `bad_argument` for anything else, saying what it seems to be.
 */
export function sniffType(name: string, bytes: Uint8Array): DocumentType {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(HEAD_BYTES, bytes.byteLength));
  if (bytes.byteLength === 0) throw unreadableFile('The file is empty.', 'Upload a file with content.');
  if (head.includes('%PDF-')) return 'pdf';
  if (head.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4]))) return zipType(name, bytes);
  if (head.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 5, 6]))) return 'zip';
  if (head.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])))
    throw unreadableFile(
      'It is an old or password-protected Office document.',
      'Save it as .docx or PDF without a password.',
    );
  const text = textOf(name, bytes);
  const named = TEXT_TYPES[extname(name).toLowerCase()];
  if (named !== undefined) return named;
  return /^\s*(?:<!doctype html|<html)\b/i.test(text.slice(0, HEAD_BYTES)) ? 'html' : 'text';
}

/**
 * The text of a file: see `text/decode.ts`.
 *
 * @throws ServiceError `bad_argument` for bytes that are no text.
 */
export function textOf(name: string, bytes: Uint8Array): string {
  const decoded = decodeText(bytes, { path: name });
  if (decoded !== undefined) return decoded.text;
  throw unreadableFile('The file is neither text nor of a known type.', READABLE);
}

/** A Word document is an archive with a part of a certain name, which stands in its directory at the end. */
function zipType(name: string, bytes: Uint8Array): DocumentType {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (all.includes('word/document.xml')) return 'docx';
  if (all.includes('xl/workbook.xml') || all.includes('ppt/presentation.xml'))
    throw unreadableFile('Spreadsheets and slides cannot be read.', 'Save it as CSV or PDF.');
  if (OFFICE.test(name)) throw unreadableFile('The Word document is broken.', 'Save it again and upload it.');
  return 'zip';
}

function unreadableFile(message: string, fix: string): ServiceError {
  return new ServiceError('bad_argument', message, { fix });
}
