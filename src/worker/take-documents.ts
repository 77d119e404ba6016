import type { Tenant } from '../kernel/tenant.ts';
import { HISTORY_QUERIES } from '../commits/commits.ts';
import {
  type Documents,
  documentedRepositories,
  removeRepositoryDocs,
  takeProductDocs,
} from '../documents/documents.ts';
import type { ShardReaders } from '../indexes/shards/shards.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Log } from '../platform/log.ts';
import { getRepository, type Repositories, tipOf } from '../repositories/repositories.ts';
import { servedRepositories } from '../repositories/runs/runs.ts';

interface TakeParts {
  documents: Documents;
  repositories: Repositories;
  readers: ShardReaders;
  log: Log;
}

/** Takes over the documentation of a repository that was indexed, or removes that of one that is gone. Safe twice. */
export async function takeRepositoryDocs(
  { documents, repositories, readers, log }: TakeParts,
  { tenant, repositoryId, signal }: { tenant: Tenant; repositoryId: string; signal: AbortSignal },
): Promise<void> {
  const repository = await getRepository(repositories, tenant, repositoryId).catch(noneIfUnknown);
  if (repository === undefined) return removeRepositoryDocs(documents, tenant, repositoryId);
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

function noneIfUnknown(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === 'unknown_repo') return undefined;
  throw error;
}

/** Repositories of all accounts that are gone while documentation of theirs is left. For the start of the service. */
export async function strayDocumentation({
  documents,
  repositories,
}: Pick<TakeParts, 'documents' | 'repositories'>): Promise<(Tenant & { id: string })[]> {
  const served = new Set((await servedRepositories(repositories)).map(({ id }) => id));
  return (await documentedRepositories(documents)).filter(({ id }) => !served.has(id));
}
