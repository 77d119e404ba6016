import { mkdir } from 'node:fs/promises';
import { uuidv7 } from '../kernel/ids.ts';
import { type ProductScope, putEntries, removeThings } from '../knowledge/knowledge.ts';
import { type GitObjects, openObjects, type TreeFile } from '../platform/git-objects.ts';
import type { Documents } from './context.ts';
import type { ParseTask } from './parse-document.ts';
import { entriesOf, parseInThread, thingOf } from './read-waiting.ts';
import {
  deleteDocument,
  type DocumentRow,
  selectDocumentedRepositories,
  selectProductDocs,
  setFailed,
  setReady,
  upsertDocument,
} from './store.ts';

/** Documentation by its place: texts at the root, READMEs anywhere, and folders of docs and decision records. */
const TEXT = /\.(?:md|mdx|markdown|rst|txt)$/i;
const PLACES = [
  /^[^/]+\.(?:md|mdx|markdown|rst)$/i,
  /(?:^|\/)README(?:\.[^/]*)?\.(?:md|mdx|markdown|rst|txt)$/i,
  /(?:^|\/)(?:docs?|documentation|adrs?|decisions|rfcs?)\//i,
];
/** What is not documentation wherever it lies, and plans, which are taken as plans. */
const ELSEWHERE =
  /(?:^|\/)(?:node_modules|vendor|third_party|fixtures?|__fixtures__|testdata|tests?|__tests__)\/|(?:^|\/)plans\/|(?:^|\/)requirements[^/]*\.txt$/i;

const FILE_BYTES = 2 * 1024 * 1024;
/** Most files that are taken from one repository. */
const MOST_FILES = 5_000;

/** A commit of a repository to take documentation from. */
export interface DocumentedCommit {
  repositoryId: string;
  /** Name of the repository, which people see. */
  repository: string;
  gitDir: string;
  commit: string;
}

/** What taking the documentation of a repository did. */
export interface TakenDocs {
  saved: number;
  removed: number;
  unchanged: number;
  failed: number;
}

/**
 * Takes over the documentation that a commit holds: files that are new or changed are read, those that are gone are
 * removed. Safe twice and after a crash.
 *
 * @throws the signal's reason when it stops.
 */
export async function takeProductDocs(
  documents: Documents,
  scope: ProductScope,
  from: DocumentedCommit,
  signal: AbortSignal,
): Promise<TakenDocs> {
  await using objects = await openObjects(from.gitDir);
  const files = (await objects.listTree(from.commit, signal)).files.filter(isDocumentation).slice(0, MOST_FILES);
  const known = new Map(
    (await selectProductDocs(documents.db, scope, from.repositoryId)).map((row) => [row.name, row]),
  );
  const gone = [...known.values()].filter((row) => !files.some((file) => file.path === row.name));
  const taken: TakenDocs = { saved: 0, removed: await removeDocs(documents, scope, gone), unchanged: 0, failed: 0 };
  const changed = files.filter((file) => {
    const row = known.get(file.path);
    return row === undefined || row.hash !== file.blob || row.status === 'waiting';
  });
  taken.unchanged = files.length - changed.length;
  for await (const [file, bytes] of contents(objects, changed, signal)) {
    const isSaved = await takeDoc(documents, scope, { ...from, file, bytes }, signal);
    taken[isSaved ? 'saved' : 'failed'] += 1;
  }
  return taken;
}

/** Removes the documentation of repositories that are not among these. */
export async function removeStrayDocs(
  documents: Documents,
  scope: ProductScope,
  repositoryIds: readonly string[],
): Promise<void> {
  for (const repository of await selectDocumentedRepositories(documents.db, scope)) {
    if (repositoryIds.includes(repository)) continue;
    await removeDocs(documents, scope, await selectProductDocs(documents.db, scope, repository));
  }
}

/** Whether a file is documentation, by its path and size. */
export function isDocumentation({ path, sizeBytes }: Pick<TreeFile, 'path' | 'sizeBytes'>): boolean {
  if (sizeBytes <= 0 || sizeBytes > FILE_BYTES) return false;
  return TEXT.test(path) && !ELSEWHERE.test(path) && PLACES.some((place) => place.test(path));
}

async function* contents(
  objects: GitObjects,
  files: readonly TreeFile[],
  signal: AbortSignal,
): AsyncGenerator<[TreeFile, Buffer]> {
  let next = 0;
  for await (const { bytes } of objects.readBlobs(
    files.map((file) => file.blob),
    signal,
  )) {
    const file = files[next++];
    if (file !== undefined && bytes !== undefined) yield [file, bytes];
  }
}

/** True when the file could be read. One that cannot is kept as failed, so that people see it. */
async function takeDoc(
  documents: Documents,
  scope: ProductScope,
  { repositoryId, repository, file, bytes }: DocumentedCommit & { file: TreeFile; bytes: Buffer },
  signal: AbortSignal,
): Promise<boolean> {
  const at = documents.now();
  const { path: name, blob: hash, sizeBytes } = file;
  const place = { kind: 'product_doc', name, repository: repositoryId } as const;
  const row = { ...place, id: uuidv7(at), tags: [], hash, sizeBytes, updatedAt: at, updatedBy: 'system' as const };
  await mkdir(documents.workDir, { recursive: true });
  const task: ParseTask = { name, content: bytes, unpackDir: documents.workDir };
  const result = await parseInThread(documents, task, signal);
  if ('error' in result || result.type === 'zip') {
    const error = 'error' in result ? result.error : { message: 'It is an archive.', fix: 'Name it so.' };
    const saved = await upsertDocument(documents.db, scope, row);
    await setFailed(documents.db, scope, saved, error);
    return false;
  }
  const { type, document: parsed } = result;
  const title = parsed.title === '' ? name : parsed.title.slice(0, 300);
  await documents.db.transaction().execute(async (tx) => {
    const saved = await upsertDocument(tx, scope, row);
    const { tags, sections } = parsed;
    await setReady(tx, scope, saved, { title, type, tags, sections: sections.length, problems: [] });
    const entries = entriesOf({ ...saved, title, tags: [...tags], source: `${repository}/${name}` }, parsed);
    await putEntries(tx, scope, thingOf(saved.id), entries);
  });
  return true;
}

async function removeDocs(
  { db }: Documents,
  scope: ProductScope,
  rows: readonly Pick<DocumentRow, 'id'>[],
): Promise<number> {
  if (rows.length === 0) return 0;
  await db.transaction().execute(async (tx) => {
    for (const { id } of rows) await deleteDocument(tx, scope, id);
    await removeThings(
      tx,
      scope,
      rows.map(({ id }) => thingOf(id)),
    );
  });
  return rows.length;
}
