import { type Gap, namePaths } from '../../kernel/gap.ts';
import type { TreeListing } from '../../platform/git/git-objects.ts';
import {
  type FileLanguage,
  isBinary,
  isBinaryPath,
  isGenerated,
  isTestPath,
  languageOfPath,
  languageOfText,
  LARGEST_FILE_BYTES,
  refusalOf,
} from '../../languages/languages.ts';
import type { FileFacts } from '../../languages/facts/facts.ts';
import type { Parsed } from '../format/shard-input.ts';

/** Why a file without its content is in the index. */
const POINTER = 'only a Git LFS pointer: its content is not in the repository';
const POINTER_START = 'version https://git-lfs.github.com/spec/';
const MOST_POINTER_CHARACTERS = 1024;

/** Why lines of a file are not in the index; they follow. */
const BROKEN = 'syntax errors in lines ';
/** Most ranges of lines that a reason names. */
const MOST_RANGES = 5;

/** A file of the commit on its way into the index: listed first, then read, then given its facts. */
export interface IndexedFile {
  path: string;
  blob: string;
  sizeBytes: number;
  language: FileLanguage;
  test: boolean;
  generated: boolean;
  lines: number;
  parsed: Parsed;
  reason?: string;
  /** Its content is asked from git. */
  isRead: boolean;
  /** It is in the index even when its content is not. */
  isListed: boolean;
  /** Its content was read and belongs in the index. */
  hasText: boolean;
  /** The content, as long as there is room for it. */
  text?: string;
  facts?: FileFacts;
}

/** A file that was read. `text` is undefined when there is none for the index. */
export interface SourceText {
  file: IndexedFile;
  text: string | undefined;
}

/**
 * The files of a commit that may belong in the index, in ascending order of path. Links and submodules do not, nor do
 * images and the like.
 */
export function listSources({ files }: TreeListing): { files: IndexedFile[]; missing: number } {
  const sources: IndexedFile[] = [];
  let missing = 0;
  for (const { path, blob, sizeBytes } of files) {
    if (isBinaryPath(path)) continue;
    const language = languageOfPath(path);
    const isMissing = sizeBytes < 0;
    if (isMissing) missing += 1;
    const isTooLarge = sizeBytes > LARGEST_FILE_BYTES;
    const file: IndexedFile = {
      path,
      blob,
      sizeBytes: Math.max(sizeBytes, 0),
      language,
      lines: 0,
      test: isTestPath(path),
      generated: isGenerated(path, ''),
      parsed: 'full',
      isRead: !isMissing && !isTooLarge,
      // Of a file that is not read only its name can tell whether it is text.
      isListed: language.name !== '',
      hasText: false,
    };
    if (isMissing) leaveOut(file, 'its content is missing (a partial clone)');
    else if (isTooLarge) leaveOut(file, 'larger than 1 MB');
    else if (language.isUnread === true) leaveOut(file, `no parser for ${language.name}: searched as text`);
    sources.push(file);
  }
  return { files: sources.toSorted((a, b) => (a.path < b.path ? -1 : 1)), missing };
}

/** Says why a file is not understood. Text without symbols is none the worse for it. */
export function leaveOut(file: IndexedFile, reason: string): void {
  file.reason = reason;
  const isCode = file.language.parser !== undefined || file.language.isUnread === true;
  file.parsed = isCode ? 'failed' : 'full';
}

/** Says which lines of a file could not be parsed: pairs of first and last, as in its facts. Nothing for none. */
export function leaveLinesOut(file: IndexedFile, { broken }: FileFacts): void {
  if (broken.length === 0) return;
  const ranges: string[] = [];
  for (let at = 0; at < broken.length; at += 2) {
    const [from = 0, to = 0] = broken.subarray(at, at + 2);
    ranges.push(from === to ? String(from) : `${from}-${to}`);
  }
  const more = ranges.length - MOST_RANGES;
  file.reason = BROKEN + ranges.slice(0, MOST_RANGES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  file.parsed = 'partial';
}

/** Says that only the symbols of a file are known. */
export function leaveUnresolved(file: IndexedFile | undefined): void {
  if (file === undefined) return;
  file.reason = 'its chains of names are too long to resolve: definitions only';
  file.parsed = 'outline';
}

/**
 * The text of a file, or undefined when it is none, or none that is worth keeping. Bytes that are not UTF-8 are replaced
 * one by one. Sets what only the text tells.
 */
export function readText(file: IndexedFile, bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined) {
    leaveOut(file, 'its content could not be read');
    return undefined;
  }
  if (isBinary(bytes)) {
    leaveOut(file, 'it contains zero bytes');
    return undefined;
  }
  const text = bytes.toString();
  file.lines = countLines(text);
  if (file.language.name === '') file.language = languageOfText(file.path, text);
  file.generated ||= isGenerated(file.path, text);
  if (text.length <= MOST_POINTER_CHARACTERS && text.startsWith(POINTER_START)) {
    file.isListed = true;
    leaveOut(file, POINTER);
    return undefined;
  }
  const refusal = refusalOf(text, file.lines);
  if (refusal !== undefined) {
    leaveOut(file, refusal);
    return undefined;
  }
  file.isListed = true;
  file.hasText = true;
  return text;
}

/** Lines of a text; what follows the last line break is a line when it is not empty. */
function countLines(text: string): number {
  let lines = 0;
  let from = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
    lines += 1;
    from = at + 1;
  }
  return from < text.length ? lines + 1 : lines;
}

/** Share of each language in the bytes of all files whose language is known, largest first, those alike by name. */
export function languageShares(
  files: readonly { language: Pick<FileLanguage, 'name'>; sizeBytes: number }[],
): Record<string, number> {
  const bytes = new Map<string, number>();
  let total = 0;
  for (const { language, sizeBytes } of files) {
    if (language.name === '') continue;
    bytes.set(language.name, (bytes.get(language.name) ?? 0) + sizeBytes);
    total += sizeBytes;
  }
  const sorted = [...bytes]
    .filter(([, size]) => size > 0)
    .toSorted(([name, size], [otherName, otherSize]) => otherSize - size || (name < otherName ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, size]) => [name, size / total]));
}

/** What the files of an index lack. */
export function gapsOf(files: readonly { path: string; reason?: string | null | undefined }[], missing: number): Gap[] {
  const gaps: Gap[] = [];
  if (missing > 0) {
    const text = `Files whose content is missing (a partial clone): ${missing}.`;
    gaps.push({ kind: 'missing', count: missing, text });
  }
  const pointers = files.filter(({ reason }) => reason === POINTER);
  if (pointers.length > 0) {
    const text = `Only Git LFS pointers, without their content: ${namePaths(pointers.map(({ path }) => path))}.`;
    gaps.push({ kind: 'pointers', count: pointers.length, text });
  }
  const broken = files.filter(({ reason }) => reason?.startsWith(BROKEN) === true);
  if (broken.length > 0) {
    const named = broken.map(({ path, reason }) => `${path} (lines ${reason?.slice(BROKEN.length) ?? ''})`);
    const text = `Not fully read because of syntax errors: ${namePaths(named)}.`;
    gaps.push({ kind: 'syntax', count: broken.length, text });
  }
  return gaps;
}
