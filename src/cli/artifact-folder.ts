import { sha256 } from '../kernel/ids.ts';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { tokensIn } from '../kernel/budget.ts';
import { ServiceError } from '../kernel/errors.ts';
import { rowText } from '../kernel/row-text.ts';
import { ownCommand } from './own-command.ts';
import { SafeFolder, UNFINISHED } from '../platform/safe-folder.ts';
import { sealOf, sealWithKey } from './index-seal.ts';

/** The folder in a checkout that holds what the service knows. */
const ARTIFACT_FOLDER = '.svc';
const PLANS = 'plans';
const INDEX = 'index.json';
const FORMAT = 1;
/** Age without a write after which an unfinished file belongs to no running sync. */
const ABANDONED_AFTER_MS = 10 * 60_000;
/** Paths that a service may write here: none leads out of the folder. */
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

/** Content of `index.json`: the state of the last sync that changed something. */
export interface FolderIndex {
  /** Name of the repository in the service; null where it has none. */
  repo: string | null;
  commit: string | null;
  /** True if `graph.json` is the whole graph. */
  full: boolean;
  /** Tag of the list of files. */
  etag: string;
  /** ISO 8601, UTC. */
  synced_at: string;
  files: FolderFile[];
}

/** The top of the checkout around a folder: the nearest one with `.svc` or `.git`. */
export function checkoutOf(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if ([join(ARTIFACT_FOLDER, INDEX), '.git'].some((name) => existsSync(join(folder, name)))) return folder;
    if (folder === dirname(folder)) break;
  }
  throw new ServiceError('bad_argument', `${cwd} is not in a git checkout.`, {
    fix: `Run it in the checkout of a repository that the service has. ${ownCommand('repo list')} lists them.`,
  });
}

/** Whole path of the folder of a checkout. */
export function artifactPath(root: string): string {
  return join(root, ARTIFACT_FOLDER);
}

/** True if a service may have a file at this path. */
export function isSafe({ path }: { path: string }): boolean {
  return typeof path === 'string' && path !== INDEX && SAFE_PATH.test(path);
}

/**
 * `.svc` of a checkout. A repository may have brought it, or parts of it: nothing here follows a link, and only what has
 * the seal of this user counts as written by a sync.
 */
export class ArtifactFolder implements Disposable {
  readonly #top: SafeFolder;
  readonly #plans: SafeFolder | undefined;

  private constructor(top: SafeFolder, plans: SafeFolder | undefined) {
    this.#top = top;
    this.#plans = plans;
  }

  /** Opens it as it is; undefined where the checkout has none. @throws ServiceError `bad_argument` for a link. */
  static open(root: string): ArtifactFolder | undefined {
    using checkout = SafeFolder.open(root);
    const top = checkout.enter(ARTIFACT_FOLDER);
    return top === undefined ? undefined : new ArtifactFolder(top, top.enter(PLANS));
  }

  /** Makes it, and keeps it out of commits. What an interrupted sync left behind is removed. */
  static prepare(root: string): ArtifactFolder {
    using checkout = SafeFolder.open(root);
    const top = checkout.make(ARTIFACT_FOLDER);
    const plans = top.make(PLANS);
    for (const folder of [top, plans]) removeAbandoned(folder);
    if (top.read('.gitignore') === undefined) top.write('.gitignore', '*\n');
    return new ArtifactFolder(top, plans);
  }

  /** Undefined where nothing was synced yet, and for what cannot be understood: a sync writes it anew. */
  readIndex(): FolderIndex | undefined {
    return this.#readSealed()?.index;
  }

  /** The index, if a sync of this user wrote it: what a repository brought names nothing to trust or to delete. */
  readOwnIndex(configDir: string): FolderIndex | undefined {
    const { index, seal } = this.#readSealed() ?? {};
    return index !== undefined && seal !== undefined && seal === sealOf(configDir, sealedText(index))
      ? index
      : undefined;
  }

  /** True if the file is there as it was written. */
  isIntact({ path, bytes, sha256: hash }: FolderFile): boolean {
    const content = this.#read(path);
    return content?.length === bytes && sha256(content) === hash;
  }

  /** The text of a file; undefined where it is missing. */
  readText(path: string): string | undefined {
    return this.#read(path)?.toString('utf8');
  }

  /**
   * Writes a file as it comes, and puts it into its place when it is whole: readers see the former or the new one. What cannot
   * be written is not requested, because an answer that nobody reads keeps the process from ending.
   */
  async writeFile(
    path: string,
    download: () => Promise<{ content: AsyncIterable<Uint8Array>; etag: string }>,
  ): Promise<FolderFile> {
    const unfinished = this.#folderOf(path).begin(basename(path));
    const hash = createHash('sha256');
    const decoder = new TextDecoder();
    let [bytes, characters] = [0, 0];
    try {
      const { content, etag } = await download();
      for await (const piece of content) {
        unfinished.write(piece);
        hash.update(piece);
        bytes += piece.length;
        characters += decoder.decode(piece, { stream: true }).length;
      }
      unfinished.finish();
      return { path, bytes, tokens: tokensIn(characters), sha256: hash.digest('hex'), etag };
    } finally {
      unfinished.discard();
    }
  }

  /** Removes a file that is as a sync wrote it. False when it has other content by now, which stays. */
  removeFile(file: FolderFile): boolean {
    if (this.#read(file.path) === undefined) return true;
    if (!this.isIntact(file)) return false;
    this.#folderOf(file.path).remove(basename(file.path));
    return true;
  }

  /** Last of all: what it lists is there. */
  writeIndex({ files, ...rest }: FolderIndex, configDir: string): void {
    const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map((file) => ({ ...file }));
    const index = { ...rest, files: sorted };
    const seal = sealWithKey(configDir, sealedText(index));
    this.#top.write(INDEX, rowText({ format: FORMAT, ...index, ...(seal !== undefined && { seal }) }));
  }

  /** Leaves the content as it is, and says by its time that it was compared now. */
  markCompared(now: Date): void {
    this.#top.touch(INDEX, now);
  }

  [Symbol.dispose](): void {
    this.#top[Symbol.dispose]();
    this.#plans?.[Symbol.dispose]();
  }

  #readSealed(): { index: FolderIndex; seal: string | undefined } | undefined {
    const text = this.#top.read(INDEX)?.toString('utf8');
    if (text === undefined) return undefined;
    try {
      // Written by `writeIndex`; a damaged one lacks the list or the format.
      const { format, seal, ...index } = JSON.parse(text) as FolderIndex & { format?: number; seal?: string };
      const isReadable = format === FORMAT && Array.isArray(index.files) && index.files.every(isSafe);
      return isReadable ? { index, seal } : undefined;
    } catch {
      return undefined;
    }
  }

  #read(path: string): Buffer | undefined {
    return dirname(path) === PLANS ? this.#plans?.read(basename(path)) : this.#top.read(basename(path));
  }

  #folderOf(path: string): SafeFolder {
    const folder = dirname(path) === PLANS ? this.#plans : this.#top;
    if (folder === undefined) throw new Error(`${path} is written before the folder is prepared.`);
    return folder;
  }
}

/** Text that the seal covers: everything in the index, in one order. */
function sealedText(index: FolderIndex): string {
  return rowText({ ...index, files: index.files.map((file) => ({ ...file })) });
}

function removeAbandoned(folder: SafeFolder): void {
  for (const name of folder.names()) {
    if (!name.startsWith(UNFINISHED)) continue;
    const writtenMs = folder.writtenMs(name) ?? Number.POSITIVE_INFINITY;
    // Another sync may be writing now.
    if (Date.now() - writtenMs > ABANDONED_AFTER_MS) folder.remove(name);
  }
}
