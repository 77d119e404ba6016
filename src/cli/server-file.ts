import { networkInterfaces, hostname as machineName } from 'node:os';
import { join } from 'node:path';
import { parseJson } from '../kernel/json.ts';
import { readPrivateFile } from '../platform/private-files.ts';

/** File of a running service for commands on its machine: mode 600, in the data folder, gone when it stops. */
export interface ServerFile {
  /** An address of this machine, whatever `SVC_BASE_URL` says: commands call it directly. */
  url: string;
  token: string;
  pid: number;
}

/** Result of reading the file of a data folder. `refused` says why its file is not used, although there is one. */
interface ServerFileReading {
  server?: ServerFile;
  refused?: string;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** Path of the file that a running service leaves in its data folder. */
export function serverFilePath(dataDir: string): string {
  return join(dataDir, 'server.json');
}

/**
 * The service that its file names; it may be gone. Commands send documents and questions to the address in it, so a file
 * that anybody else may have written is not used: one that a repository brought along, above all.
 */
export function readServerFile(dataDir: string): ServerFileReading {
  const path = serverFilePath(dataDir);
  const { text, refused } = readPrivateFile(path);
  if (refused !== undefined) return { refused };
  // A service that was cut off may leave half a file.
  const server = text === undefined ? undefined : parseJson(text);
  if (!isServerFile(server)) return {};
  if (isOfThisMachine(server.url)) return { server };
  return { refused: `${path} names ${server.url}, which is no address of this machine` };
}

/** True if requests to the address stay on this machine, by the address alone: no name is resolved. */
function isOfThisMachine(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false;
  const host = url.hostname.replaceAll(/^\[|\]$/g, '').toLowerCase();
  if (LOOPBACK.test(host) || host === machineName().toLowerCase()) return true;
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return own.some((entry) => entry.address.toLowerCase() === host);
}

function isServerFile(value: unknown): value is ServerFile {
  if (typeof value !== 'object' || value === null) return false;
  const { url, token, pid } = value as Partial<Record<keyof ServerFile, unknown>>;
  return typeof url === 'string' && typeof token === 'string' && typeof pid === 'number';
}
