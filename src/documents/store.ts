import { within } from '../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import type { Actor } from '../accounts/accounts.ts';
import type { Db } from '../platform/db.ts';
import type { ArchiveProblem } from '../platform/archive.ts';
import { takeReleased } from '../platform/released-blobs.ts';
import type { DocumentType } from './sniff.ts';

type DocumentKind = 'upload' | 'product_doc';
type DocumentStatus = 'waiting' | 'ready' | 'failed';

export interface DocumentRow {
  id: string;
  kind: DocumentKind;
  name: string;
  /** Id of the repository that a product doc is in; '' for an upload. */
  repository: string;
  title: string;
  type: DocumentType | null;
  tags: string[];
  hash: string;
  sizeBytes: number;
  version: number;
  status: DocumentStatus;
  error: { message: string; fix: string } | null;
  problems: ArchiveProblem[];
  sections: number;
  createdAt: Date;
  updatedAt: Date;
  updatedBy: Actor;
}

export interface VersionRow {
  version: number;
  hash: string;
  sizeBytes: number;
  createdAt: Date;
  createdBy: string;
}

/** Properties of a document that reading its content showed. */
interface ReadDocument {
  title: string;
  type: DocumentType;
  tags: readonly string[];
  sections: number;
  problems: readonly ArchiveProblem[];
}

const COLUMNS = sql`id, kind, name, repository, title, type, tags, hash, size_bytes as "sizeBytes", version, status, error,
  problems, sections, created_at as "createdAt", updated_at as "updatedAt", updated_by as "updatedBy"`;

/** The upload of this name, locked until the transaction ends. */
export async function lockUpload(tx: Db, tenant: Tenant, name: string): Promise<DocumentRow | undefined> {
  const { rows } = await sql<DocumentRow>`
    select ${COLUMNS} from document
     where ${within(tenant)} and kind = 'upload' and repository = '' and name = ${name} for update`.execute(tx);
  return rows[0];
}

/** Adds a document, or replaces everything but the id of the one that has its name; its content waits to be read. */
export async function upsertDocument(
  tx: Db,
  { accountId, productId }: Tenant,
  row: Pick<
    DocumentRow,
    'id' | 'kind' | 'name' | 'repository' | 'tags' | 'hash' | 'sizeBytes' | 'updatedAt' | 'updatedBy'
  >,
): Promise<DocumentRow> {
  const { rows } = await sql<DocumentRow>`
    insert into document
      (account_id, product_id, id, kind, name, repository, title, tags, hash, size_bytes, version, status, created_at,
       updated_at, updated_by)
    values (${accountId}, ${productId}, ${row.id}, ${row.kind}, ${row.name}, ${row.repository}, ${row.name},
      ${row.tags}::text[], ${row.hash}, ${row.sizeBytes}, 1, 'waiting', ${row.updatedAt}, ${row.updatedAt},
      ${row.updatedBy})
    on conflict (account_id, product_id, kind, repository, name) do update
       set tags = excluded.tags, hash = excluded.hash, size_bytes = excluded.size_bytes,
           version = document.version + 1, status = 'waiting', error = null, updated_at = excluded.updated_at,
           updated_by = excluded.updated_by
    returning ${COLUMNS}`.execute(tx);
  const [saved] = rows;
  if (saved === undefined) throw new Error('The document was not saved.');
  return saved;
}

export async function insertVersion(tx: Db, { accountId }: Tenant, row: DocumentRow): Promise<void> {
  await sql`
    insert into document_version (account_id, document_id, version, hash, size_bytes, created_at, created_by)
    values (${accountId}, ${row.id}, ${row.version}, ${row.hash}, ${row.sizeBytes}, ${row.updatedAt}, ${row.updatedBy})`.execute(
    tx,
  );
}

/** A doc of a repository with what its content was found to be, or why it could not be read. */
export interface ReadProductDoc extends Pick<DocumentRow, 'id' | 'name' | 'repository' | 'hash' | 'sizeBytes'> {
  title: string;
  type: DocumentType | null;
  tags: readonly string[];
  sections: number;
  error: { message: string; fix: string } | null;
  updatedAt: Date;
}

/** Adds docs, or replaces everything but the id of those that have their names. Gives the ids that they have, by name. */
export async function upsertProductDocs(
  tx: Db,
  { accountId, productId }: Tenant,
  docs: readonly ReadProductDoc[],
  now: Date,
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    insert into document
      (account_id, product_id, id, kind, name, repository, title, type, tags, hash, size_bytes, version, status, error,
       sections, created_at, updated_at, updated_by)
    select ${accountId}, ${productId}, doc.id, 'product_doc', doc.name, doc.repository, doc.title, doc.type, doc.tags,
           doc.hash, doc."sizeBytes", 1, case when doc.error is null then 'ready' else 'failed' end, doc.error,
           doc.sections, ${now}, doc."updatedAt", 'system'
      from jsonb_to_recordset(${JSON.stringify(docs)}::jsonb) as doc (id uuid, name text, repository text, title text,
           type text, tags text[], hash text, "sizeBytes" bigint, error jsonb, sections integer,
           "updatedAt" timestamptz)
    on conflict (account_id, product_id, kind, repository, name) do update
       set title = excluded.title, type = excluded.type, tags = excluded.tags, hash = excluded.hash,
           size_bytes = excluded.size_bytes, status = excluded.status,
           version = document.version + case when document.hash = excluded.hash then 0 else 1 end,
           error = excluded.error, sections = excluded.sections, problems = '[]', updated_at = excluded.updated_at,
           updated_by = excluded.updated_by
    returning id, name`.execute(tx);
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Deletes docs of repositories, which have no versions. */
export async function deleteProductDocs(tx: Db, tenant: Tenant, ids: readonly string[]): Promise<void> {
  await sql`
    delete from document where ${within(tenant)} and kind = 'product_doc' and id = any(${ids}::uuid[])`.execute(tx);
}

/** Makes a document wait again whose content is the same. */
export async function setWaiting(tx: Db, tenant: Tenant, id: string): Promise<void> {
  await sql`update document set status = 'waiting', error = null where ${within(tenant)} and id = ${id}`.execute(tx);
}

/** False when the document is gone or has another version by now. */
export async function setReady(
  tx: Db,
  tenant: Tenant,
  { id, version }: Pick<DocumentRow, 'id' | 'version'>,
  read: ReadDocument,
): Promise<boolean> {
  const { rows } = await sql`
    update document
       set status = 'ready', error = null, title = ${read.title}, type = ${read.type}, sections = ${read.sections},
           tags = ${read.tags}::text[], problems = ${JSON.stringify(read.problems)}::jsonb
     where ${within(tenant)} and id = ${id} and version = ${version}
    returning id`.execute(tx);
  return rows.length === 1;
}

export async function setFailed(
  db: Db,
  tenant: Tenant,
  { id, version }: Pick<DocumentRow, 'id' | 'version'>,
  error: { message: string; fix: string },
): Promise<void> {
  await sql`
    update document set status = 'failed', error = ${JSON.stringify(error)}::jsonb
     where ${within(tenant)} and id = ${id} and version = ${version}`.execute(db);
}

/** Documents whose content waits to be read, oldest first. */
export async function selectWaiting(db: Db, tenant: Tenant, limit: number): Promise<DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    select ${COLUMNS} from document where ${within(tenant)} and status = 'waiting' order by id limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Counts the documents that no search finds yet, because they wait to be read. */
export async function countUnread(db: Db, tenant: Tenant): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from document where ${within(tenant)} and status = 'waiting'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Documents that no search finds because they could not be read, by name: at most `limit` with the reason, and how many. */
export async function selectFailed(
  db: Db,
  tenant: Tenant,
  limit: number,
): Promise<{ total: number; documents: { name: string; reason: string }[] }> {
  const { rows } = await sql<{ name: string; reason: string; total: number }>`
    select name, error->>'message' as reason, count(*) over ()::int as total from document
     where ${within(tenant)} and status = 'failed' and sections = 0 order by name limit ${limit}`.execute(db);
  return { total: rows[0]?.total ?? 0, documents: rows.map(({ name, reason }) => ({ name, reason })) };
}

/** Products in all accounts that have documents waiting. For the start of the service. */
export async function selectWaitingProducts(db: Db): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select distinct account_id as "accountId", product_id as "productId" from document where status = 'waiting'`.execute(
    db,
  );
  return rows;
}

export interface DocumentFilter {
  kind?: DocumentKind;
  status?: DocumentStatus;
  /** Part of the name or title, in any case. */
  query?: string;
  limit: number;
  offset: number;
}

/** By name, and how many there are in all. */
export async function selectDocuments(
  db: Db,
  tenant: Tenant,
  { kind, status, query = '', limit, offset }: DocumentFilter,
): Promise<{ rows: DocumentRow[]; total: number }> {
  const matching = sql`${within(tenant)} and (${kind ?? null}::text is null or kind = ${kind ?? null})
    and (${status ?? null}::text is null or status = ${status ?? null})
    and (position(lower(${query}) in lower(name)) > 0 or position(lower(${query}) in lower(title)) > 0)`;
  const { rows } = await sql<DocumentRow>`
    select ${COLUMNS} from document where ${matching}
     order by kind desc, name collate "C", id limit ${limit} offset ${offset}`.execute(db);
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from document where ${matching}`.execute(db);
  return { rows, total: counted[0]?.total ?? 0 };
}

/** Counts the documents of each kind and status. */
export async function countDocuments(
  db: Db,
  tenant: Tenant,
): Promise<{ kind: DocumentKind; status: DocumentStatus; documents: number }[]> {
  const { rows } = await sql<{ kind: DocumentKind; status: DocumentStatus; documents: number }>`
    select kind, status, count(*)::int as documents from document where ${within(tenant)}
     group by kind, status`.execute(db);
  return rows;
}

export async function selectDocument(db: Db, tenant: Tenant, id: string): Promise<DocumentRow | undefined> {
  const { rows } = await sql<DocumentRow>`
    select ${COLUMNS} from document where ${within(tenant)} and id = ${id}`.execute(db);
  return rows[0];
}

/** Newest first. */
export async function selectVersions(db: Db, { accountId }: Tenant, id: string): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select version, hash, size_bytes as "sizeBytes", created_at as "createdAt", created_by as "createdBy"
      from document_version where account_id = ${accountId} and document_id = ${id} order by version desc`.execute(db);
  return rows;
}

/** Deletes a document with its versions and returns the hashes of their blobs; undefined when there is none. */
export async function deleteDocument(tx: Db, tenant: Tenant, id: string): Promise<string[] | undefined> {
  const versions = await selectVersions(tx, tenant, id);
  const { rows } = await sql`delete from document where ${within(tenant)} and id = ${id} returning id`.execute(tx);
  return rows.length === 0 ? undefined : [...new Set(versions.map((version) => version.hash))];
}

/** The docs of a repository by path. */
export async function selectProductDocs(db: Db, tenant: Tenant, repository: string): Promise<DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    select ${COLUMNS} from document
     where ${within(tenant)} and kind = 'product_doc' and repository = ${repository} order by name`.execute(db);
  return rows;
}

/** Repositories of all accounts that docs were taken of. */
export async function selectDocumentedRepositories(db: Db): Promise<(Tenant & { id: string })[]> {
  const { rows } = await sql<Tenant & { id: string }>`
    select distinct account_id as "accountId", product_id as "productId", repository as id
      from document where kind = 'product_doc'`.execute(db);
  return rows;
}

/** Notes a blob that is about to be stored: nothing uses it yet, and it is swept when nothing ever does. */
export async function announceBlob(db: Db, { accountId }: Tenant, hash: string, now: Date): Promise<void> {
  await sql`
    insert into document_blob (account_id, hash, released_at) values (${accountId}, ${hash}, ${now})
    on conflict (account_id, hash) do update
       set released_at = case when document_blob.released_at is null then null else excluded.released_at end`.execute(
    db,
  );
}

export async function holdBlob(tx: Db, { accountId }: Tenant, hash: string): Promise<void> {
  await sql`
    insert into document_blob (account_id, hash) values (${accountId}, ${hash})
    on conflict (account_id, hash) do update set released_at = null`.execute(tx);
}

/** Marks those of the blobs that no version of the account uses any more. */
export async function releaseBlobs(tx: Db, { accountId }: Tenant, hashes: readonly string[], now: Date): Promise<void> {
  for (const hash of hashes)
    await sql`
      update document_blob set released_at = ${now}
       where account_id = ${accountId} and hash = ${hash}
         and not exists (select 1 from document_version where account_id = ${accountId} and hash = ${hash})`.execute(
      tx,
    );
}

/** See `takeReleased`. */
export function takeReleasedBlobs(db: Db, cutoff: Date): Promise<string[]> {
  return takeReleased(db, 'document_blob', cutoff);
}

/** Bytes of all versions of the uploads of a product. */
export async function sumUploadBytes(db: Db, { accountId, productId }: Tenant): Promise<number> {
  const { rows } = await sql<{ bytes: string | number | null }>`
    select sum(v.size_bytes) as bytes
      from document d join document_version v on v.account_id = d.account_id and v.document_id = d.id
     where d.account_id = ${accountId} and d.product_id = ${productId}`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}
