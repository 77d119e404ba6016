import { sql } from 'kysely';
import type { Db } from '../platform/db.ts';

/** Account and repository of an upload. */
interface RepositoryKey {
  accountId: string;
  id: string;
}

/** An uploaded SCIP index. One of the same commit, tool and root takes its place. */
export interface ScipUpload {
  /** In full. */
  commit: string;
  /** Name and version of the indexer. */
  tool: string;
  /** Folder of the repository that its paths start in, '' for the whole. */
  root: string;
  hash: string;
  sizeBytes: number;
  documents: number;
  occurrences: number;
  uploadedAt: Date;
}

/** Those of one commit, newest first. */
export async function selectScipUploads(db: Db, key: RepositoryKey, commit: string): Promise<ScipUpload[]> {
  const { rows } = await sql<ScipUpload>`
    select commit, tool, root, hash, size_bytes as "sizeBytes", documents, occurrences, uploaded_at as "uploadedAt"
      from repository_scip
     where account_id = ${key.accountId} and repository_id = ${key.id} and commit = ${commit}
     order by uploaded_at desc, tool, root`.execute(db);
  return rows;
}

/** Hashes of all of a repository. */
export async function selectScipHashes(db: Db, key: RepositoryKey): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select distinct hash from repository_scip
     where account_id = ${key.accountId} and repository_id = ${key.id}`.execute(db);
  return rows.map(({ hash }) => hash);
}

export async function upsertScipUpload(tx: Db, { accountId, id }: RepositoryKey, upload: ScipUpload): Promise<void> {
  const { commit, tool, root, hash, sizeBytes, documents, occurrences, uploadedAt } = upload;
  await sql`
    insert into repository_scip
      (account_id, repository_id, commit, tool, root, hash, size_bytes, documents, occurrences, uploaded_at)
    values (${accountId}, ${id}, ${commit}, ${tool}, ${root}, ${hash}, ${sizeBytes}, ${documents}, ${occurrences},
      ${uploadedAt})
    on conflict (account_id, repository_id, commit, tool, root) do update
       set hash = excluded.hash, size_bytes = excluded.size_bytes, documents = excluded.documents,
           occurrences = excluded.occurrences, uploaded_at = excluded.uploaded_at`.execute(tx);
}

/** Deletes all but the newest `limit` of a repository. */
export async function deleteOldScipUploads(tx: Db, { accountId, id }: RepositoryKey, limit: number): Promise<void> {
  await sql`
    delete from repository_scip
     where account_id = ${accountId} and repository_id = ${id}
       and (commit, tool, root) not in (
         select commit, tool, root from repository_scip
          where account_id = ${accountId} and repository_id = ${id}
          order by uploaded_at desc, commit, tool, root limit ${limit})`.execute(tx);
}
