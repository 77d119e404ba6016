import { createReadStream } from 'node:fs';
import type { Tenant } from '../kernel/tenant.ts';
import { dropStaged, type Entry, putStaged, stageEntries } from '../knowledge/knowledge.ts';
import type { Documents } from './context.ts';
import { entriesOf, type ReadFile, readFileInProcess, type ReadResult, sectionsOfFile, thingOf } from './read-file.ts';
import { type DocumentRow, selectWaiting, setFailed, setReady } from './store.ts';
import { saveUploads, type UploadOutcome } from './upload.ts';

/** Documents that are taken up at a time. */
const BATCH = 20;

/**
 * Reads all documents of a product that wait, with what archives among them hold, until none is left. Safe twice and
 * after a crash: what was read is not read again, and files of an archive that were taken out already are unchanged.
 *
 * @throws the signal's reason when it stops.
 */
export async function readWaiting(documents: Documents, tenant: Tenant, signal: AbortSignal): Promise<void> {
  for (;;) {
    const waiting = await selectWaiting(documents.db, tenant, BATCH);
    if (waiting.length === 0) return;
    await Promise.all(waiting.map((row) => readOne(documents, tenant, row, signal)));
  }
}

async function readOne(documents: Documents, tenant: Tenant, row: DocumentRow, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const file = { name: row.name, content: await documents.blobs.path(row.hash) };
  await readFileInProcess(documents, file, signal, async (result) => {
    if ('error' in result) await setFailed(documents.db, tenant, row, result.error);
    else if (result.type === 'zip') await takeFiles(documents, tenant, { row, ...result }, signal);
    else await saveText(documents, tenant, row, result);
  });
}

/**
 * The text of the document becomes findable in the transaction that says so. A long one is kept before, piece by piece:
 * nobody waits for all of it.
 */
async function saveText({ db }: Documents, tenant: Tenant, row: DocumentRow, file: ReadFile): Promise<void> {
  const title = file.title === '' ? row.name : file.title;
  const tags = [...new Set([...row.tags, ...file.tags])];
  const thing = thingOf(row.id);
  const size = await stageEntries(db, tenant, thing, entryBatches({ ...row, title, tags, source: row.name }, file));
  await db.transaction().execute(async (tx) => {
    const isSaved = await setReady(tx, tenant, row, {
      title,
      type: file.type,
      tags,
      sections: file.count,
      problems: [],
    });
    if (isSaved) await putStaged(tx, tenant, thing, size);
    else await dropStaged(tx, tenant, thing);
  });
}

async function* entryBatches(row: Parameters<typeof entriesOf>[0], file: ReadFile): AsyncGenerator<Entry[]> {
  for await (const sections of sectionsOfFile(file)) yield entriesOf(row, sections);
}

/** Keeps the files of an archive as uploads of their own, named by the archive and their path in it. */
async function takeFiles(
  documents: Documents,
  tenant: Tenant,
  { row, files, problems }: { row: DocumentRow } & Extract<ReadResult, { type: 'zip' }>,
  signal: AbortSignal,
): Promise<void> {
  const refused: UploadOutcome[] = [];
  const request = { ...tenant, actor: row.updatedBy, tags: row.tags };
  for (const { name, file } of files) {
    signal.throwIfAborted();
    if (/\.zip$/i.test(name)) {
      const error = { code: 'bad_argument', message: 'An archive in an archive is not unpacked.', fix: '' };
      refused.push({ name, outcome: 'refused', error });
      continue;
    }
    const upload = { name: `${row.name}/${name}`, content: createReadStream(file) };
    refused.push(
      ...(await saveUploads(documents, request, [upload])).filter((outcome) => outcome.outcome === 'refused'),
    );
  }
  const refusals = refused.flatMap((outcome) =>
    outcome.outcome === 'refused' ? [{ name: outcome.name, reason: outcome.error.message }] : [],
  );
  await setReady(documents.db, tenant, row, {
    title: row.name,
    type: 'zip',
    tags: row.tags,
    sections: 0,
    problems: [...problems, ...refusals],
  });
}
