import type { Tenant } from '../kernel/tenant.ts';
import { type ProductRequest, recordAudit } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import { isUuid } from '../kernel/ids.ts';
import { type EntryOutline, readEntryPage, readOutline, removeEntries } from '../knowledge/knowledge.ts';
import type { Documents } from './context.ts';
import { thingOf } from './read-file.ts';
import {
  deleteDocument,
  type DocumentRow,
  releaseBlobs,
  selectDocument,
  selectDocumentedRepositories,
  selectVersions,
  selectWaitingProducts,
  takeReleasedBlobs,
  type VersionRow,
} from './store.ts';

export { openDocuments, type Documents } from './context.ts';
export { removeRepositoryDocs, takeProductDocs } from './product-docs.ts';
export { readWaiting } from './read-waiting.ts';
export { countDocuments, countUnread, type DocumentFilter, selectDocuments, selectFailed } from './store.ts';
export { saveUploads, type UploadFile } from './upload.ts';

/** Age at which a blob that no version uses is removed: a download may still read it. */
const BLOB_GRACE_MS = 60 * 60_000;

/** Sections of an answer that reads a document, at most this many characters of text unless one alone is longer. */
const READ_CHARACTERS = 12_000;

/** Outline of a document, and part of its text. */
export interface DocumentText {
  row: DocumentRow;
  /** All of them in order. */
  sections: { id: string; heading: string; characters: number }[];
  /** From the section that was asked for on. */
  text: { id: string; heading: string; text: string }[];
  /** Id of the section to go on with; undefined at the end. */
  next: string | undefined;
}

/**
 * The document with this id or handle (`doc:…`).
 *
 * @throws ServiceError `unknown_id` when the product has none.
 */
export async function findDocument(
  { db }: Pick<Documents, 'db'>,
  tenant: Tenant,
  reference: string,
): Promise<DocumentRow> {
  const id = reference.replace(/^doc:/, '');
  const row = isUuid(id) ? await selectDocument(db, tenant, id) : undefined;
  if (row !== undefined) return row;
  throw new ServiceError('unknown_id', `There is no document "${reference.slice(0, 80)}".`, {
    fix: 'Use an id from a search or from the list of documents.',
  });
}

/** Its versions, newest first; none for a product doc, whose history is in its repository. */
export function documentVersions({ db }: Documents, tenant: Tenant, id: string): Promise<VersionRow[]> {
  return selectVersions(db, tenant, id);
}

/**
 * Some text of a document from a section on: sections up to 12,000 characters, at least one.
 *
 * @throws ServiceError `unknown_id` for a document or section that is not there; a section is named by id, or by a part
 * of its heading.
 */
export async function readDocument(
  documents: Documents,
  tenant: Tenant,
  { id, section }: { id: string; section?: string },
): Promise<DocumentText> {
  const row = await findDocument(documents, tenant, id);
  const outline = await readOutline(documents.db, tenant, thingOf(row.id));
  const start = section === undefined || section === '' ? 0 : indexOfSection(outline, section);
  let end = start;
  for (let characters = 0; end < outline.length && (end === start || characters < READ_CHARACTERS); end += 1)
    characters += outline[end]?.characters ?? 0;
  const entries = await readEntryPage(documents.db, tenant, thingOf(row.id), { from: start });
  return {
    row,
    sections: outline.map(({ part, section: heading, characters }) => ({ id: part, heading, characters })),
    text: entries.slice(0, end - start).map(({ part, section: heading, text }) => ({ id: part, heading, text })),
    next: outline[Math.min(end, start + entries.length)]?.part,
  };
}

/** The bytes of the newest version as they were uploaded; undefined for a product doc. */
export async function originalOf({ blobs }: Documents, row: DocumentRow): Promise<Uint8Array | undefined> {
  return row.kind === 'upload' ? blobs.get(row.hash) : undefined;
}

/**
 * Deletes an upload with its versions.
 *
 * @throws ServiceError `unknown_id` when it is not there, `conflict` for a product doc.
 */
export async function removeDocument(documents: Documents, tenant: ProductRequest, reference: string): Promise<void> {
  const { db, now } = documents;
  const row = await findDocument(documents, tenant, reference);
  if (row.kind === 'product_doc') {
    throw new ServiceError('conflict', `"${row.name}" is a file of a repository.`, {
      fix: 'Delete it there; it goes with the next index.',
    });
  }
  await db.transaction().execute(async (tx) => {
    const hashes = await deleteDocument(tx, tenant, row.id);
    if (hashes === undefined) return;
    await releaseBlobs(tx, tenant, hashes, now());
    await removeEntries(tx, tenant, thingOf(row.id));
    const { accountId, actor } = tenant;
    const detail = { name: row.name };
    await recordAudit(tx, { accountId, actor, action: 'document.delete', target: row.id, at: now(), detail });
  });
}

/** Deletes blobs that nothing has used for an hour, in all accounts. Safe at any time, in several processes. */
export async function sweepDocuments({ db, blobs, now }: Documents): Promise<number> {
  const hashes = await takeReleasedBlobs(db, new Date(now().getTime() - BLOB_GRACE_MS));
  for (const hash of hashes) await blobs.delete(hash);
  return hashes.length;
}

/** Products in all accounts whose documents wait to be read. For the start of the service. */
export function waitingProducts({ db }: Documents): Promise<Tenant[]> {
  return selectWaitingProducts(db);
}

/** Repositories in all accounts of which documentation is there. For the start of the service. */
export function documentedRepositories({ db }: Documents): Promise<(Tenant & { id: string })[]> {
  return selectDocumentedRepositories(db);
}

function indexOfSection(entries: readonly EntryOutline[], section: string): number {
  const target = section.trim().toLowerCase();
  const tests = [
    (entry: EntryOutline) => entry.part === section,
    (entry: EntryOutline) =>
      entry.section.toLowerCase() === target || entry.section.toLowerCase().endsWith(`› ${target}`),
    (entry: EntryOutline) => entry.section.toLowerCase().includes(target),
  ];
  for (const test of tests) {
    const at = entries.findIndex(test);
    if (at !== -1) return at;
  }
  const some = entries.slice(0, 5).map((entry) => `"${entry.part}"`);
  throw new ServiceError('unknown_id', `The document has no section "${section.slice(0, 80)}".`, {
    fix:
      some.length === 0
        ? 'The document has no text yet: repeat the call in a minute.'
        : `Use one of its sections: ${some.join(', ')}.`,
  });
}
