import { type ProductRequest, recordAudit } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import { uuidv7 } from '../kernel/ids.ts';
import type { Content, ReceivedContent } from '../platform/blobs.ts';
import { FILE_BYTES } from '../platform/archive.ts';
import type { Documents } from './context.ts';
import {
  announceBlob,
  type DocumentRow,
  holdBlob,
  insertVersion,
  lockUpload,
  setWaiting,
  upsertDocument,
} from './store.ts';

/** Longest name of an upload. */
const NAME_CHARACTERS = 400;

export interface UploadFile {
  /** With `/` between folders. */
  name: string;
  /** Read once, before the next file. */
  content: Content;
}

interface UploadRequest extends ProductRequest {
  tags: readonly string[];
}

/** Outcome of one file of an upload. */
export type UploadOutcome =
  | { name: string; outcome: 'added' | 'new_version' | 'unchanged'; document: DocumentRow }
  | { name: string; outcome: 'refused'; error: { code: string; message: string; fix: string } };

interface Received {
  name: string;
  content: ReceivedContent;
}

/**
 * Keeps files, in order; they are read by a job afterwards. A name that is there already gets a new version, the same
 * content again changes nothing. What cannot be kept is refused alone; when `files` throws, nothing is kept.
 */
export async function saveUploads(
  documents: Documents,
  request: UploadRequest,
  files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
): Promise<UploadOutcome[]> {
  await documents.requireRoom?.(request);
  const received: Received[] = [];
  try {
    for await (const { name, content } of files) {
      received.push({ name, content: await documents.blobs.receive(firstOf(content, FILE_BYTES + 1)) });
    }
    const outcomes: UploadOutcome[] = [];
    for (const file of received) outcomes.push(await saveUpload(documents, request, file));
    return outcomes;
  } finally {
    for (const { content } of received) await content.discard();
  }
}

/** The pieces up to the one in which that many bytes are reached; the rest is read too, and left out. */
async function* firstOf(content: Content, bytes: number): AsyncGenerator<Uint8Array> {
  let remaining = bytes;
  for await (const piece of content) {
    if (remaining > 0) yield piece;
    remaining -= piece.byteLength;
  }
}

async function saveUpload(documents: Documents, request: UploadRequest, file: Received): Promise<UploadOutcome> {
  try {
    const name = uploadName(file.name);
    if (file.content.sizeBytes > FILE_BYTES) {
      throw new ServiceError('too_large', `${name} is larger than 50 MB.`, { fix: 'Upload it in smaller parts.' });
    }
    return { name, ...(await keep(documents, request, { ...file, name })) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, fix } = error;
    return { name: file.name.slice(0, NAME_CHARACTERS), outcome: 'refused', error: { code, message, fix } };
  }
}

async function keep(
  { db, now }: Documents,
  request: UploadRequest,
  { name, content }: Received,
): Promise<{ outcome: 'added' | 'new_version' | 'unchanged'; document: DocumentRow }> {
  const at = now();
  const { hash, sizeBytes } = content;
  await announceBlob(db, request, hash, at);
  await content.keep();
  return db.transaction().execute(async (tx) => {
    const existing = await lockUpload(tx, request, name);
    await holdBlob(tx, request, hash);
    if (existing?.hash === hash) {
      if (existing.status === 'failed') await setWaiting(tx, request, existing.id);
      return { outcome: 'unchanged', document: existing };
    }
    const document = await upsertDocument(tx, request, {
      id: uuidv7(at),
      kind: 'upload',
      name,
      repository: '',
      tags: [...request.tags],
      hash,
      sizeBytes,
      updatedAt: at,
      updatedBy: request.actor,
    });
    await insertVersion(tx, request, document);
    const { accountId, actor } = request;
    const detail = { name, version: document.version };
    await recordAudit(tx, { accountId, actor, action: 'document.save', target: document.id, at, detail });
    return { outcome: document.version === 1 ? 'added' : 'new_version', document };
  });
}

/** @throws ServiceError `bad_argument` for a name that cannot be shown or is none. */
function uploadName(text: string): string {
  const name = text
    .normalize('NFC')
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join('/');
  if (name !== '' && name.length <= NAME_CHARACTERS && !/\p{Cc}/u.test(name)) return name;
  throw new ServiceError('bad_argument', `"${text.slice(0, 80)}" is not a valid name for a document.`, {
    fix: `Give the file a name of 1 to ${NAME_CHARACTERS} characters without control characters.`,
  });
}
