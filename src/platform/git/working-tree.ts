import { constants } from 'node:fs';
import { lstat, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readForeignFile } from '../foreign-file.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { objectPlaces, splitBytes } from './git-objects.ts';
import type { GitLocation } from './git-refs.ts';
import { LOOK_TIMEOUT_MS, runGit } from './git.ts';

/** More changed files than this are no work in progress but something that should be ignored. */
const MOST_FILES = 2_000;
/** Contents beyond, of one file and of all, stay as the commit has them. */
const MOST_BYTES = 2_000_000;
const MOST_BYTES_OF_ALL = 64_000_000;

/** A commit that holds the state of a checkout, where its objects are. */
export interface TreeSnapshot {
  gitDir: string;
  /** Full id of the commit. */
  commit: string;
}

/** A file of a checkout that is not as its commit has it, as it is now. */
interface ChangedFile {
  /** Path below the top folder. */
  path: Buffer;
  /** Absent when there is no such file. */
  state?: { sizeBytes: number; changedMs: number; mark: string };
}

/**
 * The uncommitted state of a checkout, made a commit in a repository of our own that borrows the objects. Nothing is written
 * to the checkout or its repository, not even the index or a lock, no setting of it has an effect, and no filter runs. Close it
 * after use: it holds a temporary folder.
 */
export class WorkingTree {
  readonly #root: string;
  readonly #gitDir: string;
  readonly #shared: string;
  readonly #store: string;
  readonly #env: NodeJS.ProcessEnv;
  #last: { key: string; snapshot: TreeSnapshot } | undefined;

  private constructor(
    { gitDir, root }: GitLocation,
    { shared, store, env }: { shared: string; store: string; env: NodeJS.ProcessEnv },
  ) {
    this.#gitDir = gitDir;
    this.#root = root;
    this.#shared = shared;
    this.#store = store;
    this.#env = env;
  }

  /** About 10 ms. @throws as `openObjects`. */
  static async open(location: GitLocation): Promise<WorkingTree> {
    const { env, objects, config, shallowFile } = await objectPlaces(location.gitDir);
    const store = await makeTemporaryFolder('git');
    await Promise.all(
      ['refs', 'info', 'objects/info'].map((folder) => mkdir(join(store, folder), { recursive: true })),
    );
    await writeFile(join(store, 'objects/info/alternates'), `${objects}\n`);
    await writeFile(join(store, 'HEAD'), 'ref: refs/heads/none\n');
    if (config !== undefined) await writeFile(join(store, 'config'), config);
    if (shallowFile !== undefined) await writeFile(join(store, 'shallow'), readForeignFile(shallowFile) ?? '');
    return new WorkingTree(location, { shared: dirname(objects), store, env: { ...env, GIT_DIR: store } });
  }

  /**
   * Files that are not as a commit has them: changed, added, removed, or new and not ignored. Costs by the number of files:
   * 10,000 take about 40 ms.
   *
   * @throws GitFailure when the checkout cannot be read; ServiceError when that takes more than 10 s.
   */
  async changed(commit: string): Promise<Buffer[]> {
    await writeFile(join(this.#store, 'info/exclude'), readForeignFile(join(this.#shared, 'info/exclude')) ?? '');
    await writeFile(join(this.#store, 'HEAD'), `${commit}\n`);
    const env = { ...this.#env, GIT_WORK_TREE: this.#root, GIT_INDEX_FILE: join(this.#gitDir, 'index') };
    const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all'];
    const output = await runGit(args, { env, timeoutMs: LOOK_TIMEOUT_MS });
    return Array.from(splitBytes(output, 0), (entry) => entry.subarray(3));
  }

  /**
   * A commit that follows the given one and has these files as they are now; undefined when they are too many. The same state
   * gives the same commit. Symbolic links, and files that cannot be read or are too large, are as in the commit before.
   */
  async snapshot(commit: string, paths: readonly Buffer[]): Promise<TreeSnapshot | undefined> {
    if (paths.length > MOST_FILES) return undefined;
    const files = await Promise.all(paths.map((path) => this.#look(path)));
    const key = [commit, ...files.map(({ path, state }) => `${path.toString('latin1')} ${state?.mark ?? '-'}`)].join(
      '\0',
    );
    if (this.#last?.key === key) return this.#last.snapshot;
    const made = await this.#commit(commit, files);
    const snapshot = { gitDir: this.#store, commit: made };
    this.#last = { key, snapshot };
    return snapshot;
  }

  async close(): Promise<void> {
    await rm(this.#store, { recursive: true, force: true });
  }

  async #look(path: Buffer): Promise<ChangedFile> {
    const state = await lstat(this.#pathOf(path), { bigint: true }).catch(() => undefined);
    if (state === undefined) return { path };
    // Links and folders (submodules, repositories within) are no texts: their size says so.
    const sizeBytes = state.isFile() ? Number(state.size) : Infinity;
    const mark = `${state.ino}.${state.size}.${state.mtimeNs}.${state.ctimeNs}`;
    return { path, state: { sizeBytes, changedMs: Number(state.mtimeMs), mark } };
  }

  /** One git for all: it reads a description of the commit and writes the objects. */
  async #commit(parent: string, files: readonly ChangedFile[]): Promise<string> {
    const seconds = Math.floor(Math.max(0, ...files.map(({ state }) => state?.changedMs ?? 0)) / 1000);
    const parts: Buffer[] = [
      Buffer.from(
        `feature done\ncommit refs/heads/none\nmark :1\ncommitter Not committed <> ${seconds} +0000\ndata 0\n`,
      ),
      Buffer.from(`from ${parent}\n`),
    ];
    // First what is gone: a folder may have taken the place of a file.
    for (const { path, state } of files) if (state === undefined) parts.push(Buffer.from(`D ${quotePath(path)}\n`));
    let remainingBytes = MOST_BYTES_OF_ALL;
    for (const { path, state } of files) {
      if (state === undefined || state.sizeBytes > Math.min(MOST_BYTES, remainingBytes)) continue;
      const content = await readRegular(this.#pathOf(path));
      if (content === undefined || content.length > remainingBytes) continue;
      remainingBytes -= content.length;
      parts.push(
        Buffer.from(`M 100644 inline ${quotePath(path)}\ndata ${content.length}\n`),
        content,
        Buffer.from('\n'),
      );
    }
    parts.push(Buffer.from('get-mark :1\ndone\n'));
    // As a pack: an object that is written by itself has git touch the file of one that the repository has already.
    const args = ['-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet', '--force', '--done', '--date-format=raw'];
    const output = await runGit(args, { env: this.#env, input: Buffer.concat(parts), timeoutMs: LOOK_TIMEOUT_MS });
    return output.toString().trim();
  }

  #pathOf(path: Buffer): Buffer {
    return Buffer.concat([Buffer.from(`${this.#root}/`), path]);
  }
}

/** The content of a regular file that may change meanwhile; undefined for what cannot be read, or is none. Never waits. */
async function readRegular(path: Buffer): Promise<Buffer | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return (await file.stat()).isFile() ? await file.readFile() : undefined;
  } catch {
    return undefined;
  }
}

/** A path as `git fast-import` reads it. */
function quotePath(path: Buffer): string {
  let text = '';
  for (const byte of path)
    text +=
      byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c
        ? `\\${byte.toString(8).padStart(3, '0')}`
        : String.fromCodePoint(byte);
  return `"${text}"`;
}
