import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tokensIn } from '../kernel/budget.ts';
import { ServiceError } from '../kernel/errors.ts';
import { rowText } from '../kernel/row-text.ts';
import { ownCommand } from '../platform/own-command.ts';

/** The folder in a checkout that holds what the service knows. */
export const ARTIFACT_FOLDER = '.svc';
const INDEX = 'index.json';
const FORMAT = 1;
/** Files that are being written. */
const UNFINISHED = '.unfinished-';
/** A file that nobody has written to for so long is nobody's. */
const LEFT_AFTER_MS = 10 * 60_000;
/** What a service may have written here: nothing that leads out of the folder. */
const SAFE_PATH = /^(?:plans\/)?[\p{L}\p{N}][\p{L}\p{N}._-]{0,120}\.(?:json|md)$/u;

/** A file of the folder, as `index.json` lists it. */
export interface FolderFile {
  path: string;
  bytes: number;
  tokens: number;
  sha256: string;
  /** As the service tags its content. */
  etag: string;
}

/** What `index.json` says: the state of the last sync that changed something. */
export interface FolderIndex {
  /** Name of the repository in the service; null where it has none. */
  repo: string | null;
  commit: string | null;
  /** Whether `graph.json` is the whole graph. */
  full: boolean;
  /** Tag of the list of files. */
  etag: string;
  /** ISO 8601, UTC. */
  synced_at: string;
  files: FolderFile[];
}

/** The top of the checkout around a folder: where `.svc` lies already, else where `.git` does. */
export function checkoutOf(cwd: string): string {
  for (const name of [join(ARTIFACT_FOLDER, INDEX), '.git']) {
    for (let folder = cwd; ; folder = dirname(folder)) {
      if (existsSync(join(folder, name))) return folder;
      if (folder === dirname(folder)) break;
    }
  }
  throw new ServiceError('bad_argument', `${cwd} is not in a git checkout.`, {
    fix: `Run it in the checkout of a repository that the service has. ${ownCommand('repo list')} lists them.`,
  });
}

/** Undefined where nothing was synced yet, and for what cannot be read: a sync writes it anew. */
export function readFolderIndex(folder: string): FolderIndex | undefined {
  try {
    // Written by `writeFolderIndex`; a damaged one lacks the list or the format.
    const found = JSON.parse(readFileSync(join(folder, INDEX), 'utf8')) as FolderIndex & { format?: number };
    const isOurs = found.format === FORMAT && Array.isArray(found.files) && found.files.every(isSafe);
    return isOurs ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a service may have a file at this path. */
export function isSafe({ path }: { path: string }): boolean {
  return typeof path === 'string' && path !== INDEX && SAFE_PATH.test(path);
}

/** Whether the file is there as it was written. */
export function isIntact(folder: string, { path, bytes, sha256 }: FolderFile): boolean {
  try {
    const content = readFileSync(join(folder, path));
    return content.length === bytes && hashOf(content) === sha256;
  } catch {
    return false;
  }
}

/** Makes the folder, and keeps it out of commits. What a sync that was cut off left is swept. */
export function prepareFolder(folder: string): void {
  mkdirSync(join(folder, 'plans'), { recursive: true });
  for (const place of [folder, join(folder, 'plans')])
    for (const name of readdirSync(place)) if (isLeft(place, name)) rmSync(join(place, name), { force: true });
  if (!existsSync(join(folder, '.gitignore'))) writeWhole(join(folder, '.gitignore'), '*\n');
}

/** Whether a sync left the file: another one may be writing now. */
function isLeft(folder: string, name: string): boolean {
  if (!name.startsWith(UNFINISHED)) return false;
  const writtenMs = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  return Date.now() - writtenMs > LEFT_AFTER_MS;
}

/**
 * Writes a file of the folder as it comes, and puts it into its place when it is whole: readers see the former or the new
 * one.
 */
export async function writeFolderFile(
  folder: string,
  { path, etag, content }: { path: string; etag: string; content: AsyncIterable<Uint8Array> },
): Promise<FolderFile> {
  const unfinished = unfinishedPath(join(folder, path));
  const hash = createHash('sha256');
  const decoder = new TextDecoder();
  let [bytes, characters] = [0, 0];
  const file = await open(unfinished, 'w');
  try {
    for await (const piece of content) {
      await file.write(piece);
      hash.update(piece);
      bytes += piece.length;
      characters += decoder.decode(piece, { stream: true }).length;
    }
  } finally {
    await file.close();
  }
  renameSync(unfinished, join(folder, path));
  return { path, bytes, tokens: tokensIn(characters), sha256: hash.digest('hex'), etag };
}

export function removeFolderFile(folder: string, { path }: Pick<FolderFile, 'path'>): void {
  rmSync(join(folder, path), { force: true });
}

/** Last of all: what it lists is there. */
export function writeFolderIndex(folder: string, { files, ...index }: FolderIndex): void {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map((file) => ({ ...file }));
  writeWhole(join(folder, INDEX), rowText({ format: FORMAT, ...index, files: sorted }));
}

/** Leaves the content as it is, and says by its time that it was compared now. */
export function markCompared(folder: string, now: Date): void {
  utimesSync(join(folder, INDEX), now, now);
}

let begun = 0;

/** Beside the file, in no other's way. */
function unfinishedPath(path: string): string {
  begun += 1;
  return join(dirname(path), `${UNFINISHED}${process.pid}-${begun}`);
}

function writeWhole(path: string, text: string): void {
  const unfinished = unfinishedPath(path);
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
