import { renameSync, rmSync } from 'node:fs';
import { readPrivateFile, writePrivateFile } from '../platform/private-files.ts';
import { findRunning } from './client.ts';
import { type ServerFile, serverFilePath } from './server-file.ts';

/** Writes the file by which commands on this machine find the service. Returns the function that removes it. */
export function announceServer(dataDir: string, server: ServerFile): () => Promise<void> {
  const path = serverFilePath(dataDir);
  const text = JSON.stringify(server);
  const { text: before } = readPrivateFile(path);
  replacePrivately(path, text);
  return async () => {
    // On a server several processes may share the folder: the file is the one that started last's.
    if (readPrivateFile(path).text !== text) return;
    if (before !== undefined) replacePrivately(path, before);
    // The one before may serve still; one that was killed did not remove its file.
    if (before === undefined || (await findRunning(dataDir)) === undefined) rmSync(path, { force: true });
  };
}

/** Replaces a private file in one step: a command that reads it at this moment finds it whole. */
function replacePrivately(path: string, text: string): void {
  writePrivateFile(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}
