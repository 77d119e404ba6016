import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { placesInShard, textInShard } from '../../code/places/places.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import { makeTemporaryFolder } from '../../platform/temporary-folder.ts';
import { openShard, ShardDamaged, type ShardReaders } from '../../indexes/shards/shards.ts';
import { type CodeLookup, codeLookup, textLookup } from './code-lookup.ts';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import { type HistoryLookup, historyLookup } from './history-lookup.ts';

/** Most files of an older commit that are read for one plan. */
const MOST_FILES = 500;

/** A few files of a commit, to be indexed apart from the snapshots that are served. */
export interface PastIndexTask {
  gitDir: string;
  commit: string;
  /** Id of the repository. */
  repository: string;
  paths: readonly string[];
  /** Path at which the shard is written. */
  targetFile: string;
  /** An empty file name beside it, for facts. */
  factsCache: string;
}

/**
 * Looks into some files of a repository as they were at an older commit. They are parsed for this, in a process of their
 * own: about a second. Undefined when the repository cannot be read.
 */
export async function lookIntoPast<Result>(
  { indexPast }: Pick<Anchors, 'indexPast'>,
  { repository, commit, paths }: { repository: IndexedRepository; commit: string; paths: readonly string[] },
  look: (code: CodeLookup) => Promise<Result>,
): Promise<Result | undefined> {
  const gitDir = await repository.gitDir?.();
  if (gitDir === undefined || paths.length === 0) return undefined;
  const folder = await makeTemporaryFolder('past');
  try {
    const targetFile = join(folder, 'code');
    const factsCache = join(folder, 'facts');
    const task = {
      gitDir,
      commit,
      repository: repository.id,
      paths: paths.slice(0, MOST_FILES),
      targetFile,
      factsCache,
    };
    await indexPast(task);
    const db = openShard(targetFile, CODE_FORMAT);
    try {
      const places = placesInShard(db);
      const source = async (path: string): Promise<readonly string[] | undefined> => textInShard(db, path);
      return await look({
        ...textLookup(places, source),
        repositoryId: repository.id,
        repo: repository.provenance.repo,
        commit,
        snapshot: '',
      });
    } finally {
      db.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The database of anchors, and the indexes that they are compared with. */
export interface Anchors {
  db: Db;
  readers: ShardReaders;
  /** The repositories of a product that have an index, or the one with this id: to look at each costs some system calls. */
  indexed: (tenant: Tenant, repositoryId?: string) => Promise<IndexedRepository[]>;
  /** Writes a code shard of some files of a commit. */
  indexPast: (task: PastIndexTask) => Promise<void>;
  /** Set by jobs: nobody waits, so what is looked up in indexes stays behind the questions of others. */
  background?: boolean;
}

/** The indexes of one repository, for anchors. */
export interface Lookups {
  repository: IndexedRepository;
  code: CodeLookup;
  /** Undefined where there is only an index of the code. */
  history: HistoryLookup | undefined;
}

/** The indexes of the product, by name of the repository; those that `prefer` names come first. */
export async function lookupsOf(
  { readers, indexed, background = false }: Anchors,
  tenant: Tenant,
  prefer?: string | null,
): Promise<Lookups[]> {
  const repositories = await indexed(tenant);
  const isPreferred = ({ id, provenance }: IndexedRepository): boolean => id === prefer || provenance.repo === prefer;
  return repositories
    .toSorted(
      (a, b) => Number(isPreferred(b)) - Number(isPreferred(a)) || (a.provenance.repo < b.provenance.repo ? -1 : 1),
    )
    .map((repository) => ({
      repository,
      code: codeLookup(readers, repository, background),
      history: historyOf(readers, repository, background),
    }));
}

function historyOf(
  readers: ShardReaders,
  { history, gitDir }: IndexedRepository,
  background: boolean,
): HistoryLookup | undefined {
  return history === undefined ? undefined : historyLookup(readers, { history, gitDir, background });
}

/**
 * Returns the result of a look into an index, or `otherwise` when its file is damaged: the first caller that notices has it
 * rebuilt.
 */
export async function unlessDamaged<Value>(look: Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof ShardDamaged) return otherwise;
    throw error;
  }
}
