import { bodyOfRow } from '../platform/row-body.ts';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Gap } from '../kernel/gap.ts';
import { hashOfFile } from '../platform/blobs.ts';
import type { ShardRef } from './shards/shards.ts';

/** Folder of a repository that holds the shards of single commits. It may be deleted at any time. */
const FOLDER = 'refs';
/** Interval of writing down the time of the last use. */
const TOUCH_MS = 60_000;

/** Most cached states of one checkout. */
const MOST_PASSING = 3;

/** Indexed part of a commit: its code, or its history where that is no part of the one that is served. */
type RefKind = 'code' | 'history';

/** True if the queries of this build can read a shard: one of an older version is made again. */
export type CanRead = (kind: RefKind, file: string) => boolean;

/** The shard of a commit that was indexed because a call asked for it. */
export interface RefShard {
  repositoryId: string;
  kind: RefKind;
  /** Full id of the commit. */
  commit: string;
  /** The shard with its file, which is beside the data of its repository. */
  shard: ShardRef & { file: string };
  indexedAt: Date;
  /** True if it is a state of a checkout, which no ref leads to once it has changed. */
  isPassing: boolean;
  /**
   * `carried`: it has what compilers know of the files that are as in the commit that they resolved; `none`: they had, and too much
   * differs. Absent when they had not yet.
   */
  exact?: 'carried' | 'none' | undefined;
  /** Files that could not be read whole, and what else the shard lacks of its commit. */
  unparsed: number;
  gaps: readonly Gap[];
}

/** Note beside a shard, written last: without it there is no shard. */
const Note = z.object({
  kind: z.enum(['code', 'history']).default('code'),
  commit: z.string(),
  hash: z.string(),
  sizeBytes: z.int(),
  indexedAt: z.iso.datetime(),
  isPassing: z.boolean().default(false),
  exact: z.enum(['carried', 'none']).optional(),
  unparsed: z.int(),
  gaps: z.array(z.custom<Gap>()),
});

/**
 * The shards of single commits, on the disk, in the folders of their repositories; those that were used longest ago are deleted
 * when they take more than the limit. A shard is there whole or not at all, whenever the process is killed.
 */
export class RefShardCache {
  readonly #dataDir: string;
  readonly #canRead: CanRead;
  readonly #shards: LRUCache<string, RefShard>;
  readonly #touched = new Map<string, number>();
  #read: Promise<void> | undefined;

  /** `dataDir` holds `repositories/<id>/`. Shards of an earlier process that `canRead` refuses are deleted. */
  constructor(dataDir: string, limitBytes: number, canRead: CanRead) {
    this.#dataDir = dataDir;
    this.#canRead = canRead;
    this.#shards = new LRUCache({
      maxSize: limitBytes,
      // A shard that is larger than the limit is alone in the cache.
      sizeCalculation: ({ shard }) => Math.max(1, Math.min(shard.sizeBytes, limitBytes)),
      dispose: ({ shard }, key) => {
        this.#touched.delete(key);
        // A file that stays is found, and removed, when the folder is read again.
        remove(shard.file).catch(() => undefined);
      },
    });
  }

  /** The shard of a commit, if there is one. Counts as a use. */
  async find(repositoryId: string, commit: string, kind: RefKind = 'code'): Promise<RefShard | undefined> {
    await (this.#read ??= this.#readAll());
    const key = keyOf({ repositoryId, commit, kind });
    const refShard = this.#shards.get(key);
    if (refShard === undefined) return undefined;
    const now = Date.now();
    if (now - (this.#touched.get(key) ?? 0) < TOUCH_MS) return refShard;
    this.#touched.set(key, now);
    await utimes(noteOf(refShard.shard.file), now / 1000, now / 1000).catch(() => undefined);
    return refShard;
  }

  /** The shards of a repository, the last used first. */
  async of(repositoryId: string, kind: RefKind = 'code'): Promise<RefShard[]> {
    await (this.#read ??= this.#readAll());
    return [...this.#shards.values()].filter((ref) => ref.repositoryId === repositoryId && ref.kind === kind);
  }

  /** Moves a finished file into the cache, in place of one of the same commit and kind. */
  async keep(file: string, made: Omit<RefShard, 'shard'>): Promise<RefShard> {
    await (this.#read ??= this.#readAll());
    // A name of its own: the one before may be deleted at the same time.
    const target = join(this.#dataDir, 'repositories', made.repositoryId, FOLDER, `${made.commit}-${randomUUID()}.db`);
    await mkdir(dirname(target), { recursive: true });
    const [hash = '', { size: sizeBytes }] = [await hashOfFile(file), await stat(file)];
    await rename(file, target);
    const note = bodyOfRow(Note, made, { hash, sizeBytes, gaps: [...made.gaps] });
    await writeFile(`${noteOf(target)}.partial`, JSON.stringify(note));
    await rename(`${noteOf(target)}.partial`, noteOf(target));
    const refShard: RefShard = { ...made, shard: { hash, sizeBytes, file: target, isChecked: true } };
    this.#shards.set(keyOf(refShard), refShard);
    if (made.isPassing) await this.#dropPassed(made.repositoryId);
    return refShard;
  }

  /** Deletes a shard; does nothing when there is another of its commit by now. */
  forget(refShard: RefShard): void {
    const key = keyOf(refShard);
    if (this.#shards.peek(key)?.shard.file === refShard.shard.file) this.#shards.delete(key);
  }

  /** Deletes older states of a checkout but for those that calls may still be asking. */
  async #dropPassed(repositoryId: string): Promise<void> {
    const passing = (await this.of(repositoryId)).filter((ref) => ref.isPassing);
    for (const refShard of passing.slice(MOST_PASSING)) this.forget(refShard);
  }

  /** Reads the shards of earlier processes that can still be queried. Files without a note were never finished. */
  async #readAll(): Promise<void> {
    const entries: { ref: RefShard; usedMs: number }[] = [];
    const root = join(this.#dataDir, 'repositories');
    for (const repositoryId of await readdir(root).catch(() => [])) {
      const folder = join(root, repositoryId, FOLDER);
      for (const name of await readdir(folder).catch(() => [])) {
        if (!name.endsWith('.db')) continue;
        const file = join(folder, name);
        const note = await readNote(repositoryId, file);
        if (note === undefined || !this.#canRead(note.ref.kind, file)) await remove(file);
        else entries.push(note);
      }
    }
    for (const { ref } of entries.toSorted((a, b) => a.usedMs - b.usedMs)) this.#shards.set(keyOf(ref), ref);
  }
}

const keyOf = ({ repositoryId, commit, kind }: Pick<RefShard, 'repositoryId' | 'commit' | 'kind'>): string =>
  `${repositoryId} ${commit} ${kind}`;
const noteOf = (file: string): string => `${file}.json`;

async function readNote(repositoryId: string, file: string): Promise<{ ref: RefShard; usedMs: number } | undefined> {
  try {
    const { hash, sizeBytes, indexedAt, ...rest } = Note.parse(JSON.parse(await readFile(noteOf(file), 'utf8')));
    const { mtimeMs: usedMs } = await stat(noteOf(file));
    const shard = { hash, sizeBytes, file };
    return { ref: { repositoryId, shard, indexedAt: new Date(indexedAt), ...rest }, usedMs };
  } catch {
    return undefined;
  }
}

/** The note first: a file without one counts for nothing. */
async function remove(file: string): Promise<void> {
  await rm(noteOf(file), { force: true });
  await rm(file, { force: true });
}
