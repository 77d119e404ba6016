import type { Tenant } from '../kernel/tenant.ts';
import { uuidv7 } from '../kernel/ids.ts';
import { findOlderCopies } from '../text/older-copies.ts';
import { putThings, removeThings } from '../knowledge/knowledge.ts';
import { type GitObjects, openObjects, type TreeFile } from '../platform/git/git-objects.ts';
import type { Documents } from './context.ts';
import { entriesOf, readFileInProcess, sectionsOfFile, thingOf } from './read-file.ts';
import type { Section } from './sections.ts';
import {
  deleteProductDocs,
  type DocumentRow,
  type ReadProductDoc,
  selectProductDocs,
  upsertProductDocs,
} from './store.ts';
import { isPathOf } from '../kernel/path-kinds.ts';

/** Documentation by its place: texts at the root, READMEs anywhere, and folders of docs and decision records. */
const TEXT = /\.(?:md|mdx|markdown|rst|txt)$/i;
const PLACES = [/^[^/]+\.(?:md|mdx|markdown|rst)$/i, /(?:^|\/)README(?:\.[^/]*)?\.(?:md|mdx|markdown|rst|txt)$/i];
/** Files that are saved at a time: as many, or as much of their text. Who writes to the product waits meanwhile. */
const BATCH_DOCS = 100;
const BATCH_CHARACTERS = 1_000_000;

const FILE_BYTES = 2 * 1024 * 1024;
/** Most files that are taken from one repository. */
const MOST_FILES = 5_000;

/** A commit of a repository to take documentation from. */
interface DocumentedCommit {
  repositoryId: string;
  /** Name of the repository, which people see. */
  repository: string;
  gitDir: string;
  commit: string;
  /** Returns when the last commit changed each of the paths; undefined where the history does not show it. */
  changedAt?: (paths: readonly string[]) => Promise<readonly (Date | undefined)[]>;
}

/** Result of taking the documentation of a repository. */
interface TakenDocs {
  saved: number;
  removed: number;
  unchanged: number;
  failed: number;
}

/**
 * Takes over the documentation that a commit holds: files that are new or changed are read, those that are gone are
 * removed. Of a document in several versions the newest is taken. A document has the date of its last commit; that of the taking only where the history does not tell. Safe twice
 * and after a crash.
 *
 * @throws the signal's reason when it stops.
 */
export async function takeProductDocs(
  documents: Documents,
  tenant: Tenant,
  from: DocumentedCommit,
  signal: AbortSignal,
): Promise<TakenDocs> {
  await using objects = await openObjects(from.gitDir);
  const tree = (await objects.listTree(from.commit, signal)).files;
  const older = findOlderCopies(tree);
  const files = tree.filter((file) => isDocumentation(file) && !older.has(file.path)).slice(0, MOST_FILES);
  const stored = new Map(
    (await selectProductDocs(documents.db, tenant, from.repositoryId)).map((row) => [row.name, row]),
  );
  const names = new Set(files.map((file) => file.path));
  const gone = [...stored.values()].filter((row) => !names.has(row.name));
  const taken: TakenDocs = { saved: 0, removed: await removeDocs(documents, tenant, gone), unchanged: 0, failed: 0 };
  const changeDates = (await from.changedAt?.(files.map(({ path }) => path))) ?? [];
  const dates = new Map(files.map(({ path }, at) => [path, changeDates[at]]));
  const changed = files.filter((file) => {
    const row = stored.get(file.path);
    if (row === undefined || row.hash !== file.blob || row.status === 'waiting') return true;
    const date = dates.get(file.path);
    return date !== undefined && date.getTime() !== row.updatedAt.getTime();
  });
  taken.unchanged = files.length - changed.length;
  const read: ReadDoc[] = [];
  const save = async (): Promise<void> => {
    const docs = read.splice(0);
    await saveDocs(documents, tenant, from, docs);
    const failed = docs.filter(({ row }) => row.error !== null).length;
    taken.failed += failed;
    taken.saved += docs.length - failed;
  };
  for await (const [file, bytes] of contents(objects, changed, signal)) {
    const updatedAt = dates.get(file.path) ?? documents.now();
    read.push(await readDoc(documents, { ...from, file, bytes, updatedAt }, signal));
    if (isBatch(read)) await save();
  }
  await save();
  return taken;
}

/** True if enough was read to save it: each statement costs the service more than the rows in it. */
export function isBatch(read: readonly Pick<ReadDoc, 'characters'>[]): boolean {
  return read.length >= BATCH_DOCS || read.reduce((sum, doc) => sum + doc.characters, 0) >= BATCH_CHARACTERS;
}

/** Removes the documentation of a repository. */
export async function removeRepositoryDocs(documents: Documents, tenant: Tenant, repositoryId: string): Promise<void> {
  await removeDocs(documents, tenant, await selectProductDocs(documents.db, tenant, repositoryId));
}

/** True if a file is documentation, by its path and size. */
export function isDocumentation({ path, sizeBytes }: Pick<TreeFile, 'path' | 'sizeBytes'>): boolean {
  if (sizeBytes <= 0 || sizeBytes > FILE_BYTES) return false;
  return TEXT.test(path) && !isPathOf('foreignDocument', path) && isPlaced(path);
}

function isPlaced(path: string): boolean {
  return isPathOf('documentation', path) || PLACES.some((pattern) => pattern.test(path));
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

/** A file that was read, or that could not be. */
interface ReadDoc {
  row: ReadProductDoc;
  /** None of a file that could not be read. */
  sections: readonly Section[];
  characters: number;
}

/** One that cannot be read is kept as failed, so that people see it. */
async function readDoc(
  documents: Documents,
  { repositoryId, file, bytes, updatedAt }: DocumentedCommit & { file: TreeFile; bytes: Buffer; updatedAt: Date },
  signal: AbortSignal,
): Promise<ReadDoc> {
  const { path: name, blob: hash, sizeBytes } = file;
  const common = { id: uuidv7(documents.now()), name, repository: repositoryId, hash, sizeBytes, updatedAt };
  return readFileInProcess(documents, { name, content: bytes }, signal, async (result) => {
    if ('error' in result || result.type === 'zip') {
      const error = 'error' in result ? result.error : { message: 'It is an archive.', fix: 'Name it so.' };
      const row = { ...common, title: name, type: null, tags: [], sections: 0, error };
      return { row, sections: [], characters: 0 };
    }
    const { type, tags } = result;
    const title = result.title === '' ? name : result.title;
    const sections = (await Array.fromAsync(sectionsOfFile(result))).flat();
    const row = { ...common, title, type, tags, sections: sections.length, error: null };
    return { row, sections, characters: sections.reduce((sum, { text }) => sum + text.length, 0) };
  });
}

/** Saves what was read, with its text, in one transaction. A file that can no longer be read is not found any more. */
async function saveDocs(
  { db, now }: Documents,
  tenant: Tenant,
  { repository }: DocumentedCommit,
  read: readonly ReadDoc[],
): Promise<void> {
  if (read.length === 0) return;
  const at = now();
  await db.transaction().execute(async (tx) => {
    const rows = read.map(({ row }) => row);
    const ids = await upsertProductDocs(tx, tenant, rows, at);
    const things = read.flatMap(({ row, sections }) => {
      const id = ids.get(row.name);
      if (id === undefined) return [];
      const { title, tags, name, updatedAt } = row;
      const source = `${repository}/${name}`;
      const about = { kind: 'product_doc' as const, title, tags: [...tags], updatedAt, source };
      return [{ ...thingOf(id), entries: entriesOf(about, sections) }];
    });
    await putThings(tx, tenant, things);
  });
}

async function removeDocs(
  { db }: Documents,
  tenant: Tenant,
  rows: readonly Pick<DocumentRow, 'id'>[],
): Promise<number> {
  if (rows.length === 0) return 0;
  await db.transaction().execute(async (tx) => {
    await deleteProductDocs(
      tx,
      tenant,
      rows.map(({ id }) => id),
    );
    await removeThings(
      tx,
      tenant,
      rows.map(({ id }) => thingOf(id)),
    );
  });
  return rows.length;
}
