import { type Documents, removeStrayDocs, takeProductDocs } from '../documents/documents.ts';
import type { Log } from '../platform/log.ts';
import {
  findRepository,
  listRepositories,
  type ProductScope,
  type Repositories,
  tipOf,
} from '../repositories/repositories.ts';

/**
 * Takes over the documentation of a repository that was indexed, and removes that of repositories that are gone. Safe
 * twice.
 */
export async function takeRepositoryDocs(
  { documents, repositories, log }: { documents: Documents; repositories: Repositories; log: Log },
  { scope, repositoryId, signal }: { scope: ProductScope; repositoryId: string; signal: AbortSignal },
): Promise<void> {
  const all = await listRepositories(repositories, scope);
  await removeStrayDocs(
    documents,
    scope,
    all.map(({ id }) => id),
  );
  if (!all.some(({ id }) => id === repositoryId)) return;
  const repository = await findRepository(repositories, scope, repositoryId);
  if (repository.commit === null) return;
  const { gitDir } = await tipOf(repositories, repository);
  const from = { repositoryId, repository: repository.name, gitDir, commit: repository.commit };
  const taken = await takeProductDocs(documents, scope, from, signal);
  if (taken.saved + taken.removed + taken.failed > 0) log.info({ repository: repository.name, ...taken }, 'docs');
}
