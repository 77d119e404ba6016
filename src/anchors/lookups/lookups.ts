import type { Tenant } from '../../kernel/tenant.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { Db } from '../../platform/db.ts';
import { ShardDamaged, type ShardReaders } from '../../indexes/shards/shards.ts';
import { type CodeLookup, codeLookup } from './code-lookup.ts';
import { type HistoryLookup, historyLookup } from './history-lookup.ts';
import type { PastIndexTask } from './past-index.ts';

/** The database of anchors, and the indexes that they are compared with. */
export interface Anchors {
  db: Db;
  readers: ShardReaders;
  /** The repositories of a product that have an index. */
  indexed: (tenant: Tenant) => Promise<IndexedRepository[]>;
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
