import { type Actor, recordAudit } from '../../accounts/accounts.ts';
import type { Repositories } from '../context.ts';
import { holdBlobs, releaseBlobs, type RepositoryRow } from '../store.ts';
import {
  deleteOldScipUploads,
  type ScipUpload,
  selectScipHashes,
  selectScipUploads,
  upsertScipUpload,
} from '../store-scip.ts';

/** Uploads that are kept of one repository: enough for a large workspace and the commits that are on their way. */
const MOST_UPLOADS = 50;

/**
 * Keeps an uploaded index, whose blob must be in the store, in the place of one of the same commit, tool and root. The
 * oldest beyond 50 of the repository are dropped.
 */
export async function saveScipUpload(
  context: Repositories,
  repository: RepositoryRow,
  { upload, actor }: { upload: ScipUpload; actor: Actor },
): Promise<void> {
  const { accountId, id } = repository;
  const { commit, tool, root, hash, sizeBytes } = upload;
  await context.db.transaction().execute(async (tx) => {
    const before = await selectScipHashes(tx, repository);
    await holdBlobs(tx, accountId, [{ hash, sizeBytes }]);
    await upsertScipUpload(tx, repository, upload);
    await deleteOldScipUploads(tx, repository, MOST_UPLOADS);
    await releaseBlobs(tx, accountId, before, context.now());
    const detail = { commit, tool, root, sizeBytes };
    await recordAudit(tx, { accountId, actor, action: 'repository.scip', target: id, at: context.now(), detail });
  });
}

/** The indexes that were uploaded for the commit that is served, newest first. */
export async function scipUploads(context: Repositories, repository: RepositoryRow): Promise<ScipUpload[]> {
  return repository.commit === null ? [] : selectScipUploads(context.db, repository, repository.commit);
}
