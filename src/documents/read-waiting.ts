import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import { type Entry, type ProductScope, putEntries } from '../knowledge/knowledge.ts';
import { TaskTimeout, ThreadCrashed } from '../platform/threads.ts';
import type { Documents } from './context.ts';
import type { ParseResult, ParseTask } from './parse-document.ts';
import type { ParsedDocument } from './sections.ts';
import { type DocumentRow, selectWaiting, setFailed, setReady } from './store.ts';
import { saveUploads, type UploadOutcome } from './upload.ts';

/** Longest that reading one file may take. */
const PARSE_MS = 60_000;

/** Documents that are taken up at a time. */
const BATCH = 20;

/**
 * Reads all documents of a product that wait, with what archives among them hold, until none is left. Safe twice and
 * after a crash: what was read is not read again, and files of an archive that were taken out already are unchanged.
 *
 * @throws the signal's reason when it stops.
 */
export async function readWaiting(documents: Documents, scope: ProductScope, signal: AbortSignal): Promise<void> {
  for (;;) {
    const waiting = await selectWaiting(documents.db, scope, BATCH);
    if (waiting.length === 0) return;
    await Promise.all(waiting.map((row) => readOne(documents, scope, row, signal)));
  }
}

async function readOne(
  documents: Documents,
  scope: ProductScope,
  row: DocumentRow,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  await mkdir(documents.workDir, { recursive: true });
  const unpackDir = await mkdtemp(join(documents.workDir, 'documents-'));
  try {
    const task: ParseTask = { name: row.name, content: documents.blobs.path(row.hash), unpackDir };
    const result = await parseInThread(documents, task, signal);
    if ('error' in result) await setFailed(documents.db, scope, row, result.error);
    else if (result.type === 'zip') await takeFiles(documents, scope, { row, ...result }, signal);
    else await saveText(documents, scope, row, result);
  } finally {
    await rm(unpackDir, { recursive: true, force: true });
  }
}

/**
 * What a file holds, or what is wrong with it. Whatever a parser makes of a hostile file is the fault of the file.
 *
 * @throws the signal's reason when it stops.
 */
export async function parseInThread(
  { pool }: Documents,
  task: ParseTask,
  signal: AbortSignal,
): Promise<ParseResult | { error: { message: string; fix: string } }> {
  try {
    return await pool.run<ParseResult>(task, { deadlineMs: PARSE_MS, signal });
  } catch (error) {
    signal.throwIfAborted();
    return { error: explain(error) };
  }
}

/** The text of the document becomes findable in the transaction that says so. */
async function saveText(
  { db }: Documents,
  scope: ProductScope,
  row: DocumentRow,
  { type, document }: Exclude<ParseResult, { type: 'zip' }>,
): Promise<void> {
  const title = document.title === '' ? row.name : document.title.slice(0, 300);
  const tags = [...new Set([...row.tags, ...document.tags])];
  const read = { title, type, tags, sections: document.sections.length, problems: [] };
  await db.transaction().execute(async (tx) => {
    const isSaved = await setReady(tx, scope, row, read);
    if (isSaved)
      await putEntries(tx, scope, thingOf(row.id), entriesOf({ ...row, title, tags, source: row.name }, document));
  });
}

/** Keeps the files of an archive as uploads of their own, named by the archive and their path in it. */
async function takeFiles(
  documents: Documents,
  scope: ProductScope,
  { row, files, problems }: { row: DocumentRow } & Extract<ParseResult, { type: 'zip' }>,
  signal: AbortSignal,
): Promise<void> {
  const refused: UploadOutcome[] = [];
  const request = { ...scope, actor: row.updatedBy, tags: row.tags };
  for (const { name, file } of files) {
    signal.throwIfAborted();
    if (/\.zip$/i.test(name)) {
      const error = { code: 'bad_argument', message: 'An archive in an archive is not unpacked.', fix: '' };
      refused.push({ name, outcome: 'refused', error });
      continue;
    }
    const upload = { name: `${row.name}/${name}`, bytes: await readFile(file) };
    refused.push(...(await saveUploads(documents, request, [upload])).filter((one) => one.outcome === 'refused'));
  }
  const left = refused.flatMap((one) =>
    one.outcome === 'refused' ? [{ name: one.name, reason: one.error.message }] : [],
  );
  await setReady(documents.db, scope, row, {
    title: row.name,
    type: 'zip',
    tags: row.tags,
    sections: 0,
    problems: [...problems, ...left],
  });
}

/** What a fault means to the one whose file it is. */
function explain(error: unknown): { message: string; fix: string } {
  if (error instanceof ServiceError) return { message: error.message, fix: error.fix };
  const fix = 'Upload it in smaller parts, or as text.';
  if (error instanceof TaskTimeout) return { message: 'Reading it took longer than 60 s.', fix };
  if (error instanceof ThreadCrashed) return { message: 'Reading it took more memory than is allowed.', fix };
  const why = error instanceof Error ? error.message.slice(0, 200) : String(error);
  return { message: `It could not be read: ${why}`, fix: 'Save it anew in its program, or upload it as text.' };
}

/** How a document is named among all that can be found. */
export function thingOf(id: string): { corpus: 'documents'; id: string } {
  return { corpus: 'documents', id: `doc:${id}` };
}

/** What is found of a document: its sections. */
export function entriesOf(
  {
    kind,
    title,
    tags,
    source,
    updatedAt,
  }: Pick<DocumentRow, 'kind' | 'title' | 'tags' | 'updatedAt'> & { source: string },
  document: ParsedDocument,
): Entry[] {
  return document.sections.map(({ id, heading, text }) => ({
    part: id,
    kind,
    title,
    section: heading,
    text,
    date: updatedAt,
    tags,
    customer: '',
    segment: '',
    source,
  }));
}
