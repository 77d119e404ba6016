import type { Provenance } from '../kernel/answer.ts';
import { ServiceError } from '../kernel/errors.ts';
import { ownCommand } from '../platform/own-command.ts';
import { indexState, type Repositories, type Repository, tipOf } from '../repositories/repositories.ts';
import type { ShardRef } from './shards/shards.ts';

/** The kind of history shards, as they say it themselves. */
export const HISTORY_KIND = 'history';

/** A repository with an index, as a call sees it. */
export interface IndexedRepository {
  id: string;
  /** Which commit is indexed, and how far that is from what the repository holds now. */
  provenance: Provenance;
  /** The shard of its code. */
  shard: ShardRef;
  /** Its history shard. Absent where there is only an index of the code. */
  history?: ShardRef;
  /** Where its git objects are; undefined when it cannot be read now. Absent where there is only an index. */
  gitDir?: () => Promise<string | undefined>;
}

/**
 * A repository with its index as it is now.
 *
 * @throws ServiceError `not_indexed` for one without, with the reason when the last run failed.
 */
export async function withIndex(repositories: Repositories, row: Repository): Promise<IndexedRepository> {
  const { id, name, ref, branch, commit, shardHash, shardBytes, historyHash, historyBytes } = row;
  if (commit === null || shardHash === null || historyHash === null) {
    const failed = row.status === 'failed' && row.error !== null;
    const why = failed ? ` The last index run failed: ${row.error?.message}` : '';
    throw new ServiceError('not_indexed', `${name} has no index yet (${row.status}).${why}`, {
      fix: failed ? `${row.error?.fix} Then: ${ownCommand(`repo index ${name}`)}` : 'Repeat the call in a minute.',
    });
  }
  const index = await indexState(repositories, row);
  const provenance = { repo: name, ref: branch ?? (ref === '' ? 'HEAD' : ref), commit, index };
  const gitDir = (): Promise<string | undefined> =>
    tipOf(repositories, row).then(
      (tip) => tip.gitDir,
      () => undefined,
    );
  return {
    id,
    provenance,
    shard: { hash: shardHash, sizeBytes: shardBytes ?? 0 },
    history: { hash: historyHash, sizeBytes: historyBytes ?? 0 },
    gitDir,
  };
}
