import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES, type ErrorCode, ServiceError } from '../kernel/errors.ts';
import type { Config } from '../platform/config.ts';
import type { CommandScope, OpenService } from './command.ts';
import { type LocalAnswer, type LocalRequest, requestLocally } from './local-request.ts';

/** What a running service leaves for commands on its machine: mode 600, in the data folder, gone when it stops. */
export interface ServerFile {
  url: string;
  token: string;
  pid: number;
}

const ALIVE_LIMIT_MS = 2_000;

/** The way commands reach a service: the running one, or one opened in this process. Both answer the same REST routes. */
export interface Client {
  /** Says which one it is, for people. */
  where: string;
  /**
   * Sends a request and gives the JSON body of its answer.
   *
   * @throws ServiceError as the service answered.
   */
  send: <Body>(method: string, path: string, body?: unknown) => Promise<Body>;
  close: () => Promise<void>;
}

/** Path of the file that a running service leaves in its data folder. */
export function serverFilePath(dataDir: string): string {
  return join(dataDir, 'server.json');
}

/**
 * Finds the service that works on the configured data. Where none runs, the data is opened in this process, with the
 * parts that the command needs: `work` when it waits for a job.
 *
 * @throws ServiceError when the data is in use by a process that cannot be reached.
 */
export async function connect(
  scope: CommandScope,
  place: { dataDir: string; config: () => Promise<Config> },
  needs: { work: boolean },
): Promise<Client> {
  const running = await findRunning(place.dataDir);
  if (running !== undefined) {
    const send = sender((path, request) => requestOwned(running, path, request));
    return { where: `the service at ${running.url}`, send, close: () => Promise.resolve() };
  }
  const config = await place.config();
  const service = await scope.openService(config, { serve: false, work: needs.work });
  const where = config.databaseUrl === undefined ? config.dataDir : 'the database server';
  return { where: `no service runs; opened ${where}`, send: sender(service.request), close: service.close };
}

/** A client of the service that this process itself runs. */
export function inProcess(service: OpenService): Client {
  return { where: 'this process', send: sender(service.request), close: service.close };
}

/** The service that works on this data folder, when it answers. */
export async function findRunning(dataDir: string): Promise<ServerFile | undefined> {
  let text: string;
  try {
    text = readFileSync(serverFilePath(dataDir), 'utf8');
  } catch {
    return undefined;
  }
  const found = parseJson(text);
  if (!isServerFile(found)) return undefined;
  // A service that was killed leaves the file, and another one may have its port since: only ours knows the token.
  const signal = AbortSignal.timeout(ALIVE_LIMIT_MS);
  const request = { method: 'GET', headers: {}, signal };
  try {
    const answer = await requestOwned(found, '/v1/api-keys', request);
    await answer.text();
    return answer.ok ? found : undefined;
  } catch {
    return undefined;
  }
}

async function requestOwned({ url, token }: ServerFile, path: string, request: LocalRequest): Promise<LocalAnswer> {
  try {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    return await requestLocally(new URL(path, url), { ...request, headers });
  } catch (cause) {
    throw new ServiceError('upstream_failed', `The service at ${url} no longer answers.`, {
      fix: 'Check its output for why it ended, start it again, and repeat the command.',
      cause,
    });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sender(request: (path: string, request: LocalRequest) => Promise<LocalAnswer>): Client['send'] {
  return async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const response = await request(path, { method, ...contentOf(body) });
    const text = await response.text();
    if (!response.ok) throw failure(response.status, text);
    // The routes and the commands are built and tested together.
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  };
}

/** Bytes go as they are, anything else as JSON. */
function contentOf(body: unknown): Pick<LocalRequest, 'headers' | 'body'> {
  if (body === undefined) return { headers: {} };
  if (body instanceof Uint8Array)
    return { body: new Uint8Array(body), headers: { 'content-type': 'application/octet-stream' } };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/** A service that was cut off may leave half a file. */
function isServerFile(found: unknown): found is ServerFile {
  return hasTexts(found, ['url', 'token']);
}

/** Whether it is an object with text in these fields. */
function hasTexts<Field extends string>(value: unknown, fields: readonly Field[]): value is Record<Field, string> {
  if (typeof value !== 'object' || value === null) return false;
  const texts = new Map<string, unknown>(Object.entries(value));
  return fields.every((field) => typeof texts.get(field) === 'string');
}

function failure(status: number, text: string): Error {
  const body = parseJson(text);
  const error: unknown = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  if (!hasTexts(error, ['code', 'message', 'fix']))
    return new Error(`The service answered ${status}: ${text.slice(0, 200)}`);
  const { code, message, fix } = error;
  return new ServiceError(isErrorCode(code) ? code : 'internal', message, { fix });
}

function isErrorCode(code: string): code is ErrorCode {
  return code in ERROR_CODES;
}
