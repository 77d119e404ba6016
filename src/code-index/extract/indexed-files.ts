import type { TreeFile, TreeListing } from '../../platform/git/git-objects.ts';
import {
  type FileLanguage,
  isBinaryPath,
  isGenerated,
  isMinified,
  languageOfPath,
  languageOfText,
  LARGEST_FILE_BYTES,
} from '../../languages/languages.ts';
import { isTestPath } from '../../kernel/path-kinds.ts';
import { decodeAnyText, decodeText } from '../../text/decode.ts';
import type { FileFacts } from '../../languages/facts/facts.ts';
import type { Parsed } from '../format/shard-input.ts';
import { LINK } from '../format/symbolic-links.ts';

/** Reason of a file that is in the index without its content. */
export const POINTER = 'only a Git LFS pointer: its content is not in the repository';
const POINTER_START = 'version https://git-lfs.github.com/spec/';
const MOST_POINTER_CHARACTERS = 1024;

/** Start of the reason of a file whose broken lines are not in the index; the lines follow. */
export const BROKEN = 'syntax errors in lines ';
/** Most ranges of lines that a reason names. */
const MOST_RANGES = 5;

export const ZEROS = 'it contains zero bytes';
export const NO_TEXT = 'its bytes are text in no known encoding';
export const GUESSED = 'its encoding is a guess: read as ';
export const MISSING = 'its content is missing (a partial clone)';
export const LARGE = 'larger than ';
export const LONG_LINES = 'minified: its lines are longer than 500 characters';

/** Files up to this size are searched as text, even when they are not parsed. */
const LARGEST_TEXT_BYTES = 8_000_000;
/** Most text of files that are too large to be parsed that is searched in one repository. */
export const MOST_LARGE_BYTES = 64_000_000;

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
  /** Its text is searched, but neither parsed nor ranked: it is large, or of very long lines. */
  isTextOnly?: true;
  /** A symbolic link: its content is its target. */
  isLink?: true;
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
 * The files and links of a commit that may belong in the index, in ascending order of path. Submodules do not, nor do
 * images and the like. `largeBytes` is how much text of large files there is room for: code goes first.
 */
export function listSources(
  { files, links }: Pick<TreeListing, 'files' | 'links'>,
  largeBytes = MOST_LARGE_BYTES,
): { files: IndexedFile[]; missing: number } {
  const sources: IndexedFile[] = links.map(sourceOfLink);
  const large: IndexedFile[] = [];
  let missing = 0;
  for (const { path, blob, sizeBytes } of files) {
    if (isBinaryPath(path)) continue;
    const language = languageOfPath(path);
    const isMissing = sizeBytes < 0;
    if (isMissing) missing += 1;
    const isTooLarge = sizeBytes > LARGEST_TEXT_BYTES;
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
    if (isMissing) leaveOut(file, MISSING);
    else if (isTooLarge) leaveUnread(file, `${LARGE}8 MB: not searched`);
    else if (sizeBytes > LARGEST_FILE_BYTES) large.push(file);
    else if (language.isUnread === true) leaveOut(file, `no parser for ${language.name}: searched as text`);
    sources.push(file);
  }
  let room = largeBytes;
  for (const file of large.toSorted((a, b) => Number(isCode(b)) - Number(isCode(a)))) {
    room -= file.sizeBytes;
    file.isTextOnly = true;
    file.isRead = room >= 0;
    if (!file.isRead) leaveUnread(file, `${LARGE}1 MB, of which only the first 64 MB are searched`);
    else if (isCode(file)) leaveOut(file, `${LARGE}1 MB: searched as text, not parsed`);
  }
  return { files: sources.toSorted((a, b) => (a.path < b.path ? -1 : 1)), missing };
}

function sourceOfLink({ path, blob }: TreeFile): IndexedFile {
  return {
    path,
    blob,
    sizeBytes: 0,
    language: { name: '' },
    lines: 0,
    test: isTestPath(path),
    generated: isGenerated(path, ''),
    parsed: 'full',
    isRead: true,
    isListed: true,
    hasText: false,
    isLink: true,
  };
}

function isCode({ language }: IndexedFile): boolean {
  return language.parser !== undefined || language.isUnread === true;
}

/** Says why a file is not even searched as text. */
function leaveUnread(file: IndexedFile, reason: string): void {
  file.reason = reason;
  file.parsed = 'failed';
}

/** Says why a file is not understood. Text without symbols is none the worse for it. */
export function leaveOut(file: IndexedFile, reason: string): void {
  file.reason = reason;
  file.parsed = isCode(file) ? 'failed' : 'full';
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

/** The text of a file for the index, or undefined when it is none, such as a link. Sets what only the text tells. */
export function readText(file: IndexedFile, bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined) {
    leaveOut(file, 'its content could not be read');
    return undefined;
  }
  if (file.isLink) {
    leaveOut(file, LINK + decodeAnyText(bytes));
    return undefined;
  }
  const decoded = decodeText(bytes, { path: file.path });
  if (decoded === undefined) {
    leaveUnread(file, bytes.includes(0) ? ZEROS : NO_TEXT);
    return undefined;
  }
  const { text, encoding, isDoubtful } = decoded;
  file.lines = countLines(text);
  file.language = languageOfText(file.path, text);
  file.generated ||= isGenerated(file.path, text);
  if (text.length <= MOST_POINTER_CHARACTERS && text.startsWith(POINTER_START)) {
    file.isListed = true;
    leaveOut(file, POINTER);
    return undefined;
  }
  if (isMinified(text, file.lines)) {
    file.isTextOnly = true;
    file.generated = true;
    const isSearched = bytes.length <= LARGEST_FILE_BYTES;
    if (!isSearched) {
      leaveUnread(file, `${LONG_LINES}, and it is larger than 1 MB: not searched`);
      return undefined;
    }
    leaveOut(file, `${LONG_LINES}: searched as text, not parsed`);
  } else if (isDoubtful) file.reason ??= GUESSED + encoding;
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
