import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeTool } from '../../src/code/code-tool.ts';
import { CODE_QUERIES } from '../../src/code/code.ts';
import type { IndexedRepository, Indexes } from '../../src/indexes/indexes.ts';
import { EXACT_COMPILER } from '../../src/code-index/refine/refine.ts';
import { type BlobStore, openBlobStore } from '../../src/platform/blobs.ts';
import type { AnyOperation } from '../../src/platform/operation/operation.ts';
import { ShardReaders } from '../../src/indexes/shards/shards.ts';
import { runIndexProcess } from '../../src/worker/index-process.ts';
import type { EvalInput } from './answers.ts';

/** An indexed snapshot that can be asked. */
export interface EvalIndex {
  tool: AnyOperation;
  /** The snapshot as the tools of the service see it: code shard, history shard and git objects. */
  repository: IndexedRepository;
  /** Indexes from which further tools are made, over this one repository. */
  parts: Indexes;
}

/** Folders, and settings for indexing snapshots. */
interface SnapshotOptions {
  /** For indexes; may be deleted afterwards. */
  folder: string;
  graders: string;
  /** As the background pass of the service leaves it, with what compilers know. */
  isExact: boolean;
  /** As the background leaves the history, with the exported names that commits removed: changelogs tell them. */
  hasRemovedExports: boolean;
}

/** Indexes each snapshot of the cases once, when its first case comes. */
export class IndexedSnapshots {
  readonly #options: SnapshotOptions;
  readonly #blobs: BlobStore;
  readonly #readers: ShardReaders;
  readonly #made = new Map<string, Promise<EvalIndex>>();

  constructor(options: SnapshotOptions, blobs: BlobStore) {
    this.#options = options;
    this.#blobs = blobs;
    this.#readers = new ShardReaders({ blobs, threads: 1, cacheBytes: 1e9 });
  }

  static async open(options: SnapshotOptions): Promise<IndexedSnapshots> {
    return new IndexedSnapshots(options, await openBlobStore(join(options.folder, 'blobs')));
  }

  of(input: EvalInput): Promise<EvalIndex> {
    const key = input.tree ?? `${input.repo} ${input.snapshot}`;
    let made = this.#made.get(key);
    if (made === undefined) this.#made.set(key, (made = this.#index(input)));
    return made;
  }

  /** Object id of a ref, which need not be part of a snapshot. */
  commitOf(repo: string, ref: string): string {
    return git([`--git-dir=${cloneOf(this.#options.graders, repo, ref)}`, 'rev-parse', 'HEAD']);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#readers.close();
  }

  async #index({ repo, snapshot, tree }: EvalInput): Promise<EvalIndex> {
    const { graders, isExact } = this.#options;
    const folder = join(this.#options.folder, String(this.#made.size));
    mkdirSync(folder, { recursive: true });
    const gitDir = tree === undefined ? cloneOf(graders, repo, snapshot) : repositoryOf(tree, folder);
    const commit = git([`--git-dir=${gitDir}`, 'rev-parse', tree === undefined ? `${snapshot}^{commit}` : 'HEAD']);
    const targetFile = join(folder, 'code.db');
    const historyFile = join(folder, 'history.db');
    const run = { signal: new AbortController().signal, onProgress: () => undefined };
    await Promise.all([
      runIndexProcess(
        {
          kind: 'code',
          gitDir,
          commit,
          repository: repo,
          factsCache: join(folder, 'facts.db'),
          targetFile,
          ...(isExact && { exact: { key: EXACT_COMPILER, compiler: true, indexes: [] } }),
        },
        run,
      ),
      runIndexProcess({ kind: 'history', gitDir, commit, targetFile: historyFile }, run),
    ]);
    const shard = await this.#blobs.put(targetFile);
    const wholeFile = join(folder, 'whole-history.db');
    if (this.#options.hasRemovedExports) {
      const offered = await this.#readers.query(shard, CODE_QUERIES, ['offeredFiles', {}]);
      const most = Number.MAX_SAFE_INTEGER;
      await runIndexProcess(
        { kind: 'removed-exports', gitDir, historyFile, offered, targetFile: wholeFile, most },
        run,
      );
    }
    const repository: IndexedRepository = {
      id: repo,
      provenance: { repo, ref: 'main', commit, index: { state: 'fresh' } },
      shard,
      history: await this.#blobs.put(this.#options.hasRemovedExports ? wholeFile : historyFile),
      gitDir: () => Promise.resolve(gitDir),
    };
    const parts: Indexes = {
      readers: this.#readers,
      repositories: () => Promise.resolve([repository]),
      rebuild: () => Promise.reject(new Error(`the index of ${repo} is damaged`)),
    };
    return { tool: codeTool(parts), repository, parts };
  }
}

/** A bare repository that ends at the snapshot, as the graders make it. */
function cloneOf(graders: string, repo: string, snapshot: string): string {
  const args = [join(graders, 'eval.ts'), 'clone', repo, snapshot];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();
}

/** A repository with one commit of everything in the folder. */
function repositoryOf(tree: string, folder: string): string {
  const gitDir = join(folder, 'repository');
  git(['init', '--quiet', '--bare', gitDir]);
  const at = [`--git-dir=${gitDir}`, `--work-tree=${tree}`];
  git([...at, 'add', '--all', '--force']);
  git([...at, '-c', 'user.name=eval', '-c', 'user.email=eval@localhost', 'commit', '--quiet', '--message=tree']);
  return gitDir;
}

function git(args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
