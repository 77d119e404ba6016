import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import { type ArchiveProblem, readArchive } from '../platform/archive.ts';
import { HEADING_CHARACTERS, type ParsedDocument } from './sections.ts';
import { type DocumentType, sniffFile } from './sniff.ts';

/** A file to read. */
export interface ParseTask {
  name: string;
  /** Path of the file, or its content. */
  content: string | Uint8Array;
  /** Folder into which the files of an archive are unpacked. */
  unpackDir: string;
}

/** A file of an archive, unpacked. */
interface UnpackedFile {
  name: string;
  file: string;
  sizeBytes: number;
}

export type ParseResult =
  | { type: Exclude<DocumentType, 'zip'>; document: ParsedDocument }
  | { type: 'zip'; files: UnpackedFile[]; problems: ArchiveProblem[] };

/**
 * Reads one file, or unpacks it when it is an archive. Runs in a process of its own (`parse-process.ts`): what a hostile
 * file makes a library take is not bounded here.
 *
 * @throws ServiceError `bad_argument` or `too_large`, saying what is wrong with it.
 */
export async function parseDocument({ name, content, unpackDir }: ParseTask): Promise<ParseResult> {
  const bytes = typeof content === 'string' ? await readFile(content) : Buffer.from(content);
  const { type, text } = sniffFile(name, bytes);
  if (type !== 'zip') return { type, document: await parseAs(type, { name, bytes, text }) };
  const files: UnpackedFile[] = [];
  await mkdir(unpackDir, { recursive: true });
  const problems = await readArchive(bytes, async (entry, unpacked) => {
    const file = join(unpackDir, String(files.length));
    await writeFile(file, unpacked);
    files.push({ name: entry, file, sizeBytes: unpacked.length });
  });
  return { type, files, problems };
}

interface FileContent {
  name: string;
  bytes: Buffer;
  text: string;
}

async function parseAs(type: Exclude<DocumentType, 'zip'>, file: FileContent): Promise<ParsedDocument> {
  const document = await parseType(type, file);
  if (document.sections.length > 0) return { ...document, title: document.title.slice(0, HEADING_CHARACTERS) };
  throw new ServiceError('bad_argument', 'It contains no text.', {
    fix:
      type === 'pdf' ? 'It may contain scanned pages: run text recognition on it first.' : 'Upload a file with text.',
  });
}

/** Loads only what the type needs: most of them need little, and PDF much. */
async function parseType(
  type: Exclude<DocumentType, 'zip'>,
  { name, bytes, text }: FileContent,
): Promise<ParsedDocument> {
  switch (type) {
    case 'pdf':
      return (await import('./parse-office.ts')).parsePdf(bytes);
    case 'docx':
      return (await import('./parse-office.ts')).parseDocx(bytes);
    case 'pptx':
      return (await import('./parse-slides.ts')).parsePptx(bytes);
    case 'xlsx':
      return (await import('./parse-workbook.ts')).parseXlsx(name, bytes);
    case 'odt':
      return (await import('./parse-odt.ts')).parseOdt(bytes);
    case 'rtf':
      return (await import('./parse-rtf.ts')).parseRtf(bytes);
    case 'epub':
      return (await import('./parse-epub.ts')).parseEpub(bytes);
    case 'html':
      return (await import('./parse-html.ts')).parseHtml(text);
    case 'csv':
      return (await import('./parse-text.ts')).parseCsv(text);
    case 'markdown':
      return (await import('./parse-markdown.ts')).parseMarkdown(text);
    case 'text':
      return (await import('./parse-text.ts')).parseText(text);
  }
}
