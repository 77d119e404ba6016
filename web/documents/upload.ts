import { useState } from 'react';
import { useChanges } from '../action.ts';
import { ApiError, failureOf } from '../api.ts';
import { fixText } from '../fix.ts';
import type { Uploaded } from '../knowledge/queries.ts';

/** Number of files that are sent at the same time. */
const AT_ONCE = 3;

/** A file on its way, or what became of it. */
export interface Upload {
  id: number;
  name: string;
  sizeBytes: number;
  state: 'queued' | 'sending' | Uploaded['documents'][number]['outcome'];
  /** 0..1. */
  sent: number;
  /** Reason why it was refused or did not arrive. */
  reason: string;
}

interface Uploads {
  uploads: readonly Upload[];
  isBusy: boolean;
  add: (files: readonly File[]) => void;
  /** Takes those off the list that are at their end. */
  clear: () => void;
}

/** Sends files one by one, so that each has its own progress and its own outcome. */
export function useUploads(): Uploads {
  const { path, refresh } = useChanges();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const change = (id: number, fields: Partial<Upload>): void =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)));

  async function sendOne({ id, file }: { id: number; file: File }): Promise<void> {
    change(id, { state: 'sending' });
    try {
      const url = `/app/api/${path('documents', { name: nameOf(file) })}`;
      const { documents } = await sendFile(url, file, (sent) => change(id, { sent }));
      const [result] = documents;
      const reason = result?.error == null ? '' : `${result.error.message} ${fixText(result.error.fix)}`;
      change(id, { state: result?.outcome ?? 'refused', sent: 1, reason });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      change(id, { state: 'refused', sent: 1, reason: `${error.message} ${fixText(error.fix)}` });
    }
  }

  async function sendAll(files: readonly File[]): Promise<void> {
    const waiting = files.map((file) => ({ id: crypto.getRandomValues(new Uint32Array(1))[0] ?? 0, file }));
    const added = waiting.map(({ id, file }) => ({
      id,
      name: nameOf(file),
      sizeBytes: file.size,
      state: 'queued' as const,
      sent: 0,
      reason: '',
    }));
    setUploads((all) => [...all, ...added]);
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await sendOne(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await refresh('documents', 'document');
  }

  return {
    uploads,
    isBusy: uploads.some(isPending),
    add: (files) => void sendAll(files),
    clear: () => setUploads((all) => all.filter(isPending)),
  };
}

export function isPending({ state }: Upload): boolean {
  return state === 'queued' || state === 'sending';
}

/** The path below the chosen folder, else the file name. */
function nameOf(file: File): string {
  return file.webkitRelativePath === '' ? file.name : file.webkitRelativePath;
}

/**
 * Sends a file as the body. `fetch` does not tell how much of a body has left, so this is the older way.
 *
 * @throws ApiError
 */
function sendFile(url: string, file: File, onProgress: (sent: number) => void): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener('load', () => {
      const answer: unknown = request.response;
      if (request.status >= 200 && request.status < 300) resolve(answer as Uploaded);
      else reject(failureOf(request.status, answer));
    });
    request.addEventListener('error', () => {
      reject(
        new ApiError({
          status: 0,
          code: 'unreachable',
          message: 'The upload failed.',
          fix: 'Check that the file is still there and that the service runs, then try again.',
        }),
      );
    });
    request.send(file);
  });
}
