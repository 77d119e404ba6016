import type { Tenant } from '../kernel/tenant.ts';
import { HISTORY_QUERIES } from '../commits/commits.ts';
import { type Documents, removeStrayDocs, takeProductDocs } from '../documents/documents.ts';
import type { ShardReaders } from '../indexes/shards/shards.ts';
import type { Log } from '../platform/log.ts';
import { findRepository, listRepositories, type Repositories, tipOf } from '../repositories/repositories.ts';

interface TakeParts {
  documents: Documents;
  repositories: Repositories;
  readers: ShardReaders;
  log: Log;
}

/**
 * Takes over the documentation of a repository that was indexed, and removes that of repositories that are gone. Safe
 * twice.
 */
export async function takeRepositoryDocs(
  { documents, repositories, readers, log }: TakeParts,
  { tenant, repositoryId, signal }: { tenant: Tenant; repositoryId: string; signal: AbortSignal },
): Promise<void> {
  const all = await listRepositories(repositories, tenant);
  await removeStrayDocs(
    documents,
    tenant,
    all.map(({ id }) => id),
  );
  if (!all.some(({ id }) => id === repositoryId)) return;
  const repository = await findRepository(repositories, tenant, repositoryId);
  if (repository.commit === null) return;
  const { gitDir } = await tipOf(repositories, repository);
  const { name, commit, historyHash, historyBytes } = repository;
  const changedAt = async (paths: readonly string[]): Promise<(Date | undefined)[]> => {
    if (historyHash === null) return [];
    const history = { hash: historyHash, sizeBytes: historyBytes ?? 0 };
    const run = { signal, background: true };
    const changes = await readers.query(history, HISTORY_QUERIES, ['lastChanges', { paths }], run);
    return changes.map((seconds) => (seconds === undefined ? undefined : new Date(seconds * 1000)));
  };
  const from = { repositoryId, repository: name, gitDir, commit, changedAt };
  const taken = await takeProductDocs(documents, tenant, from, signal);
  if (taken.saved + taken.removed + taken.failed > 0) log.info({ repository: name, ...taken }, 'docs');
}
