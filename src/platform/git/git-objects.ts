import { statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readForeignFile } from '../foreign-file.ts';
import {
  type GitOptions,
  type GitProcess,
  GitFailure,
  localEnvironment,
  LOOK_TIMEOUT_MS,
  runGit,
  spawnGit,
} from './git.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';

/** Reading a whole repository may take long; a hung disk must still end. */
const READ_TIMEOUT_MS = 60 * 60_000;
const LINE_FEED = 0x0a;
/** Files of the listings that are retained together, because several readers of a small commit follow each other. */
const MOST_LISTED = 10_000;

/** A file in a commit. Symbolic links and submodules are not files. */
export interface TreeFile {
  /** Path with `/`. Bytes that are not UTF-8 are written as `\xNN`. */
  path: string;
  /** Object id of the content. */
  blob: string;
  /** -1 when the repository does not have the content (a partial clone). */
  sizeBytes: number;
  executable: boolean;
}

/** Contents of a commit, in git's order (bytes of the path). Shared: nothing in it is changed. */
export interface TreeListing {
  files: TreeFile[];
  /** Symbolic links: the content of each is its target. */
  links: TreeFile[];
  /** Paths of submodules: repositories of their own. */
  submodules: string[];
}

/** A content; `bytes` is undefined when the repository does not have it. */
interface GitBlob {
  blob: string;
  bytes: Buffer | undefined;
}

/**
 * Opens the object store of a repository for reading by object id.
 *
 * Git runs in an empty repository of our own that borrows the objects, so that nothing in the configuration of the
 * other one has an effect (it may name programs, and it may come from anyone), nobody's ownership matters, and a
 * partial clone fetches nothing. Close it after use: it holds a temporary folder. About 10 ms.
 *
 * @throws GitFailure when `gitDir` is not a git repository; ServiceError when it cannot be looked at in 10 s.
 */
export async function openObjects(gitDir: string): Promise<GitObjects> {
  const { env, objects, config, shallowFile } = await objectPlaces(gitDir);
  const view = await makeTemporaryFolder('git');
  await mkdir(join(view, 'refs'));
  await mkdir(join(view, 'objects'));
  await writeFile(join(view, 'HEAD'), 'ref: refs/heads/none\n');
  if (config !== undefined) await writeFile(join(view, 'config'), config);
  const borrowed = { ...env, GIT_DIR: view, GIT_OBJECT_DIRECTORY: objects };
  if (shallowFile === undefined) return new GitObjects(view, borrowed, []);
  const borders = (readForeignFile(shallowFile) ?? '').split('\n').filter((line) => line !== '');
  return new GitObjects(view, { ...borrowed, GIT_SHALLOW_FILE: shallowFile }, borders);
}

/** Listings of commits that were read last, by object folder and commit. Complete ones never change. */
const listings = new Map<string, TreeListing>();

function retainListing(key: string, listing: TreeListing): void {
  // What a partial clone lacks may arrive.
  if (listing.files.some(({ sizeBytes }) => sizeBytes < 0)) return;
  listings.delete(key);
  listings.set(key, listing);
  let all = listings.values().reduce((sum, { files }) => sum + files.length, 0);
  for (const [oldest, { files }] of listings) {
    if (all <= MOST_LISTED) return;
    listings.delete(oldest);
    all -= files.length;
  }
}

/** Paths and environment of a repository that borrows the objects of another. */
interface ObjectPlaces {
  env: NodeJS.ProcessEnv;
  /** The folder of the objects. */
  objects: string;
  /** Text of its own configuration; absent when none is needed. */
  config?: string;
  /** File of a shallow clone that names its oldest commits. */
  shallowFile?: string;
}

/** Answers of git about folders by the state of their configuration, which says what is asked: those of the last ones. */
const layouts = new Map<string, { state: string; output: string }>();
const MOST_LAYOUTS = 1_000;

/** @throws as `openObjects`. */
export async function objectPlaces(gitDir: string): Promise<ObjectPlaces> {
  const env = localEnvironment();
  const output = await layoutOf(gitDir, env);
  const [format = 'sha1', shallow = 'false', objects = '', shallowFile = ''] = output.split('\n');
  return {
    env,
    objects,
    ...(format !== 'sha1' && { config: configFor(format) }),
    ...(shallow === 'true' && { shallowFile }),
  };
}

async function layoutOf(gitDir: string, env: NodeJS.ProcessEnv): Promise<string> {
  const state = layoutState(gitDir);
  const last = layouts.get(gitDir);
  if (state !== undefined && last?.state === state) return last.output;
  const args = ['--show-object-format', '--is-shallow-repository', '--git-path', 'objects', '--git-path', 'shallow'];
  const run = runGit([`--git-dir=${gitDir}`, 'rev-parse', ...args], { env, timeoutMs: LOOK_TIMEOUT_MS });
  const output = (await run).toString();
  layouts.delete(gitDir);
  if (state !== undefined) layouts.set(gitDir, { state, output });
  for (const oldest of layouts.keys()) if (layouts.size > MOST_LAYOUTS) layouts.delete(oldest);
  return output;
}

/** Identity and time of the files that decide the layout; undefined for a worktree, which has them elsewhere, and what is no repository. */
function layoutState(gitDir: string): string | undefined {
  const [head, config, shallow] = ['HEAD', 'config', 'shallow'].map((name) => {
    const stat = statSync(join(gitDir, name), { bigint: true, throwIfNoEntry: false });
    return stat && `${stat.ino}.${stat.size}.${stat.mtimeNs}`;
  });
  return head === undefined || config === undefined ? undefined : `${config} ${shallow ?? '-'}`;
}

/** An open object store. Every argument is an object id in full, as git gave it. */
export class GitObjects {
  /** The oldest commits of a shallow clone, whose parents were not fetched; otherwise none. */
  readonly borders: readonly string[];
  readonly #view: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(view: string, env: NodeJS.ProcessEnv, borders: readonly string[]) {
    this.borders = borders;
    this.#view = view;
    this.#env = env;
  }

  /** Starts a git command over the objects. The caller ends `stdin`, reads `stdout` and awaits `ended`. */
  spawn(args: readonly string[], signal?: AbortSignal): GitProcess {
    return spawnGit(args, this.#options(signal));
  }

  /** The whole output of a git command over the objects. */
  run(args: readonly string[], signal?: AbortSignal, input = ''): Promise<Buffer> {
    return runGit(args, { ...this.#options(signal), input });
  }

  /**
   * Everything in a commit, with sizes. Memory and time are by number of files: 10,000 take about 0.1 s.
   *
   * @throws GitFailure when the commit or one of its trees is not there.
   */
  async listTree(commit: string, signal?: AbortSignal): Promise<TreeListing> {
    signal?.throwIfAborted();
    const key = `${this.#env['GIT_OBJECT_DIRECTORY'] ?? ''} ${commit}`;
    const retained = listings.get(key);
    if (retained !== undefined) return retained;
    const output = await this.run(['ls-tree', '-r', '-l', '-z', '--full-tree', commit], signal);
    const listing: TreeListing = { files: [], links: [], submodules: [] };
    for (const entry of splitBytes(output, 0)) {
      const tab = entry.indexOf(0x09);
      // What is missing has the size `BAD`.
      const [mode, , blob = '', size = ''] = entry.toString('latin1', 0, tab).split(/ +/);
      const path = decodePath(entry.subarray(tab + 1));
      const sizeBytes = /^\d+$/.test(size) ? Number(size) : -1;
      if (mode === '160000') listing.submodules.push(path);
      else if (mode === '120000') listing.links.push({ path, blob, sizeBytes: 0, executable: false });
      else listing.files.push({ path, blob, sizeBytes, executable: mode === '100755' });
    }
    retainListing(key, listing);
    return listing;
  }

  /**
   * Returns what differs in a commit from another: files and links that are new or have another content, and the paths of all
   * others that are neither any more. Renames are a removal and an addition. Costs by what changed.
   *
   * @throws GitFailure when one of the commits is not there.
   */
  async changedFiles(
    from: string,
    to: string,
    signal?: AbortSignal,
  ): Promise<{ files: TreeFile[]; links: TreeFile[]; removed: string[] }> {
    const output = await this.run(['diff-tree', '-r', '-z', '--no-renames', from, to], signal);
    const changed: { files: TreeFile[]; links: TreeFile[]; removed: string[] } = { files: [], links: [], removed: [] };
    const entries = [...splitBytes(output, 0)];
    for (let at = 0; at + 1 < entries.length; at += 2) {
      const [, mode = '', , blob = ''] = (entries[at] ?? Buffer.alloc(0)).toString('latin1').split(' ');
      const path = decodePath(entries[at + 1] ?? Buffer.alloc(0));
      if (mode === '120000') changed.links.push({ path, blob, sizeBytes: 0, executable: false });
      else if (!mode.startsWith('100')) changed.removed.push(path);
      else changed.files.push({ path, blob, sizeBytes: -1, executable: mode === '100755' });
    }
    const sizes = await this.sizes(new Set(changed.files.map((file) => file.blob)), signal);
    for (const file of changed.files) file.sizeBytes = sizes.get(file.blob) ?? -1;
    return changed;
  }

  /** Size in bytes of each of the objects that is there. */
  async sizes(blobs: Iterable<string>, signal?: AbortSignal): Promise<Map<string, number>> {
    const input = joinLines(blobs);
    const sizes = new Map<string, number>();
    if (input === '') return sizes;
    const output = await this.run(['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer'], signal, input);
    for (const line of output.toString('latin1').split('\n')) {
      const [id = '', size = ''] = line.split(' ');
      if (/^\d+$/.test(size)) sizes.set(id, Number(size));
    }
    return sizes;
  }

  /**
   * Yields the contents one after the other, in the requested order; one process for all. Holds one content at a time: skip
   * those that are too large by their size.
   */
  async *readBlobs(blobs: Iterable<string>, signal?: AbortSignal): AsyncGenerator<GitBlob> {
    const input = joinLines(blobs);
    if (input === '') return;
    const git = this.spawn(['cat-file', '--batch', '--buffer'], signal);
    git.stdin.end(input);
    try {
      yield* parseBatch(git.stdout);
      await git.ended;
    } finally {
      git.stop();
    }
  }

  /** Returns the number of commits reachable from `to` and not from `from`. About 5 ms, more over thousands of commits. */
  async countBetween(from: string, to: string, signal?: AbortSignal): Promise<number> {
    return Number(await this.run(['rev-list', '--count', to, `^${from}`], signal));
  }

  /** True if `ancestor` is `commit` or comes before it. False when it is not there any more. */
  async isAncestor(ancestor: string, commit: string, signal?: AbortSignal): Promise<boolean> {
    try {
      await this.run(['merge-base', '--is-ancestor', ancestor, commit], signal);
      return true;
    } catch (error) {
      if (error instanceof GitFailure) return false;
      throw error;
    }
  }

  /** Removes the temporary folder. */
  async close(): Promise<void> {
    await rm(this.#view, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #options(signal?: AbortSignal): GitOptions {
    return { env: this.#env, signal, timeoutMs: READ_TIMEOUT_MS };
  }
}

/** A path as text: UTF-8 as it is, other bytes as `\xNN`, so that different paths stay different. */
export function decodePath(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\uFFFD') || Buffer.from(text).equals(bytes)) return text;
  let path = '';
  for (let at = 0; at < bytes.length;) {
    const length = [1, 2, 3, 4].find((size) => isCharacter(bytes.subarray(at, at + size)));
    const byte = bytes[at] ?? 0;
    path += length === undefined ? `\\x${byte.toString(16).padStart(2, '0')}` : bytes.toString('utf8', at, at + length);
    at += length ?? 1;
  }
  return path;
}

/** The parts between `separator` bytes, without copying. What follows the last separator is a part when not empty. */
export function* splitBytes(bytes: Buffer, separator: number): Generator<Buffer> {
  let from = 0;
  for (let to = bytes.indexOf(separator); to !== -1; to = bytes.indexOf(separator, from)) {
    yield bytes.subarray(from, to);
    from = to + 1;
  }
  if (from < bytes.length) yield bytes.subarray(from);
}

function isCharacter(bytes: Buffer): boolean {
  const text = bytes.toString('utf8');
  return /^.$/su.test(text) && Buffer.from(text).equals(bytes);
}

function joinLines(ids: Iterable<string>): string {
  let text = '';
  for (const id of ids) text += `${id}\n`;
  return text;
}

/** Reads the answers of `cat-file --batch`: `<id> <type> <size>`, the content and a line feed, or `<id> missing`. */
async function* parseBatch(stdout: AsyncIterable<Buffer>): AsyncGenerator<GitBlob> {
  let buffer: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let header: { blob: string; size: number } | undefined;
  let held = 0;
  for await (const part of stdout) {
    parts.push(part);
    held += part.length;
    // A large content comes in many parts: joined once, when the last one is here.
    if (header !== undefined && held <= header.size) continue;
    buffer = Buffer.concat(parts);
    for (;;) {
      if (header === undefined) {
        const end = buffer.indexOf(LINE_FEED);
        if (end === -1) break;
        const [blob = '', type = '', size = ''] = buffer.toString('latin1', 0, end).split(' ');
        buffer = buffer.subarray(end + 1);
        if (type === 'missing') yield { blob, bytes: undefined };
        else header = { blob, size: Number(size) };
      } else if (buffer.length > header.size) {
        // A copy: a slice would keep the whole part alive for as long as the caller keeps the content.
        yield { blob: header.blob, bytes: Buffer.from(buffer.subarray(0, header.size)) };
        buffer = buffer.subarray(header.size + 1);
        header = undefined;
      } else break;
    }
    parts = [buffer];
    held = buffer.length;
  }
}

function configFor(format: string): string {
  return `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = ${format}\n`;
}
