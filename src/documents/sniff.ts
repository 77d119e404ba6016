import { extname } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';

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
  const text = decodeText(bytes);
  const named = TEXT_TYPES[extname(name).toLowerCase()];
  if (named !== undefined) return named;
  return /^\s*(?:<!doctype html|<html)\b/i.test(text.slice(0, HEAD_BYTES)) ? 'html' : 'text';
}

/**
 * The text of a file in UTF-8, or in UTF-16 when its first bytes say so.
 *
 * @throws ServiceError `bad_argument` for bytes that are no text.
 */
export function decodeText(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Said below.
  }
  throw unreadableFile(
    'The file is neither text in UTF-8 nor of a known type.',
    'Upload Markdown, text, HTML, PDF, DOCX, CSV, or a ZIP of these.',
  );
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
