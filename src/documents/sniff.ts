import { extname } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import { decodeText } from '../text/decode.ts';

export const DOCUMENT_TYPES = [
  'markdown',
  'text',
  'html',
  'pdf',
  'docx',
  'pptx',
  'xlsx',
  'odt',
  'rtf',
  'epub',
  'csv',
  'zip',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Number of bytes of a file that are inspected. */
const HEAD_BYTES = 4_096;

/** Types by file extension, where the content is text in any case. */
const TEXT_TYPES: Record<string, DocumentType> = {
  '.md': 'markdown',
  '.mdx': 'markdown',
  '.markdown': 'markdown',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.html': 'html',
  '.htm': 'html',
};

/** Fix for a file that cannot be read. */
const READABLE = 'Upload Markdown, text, HTML, PDF, DOCX, PPTX, XLSX, ODT, RTF, EPUB, CSV, or a ZIP of these.';

const OFFICE = /\.(?:docx|dotx|pptx|potx|ppsx|xlsx|xltx|xlsm)$/i;

/** Parts that say what an archive is, with its type, or what it is called that is not read and what to do. */
const ARCHIVES: readonly (readonly [part: string, is: DocumentType | Refusal])[] = [
  ['word/document.xml', 'docx'],
  ['ppt/presentation.xml', 'pptx'],
  ['xl/workbook.xml', 'xlsx'],
  ['xl/workbook.bin', { what: 'a binary workbook (XLSB)', fix: 'Save it as XLSX or CSV.' }],
  ['META-INF/container.xml', 'epub'],
  [
    'Index/Document.iwa',
    { what: 'a document of Pages, Numbers or Keynote', fix: 'Export it as PDF, or as DOCX, XLSX or PPTX.' },
  ],
  ['Documents/1/FixedDoc', { what: 'an XPS document', fix: 'Save it as PDF.' }],
];
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.';
const OPEN_DOCUMENTS: Readonly<Record<string, DocumentType | Refusal>> = {
  text: 'odt',
  spreadsheet: { what: 'an OpenDocument spreadsheet', fix: 'Save it as XLSX or CSV.' },
  presentation: { what: 'an OpenDocument presentation', fix: 'Save it as PPTX or PDF.' },
  graphics: { what: 'an OpenDocument drawing', fix: 'Save it as PDF.' },
};

/** Streams of old Office files by their names, which say what they are. */
const OLD_OFFICE: readonly (readonly [stream: string, refusal: Refusal])[] = [
  ['EncryptedPackage', { what: 'an Office document protected by a password', fix: 'Save it without a password.' }],
  ['WordDocument', { what: 'an old Word document (DOC)', fix: 'Save it as DOCX or PDF.' }],
  ['PowerPoint Document', { what: 'an old presentation (PPT)', fix: 'Save it as PPTX or PDF.' }],
  ['Workbook', { what: 'an old workbook (XLS)', fix: 'Save it as XLSX or CSV.' }],
  ['Book', { what: 'an old workbook (XLS)', fix: 'Save it as XLSX or CSV.' }],
  ['__properties_version1.0', { what: 'an Outlook message (MSG)', fix: 'Save it as text or EML.' }],
];

/** Bytes of files that hold no text, or none that is read, each with where it begins, as Latin-1. */
const OTHERS: readonly (readonly [signatures: readonly (readonly [at: number, text: string])[], refusal: Refusal])[] = [
  [
    [
      [0, '\x89PNG'],
      [0, '\xff\xd8\xff'],
      [0, 'GIF8'],
      [0, 'II*\0'],
      [0, 'MM\0*'],
      [8, 'WEBP'],
      [4, 'ftyphei'],
      [4, 'ftypmif1'],
      [4, 'ftypavif'],
    ],
    { what: 'an image', fix: 'Run text recognition on it and upload the text.' },
  ],
  [
    [
      [0, 'ID3'],
      [0, '\xff\xfb'],
      [0, '\xff\xf3'],
      [0, 'OggS'],
      [0, 'fLaC'],
      [8, 'WAVEfmt '],
      [8, 'AVI '],
      [0, '\x1aE\xdf\xa3'],
      [4, 'ftyp'],
    ],
    { what: 'a recording', fix: 'Upload a transcript of it.' },
  ],
  [
    [
      [0, 'Rar!\x1a'],
      [0, '7z\xbc\xaf'],
      [0, '\x1f\x8b'],
      [0, 'BZh9'],
      [0, '\xfd7zXZ'],
      [257, 'ustar'],
    ],
    { what: 'an archive of another kind than ZIP', fix: 'Pack the files as ZIP.' },
  ],
  [
    [
      [60, 'BOOKMOBI'],
      [60, 'TEXtREAd'],
    ],
    { what: 'a Kindle book', fix: 'Convert it to EPUB or PDF.' },
  ],
  [[[0, '%!PS-Adobe']], { what: 'a PostScript file', fix: 'Convert it to PDF.' }],
  [[[0, 'SQLite format 3\0']], { what: 'a database', fix: 'Export its tables as CSV.' }],
];

/** Kind of a file that is not read, and the fix. */
interface Refusal {
  what: string;
  fix: string;
}

/** The type of a file, with its text when it is one. */
interface SniffedFile {
  type: DocumentType;
  text: string;
}

/**
 * The type of a file by its content; the name decides only between kinds of text.
 *
 * @throws ServiceError `bad_argument` for anything else, saying what it seems to be.
 */
export function sniffFile(name: string, bytes: Uint8Array): SniffedFile {
  const type = binaryType(name, bytes);
  if (type !== undefined) return { type, text: '' };
  const text = textOf(name, bytes);
  const looksLikeHtml = /^\s*(?:<!doctype html|<html)\b/i.test(text.slice(0, HEAD_BYTES));
  return { type: TEXT_TYPES[extname(name).toLowerCase()] ?? (looksLikeHtml ? 'html' : 'text'), text };
}

/** The type of a file that is no plain text; undefined for one that may be. */
function binaryType(name: string, bytes: Uint8Array): DocumentType | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(HEAD_BYTES, bytes.byteLength));
  if (bytes.byteLength === 0) throw unreadableFile('The file is empty.', 'Upload a file with content.');
  if (head.includes('%PDF-')) return 'pdf';
  if (head.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4]))) return zipType(name, bytes);
  if (head.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 5, 6]))) return 'zip';
  if (head.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]))) throw refusedFile(oldOffice(bytes));
  const start = head.toString('latin1');
  if (/^\s*\{\\rtf/.test(start)) return 'rtf';
  const other = OTHERS.find(([signatures]) => signatures.some(([at, text]) => start.startsWith(text, at)));
  if (other !== undefined) throw refusedFile(other[1]);
  return undefined;
}

/**
 * The text of a file: see `text/decode.ts`.
 *
 * @throws ServiceError `bad_argument` for bytes that are no text.
 */
function textOf(name: string, bytes: Uint8Array): string {
  const decoded = decodeText(bytes, { path: name });
  if (decoded !== undefined) return decoded.text;
  throw unreadableFile('The file is neither text nor of a known type.', READABLE);
}

/** The type of an archive by the names of its parts, which its directory lists at the end. */
function zipType(name: string, bytes: Uint8Array): DocumentType {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const is = openDocument(name, all) ?? ARCHIVES.find(([part]) => all.includes(part))?.[1];
  if (typeof is === 'object') throw refusedFile(is);
  if (is !== undefined) return is;
  if (OFFICE.test(name)) throw unreadableFile('The Office document is broken.', 'Save it again and upload it.');
  return 'zip';
}

/** Returns the type that an OpenDocument file declares in its first part, or in its name where a program compressed that part. */
function openDocument(name: string, archive: Buffer): DocumentType | Refusal | undefined {
  const head = archive.subarray(0, HEAD_BYTES).toString('latin1');
  const at = head.indexOf(OPEN_DOCUMENT);
  if (at === -1) return /\.o(?:dt|tt)$/i.test(name) && archive.includes('content.xml') ? 'odt' : undefined;
  const kind = /^[a-z-]+/.exec(head.slice(at + OPEN_DOCUMENT.length))?.[0].replace(/-(?:template|master)$/, '') ?? '';
  const unknown = { what: 'an OpenDocument file of another kind than text', fix: 'Save it as PDF.' };
  return OPEN_DOCUMENTS[kind] ?? unknown;
}

function oldOffice(bytes: Uint8Array): Refusal {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The names of streams are in UTF-16, each before its end.
  const format = OLD_OFFICE.find(([stream]) => all.includes(Buffer.from(`${stream}\0`, 'utf16le')));
  return format?.[1] ?? { what: 'an old Office document', fix: 'Save it as DOCX, XLSX, PPTX or PDF.' };
}

function refusedFile({ what, fix }: Refusal): ServiceError {
  return unreadableFile(`It is ${what}, which is not read.`, fix);
}

function unreadableFile(message: string, fix: string): ServiceError {
  return new ServiceError('bad_argument', message, { fix });
}
