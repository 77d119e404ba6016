import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { placesInShard, textInShard } from '../../code/places/places.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import { makeTemporaryFolder } from '../../platform/temporary-folder.ts';
import { openShard } from '../../indexes/shards/shards.ts';
import { type CodeLookup, textLookup } from './code-lookup.ts';
import type { Anchors } from './lookups.ts';

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
