import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import { ownCommand } from './own-command.ts';
import { writePrivateFile } from '../platform/private-files.ts';

/** A service that commands talk to where none runs on their data. */
interface Login {
  /** Its address, without a slash at the end. */
  url: string;
  key: string;
}

const LONGEST_KEY = 1_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?:[:/]|$)/i;

function loginPath(configDir: string): string {
  return join(configDir, 'login.json');
}

/**
 * The service that this user signed in to.
 *
 * @throws ServiceError when the file is not what `svc login` writes.
 */
export function readLogin(configDir: string): Login | undefined {
  const path = loginPath(configDir);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const { url, key } = JSON.parse(text) as Partial<Login>;
    if (typeof url === 'string' && typeof key === 'string') return { url, key };
  } catch {
    // Reported below.
  }
  throw new ServiceError('bad_argument', `${path} is damaged.`, {
    fix: `Sign in again: ${ownCommand('login <address>')}`,
  });
}

/** Stores a service for this user's commands. No other user may read the file. */
export function writeLogin(configDir: string, login: Login): void {
  const path = loginPath(configDir);
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  writePrivateFile(`${path}.${process.pid}`, `${JSON.stringify(login)}\n`);
  renameSync(`${path}.${process.pid}`, path);
}

/** Forgets the service. False when there was none. */
export function forgetLogin(configDir: string): boolean {
  try {
    rmSync(loginPath(configDir));
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the address of a service in its stored form.
 *
 * @throws ServiceError `bad_argument` for a text that is no http address, and for one with a password in it.
 */
export function serviceAddress(text: string): string {
  const scheme = LOOPBACK.test(text) ? 'http' : 'https';
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`);
  const fix = 'Use the address of the service, such as https://svc.example.com.';
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new ServiceError('bad_argument', `"${text}" is not an http address.`, { fix });
  if (url.username !== '' || url.password !== '')
    throw new ServiceError('bad_argument', 'The address has a name or password in it.', { fix });
  // What clients are given as an address of a tool is understood as well.
  return `${url.origin}${url.pathname}`.replace(/\/(?:v1(?:\/mcp(?:\/sse)?)?\/?)?$/, '');
}

/** Returns the first line of the input: source of a key that must not appear in the list of processes. */
export async function keyFrom(input: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of input) {
    text += Buffer.from(piece).toString('utf8');
    if (text.includes('\n') || text.length > LONGEST_KEY) break;
  }
  const key = text.split('\n')[0]?.trim() ?? '';
  if (key !== '') return key;
  throw new ServiceError('bad_argument', 'No API key was given.', {
    fix: 'Type or paste it, pipe it in, or pass --key.',
  });
}
