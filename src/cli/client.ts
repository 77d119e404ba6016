import { isErrorCode, ServiceError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import { visible } from '../kernel/visible.ts';
import type { Config } from '../platform/config.ts';
import { type DataPlaces, hasData } from '../platform/data-dir.ts';
import { ownCommand } from './own-command.ts';
import type { CommandContext, OpenService } from './command.ts';
import { readLogin } from './login.ts';
import { request as requestService, type ServiceAnswer, type ServiceRequest } from './request.ts';
import { readServerFile, type ServerFile } from './server-file.ts';

const ALIVE_LIMIT_MS = 2_000;
const NOT_MODIFIED = 304;
const UNAUTHORIZED = 401;

/** A content, and the tag that it is known by. */
interface Tagged {
  text: string;
  etag: string | undefined;
}

/**
 * The connection of commands to a service: the one that runs on the data, the one of `svc login`, or one opened in this
 * process. All answer the same REST routes.
 */
export interface Client {
  /** Says which one it is, for people. */
  where: string;
  /** True if it is the service of `svc login`, with a key; else the owner's token is sent. */
  isLogin: boolean;
  /** The data folder of a service on this machine. */
  dataDir?: string;
  /**
   * Sends a request and gives the JSON body of its answer.
   *
   * @throws ServiceError as the service answered.
   */
  send: <Body>(method: string, path: string, body?: unknown) => Promise<Body>;
  /** Sends a request and gives the text form of its answer. @throws ServiceError as the service answered. */
  text: (method: string, path: string, body?: unknown) => Promise<string>;
  /**
   * The content at a path; undefined when it is still the one with the tag `known`.
   *
   * @throws ServiceError as the service answered.
   */
  get: (path: string, cachedEtag?: string) => Promise<Tagged | undefined>;
  /** The content at a path as it comes, and its tag. @throws ServiceError as the service answered. */
  download: (path: string) => Promise<{ content: AsyncIterable<Uint8Array>; etag: string | undefined }>;
  /**
   * Sends a request and gives its answer, whatever its status.
   *
   * @throws ServiceError `upstream_failed` when the service cannot be reached.
   */
  request: (path: string, request: ServiceRequest) => Promise<ServiceAnswer>;
  close: () => Promise<void>;
}

/** Requirements of a command on the service that it calls. */
export interface ClientNeeds {
  /** True if it waits for a job. */
  work?: boolean;
  /** True if it adds something, so data is made where there is none. A command that only reads never makes any. */
  creates?: boolean;
}

/**
 * Folders and settings in which a command looks for its service. `isExplicit`: the folder was named with a flag, and the login
 * does not count.
 */
interface ClientPlaces extends DataPlaces {
  isExplicit: boolean;
  config: () => Promise<Config>;
}

type ClientContext = Pick<CommandContext, 'configDir' | 'openService' | 'err'>;

/**
 * Finds the service of this user, the one function for all commands: the one that runs on the data folder, that of `svc
 * login`, or one that runs on another data folder of this user. Where there is none, the data is opened in this process,
 * with the parts that the command needs.
 *
 * @throws ServiceError when the data is in use by a process that cannot be reached; `upstream_failed` when there is neither
 * a service nor data, and the command adds nothing.
 */
export async function connect(context: ClientContext, places: ClientPlaces, needs: ClientNeeds): Promise<Client> {
  const { server, refused } = readServerFile(places.dataDir);
  if (refused !== undefined) context.err(`(${visible(refused)}: not used)\n`);
  if (server !== undefined && isProcess(server.pid))
    return clientOfProcess({ ...server, dataDir: places.dataDir }, () => probeAndConnect(context, places, needs));
  return probeAndConnect(context, places, needs);
}

/** Connects as `connect` does, but checks that a service on the data answers before it is chosen. */
async function probeAndConnect(context: ClientContext, places: ClientPlaces, needs: ClientNeeds): Promise<Client> {
  const { dataDir } = places;
  const running = await findRunning(dataDir);
  if (running !== undefined) return clientOfServer({ ...running, dataDir });
  const login = places.isExplicit ? undefined : readLogin(context.configDir);
  if (login !== undefined) return remoteClient(login);
  for (const other of places.others) {
    const server = await findRunning(other);
    if (server !== undefined) return clientOfServer({ ...server, dataDir: other });
  }
  const config = await places.config();
  const isEmbedded = config.databaseUrl === undefined;
  if (needs.creates !== true && isEmbedded && !hasData(dataDir)) {
    throw new ServiceError('upstream_failed', `No service runs here, and there is no data in ${dataDir}.`, {
      fix: `Start one with: ${ownCommand('up')}, or sign in to another with: ${ownCommand('login <address>')}.`,
    });
  }
  const service = await context.openService(config, { serve: false, work: needs.work === true });
  const where = isEmbedded ? config.dataDir : 'the database server';
  return { ...clientOf(`no service runs; opened ${where}`, service.request, service.close), dataDir };
}

/** A service that runs on a data folder of this machine. */
interface LocalServer extends ServerFile {
  dataDir: string;
}

function clientOfServer(server: LocalServer): Client {
  const client = clientOf(`the service at ${server.url}`, (path, request) => requestWith(server, path, request));
  return { ...client, dataDir: server.dataDir };
}

/**
 * A client of a service whose process lives, which saves asking for it. A process of that number may be another one: then the first
 * request is not answered, and goes where `otherwise` leads.
 */
function clientOfProcess(server: LocalServer, otherwise: () => Promise<Client>): Client {
  const first = clientOfServer(server);
  let isOurs = false;
  let other: Promise<Client> | undefined;
  const request: Client['request'] = async (path, given) => {
    if (isOurs) return first.request(path, given);
    if (other === undefined) {
      const answer = await first.request(path, given).catch((error: unknown) => {
        if (error instanceof ServiceError && error.code === 'upstream_failed') return undefined;
        throw error;
      });
      isOurs = answer !== undefined && answer.status !== UNAUTHORIZED;
      if (answer !== undefined && isOurs) return answer;
    }
    return (await (other ??= otherwise())).request(path, given);
  };
  return { ...clientOf(first.where, request, async () => (await other)?.close()), dataDir: server.dataDir };
}

function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // None, or one of another user: a request decides.
    return false;
  }
}

/** A client of the service that this process itself runs. */
export function inProcess(service: OpenService): Client {
  return clientOf('this process', service.request, service.close);
}

/** A client of the service at an address, with an API key. */
export function remoteClient(login: { url: string; key: string }): Client {
  const client = clientOf(`the service at ${login.url}`, (path, request) => requestWith(login, path, request));
  return { ...client, isLogin: true };
}

function clientOf(where: string, request: Client['request'], close: Client['close'] = () => Promise.resolve()): Client {
  const get: Client['get'] = async (path, cachedEtag) => {
    const headers = cachedEtag === undefined ? {} : { 'if-none-match': cachedEtag };
    const answer = await request(path, { method: 'GET', headers });
    const text = await answer.text();
    if (answer.status === NOT_MODIFIED) return undefined;
    if (!answer.ok) throw failure(answer.status, text);
    return { text, etag: answer.headers.get('etag') ?? undefined };
  };
  const download: Client['download'] = async (path) => {
    const answer = await request(path, { method: 'GET', headers: {} });
    if (!answer.ok || answer.body === null) throw failure(answer.status, await answer.text());
    return { content: answer.body, etag: answer.headers.get('etag') ?? undefined };
  };
  const text: Client['text'] = (method, path, body) => readText(request, method, path, { body, accept: 'text/plain' });
  return { where, isLogin: false, send: sender(request), text, get, download, request, close };
}

/** The service that works on this data folder, when it answers. */
export async function findRunning(dataDir: string): Promise<ServerFile | undefined> {
  const { server } = readServerFile(dataDir);
  if (server === undefined) return undefined;
  // A service that was killed leaves the file, and another one may have its port since: only ours knows the token.
  const signal = AbortSignal.timeout(ALIVE_LIMIT_MS);
  const request = { method: 'GET', headers: {}, signal };
  try {
    const answer = await requestWith(server, '/v1/api-keys', request);
    await answer.text();
    return answer.ok ? server : undefined;
  } catch {
    return undefined;
  }
}

async function requestWith(
  { url, ...credential }: { url: string } & ({ token: string } | { key: string }),
  path: string,
  given: ServiceRequest,
): Promise<ServiceAnswer> {
  const secret = 'token' in credential ? credential.token : credential.key;
  try {
    const headers = { authorization: `Bearer ${secret}`, ...given.headers };
    // The service may be below a path of its address.
    return await requestService(new URL(`${url.replace(/\/$/, '')}${path}`), { ...given, headers });
  } catch (cause) {
    if (given.signal?.aborted === true) throw cause;
    throw new ServiceError('upstream_failed', `The service at ${url} does not answer.`, {
      fix: 'Check whether it runs and can be reached from here, and repeat the command.',
      cause,
    });
  }
}

function sender(request: Client['request']): Client['send'] {
  return async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const text = await readText(request, method, path, { body });
    // The routes and the commands are built and tested together.
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  };
}

async function readText(
  request: Client['request'],
  method: string,
  path: string,
  { accept, body }: { accept?: string; body: unknown },
): Promise<string> {
  const { headers, ...content } = contentOf(body);
  const response = await request(path, {
    method,
    headers: { ...headers, ...(accept !== undefined && { accept }) },
    ...content,
  });
  const text = await response.text();
  if (!response.ok) throw failure(response.status, text);
  return text;
}

/** Bytes go as they are, anything else as JSON. */
function contentOf(body: unknown): Pick<ServiceRequest, 'headers' | 'body'> {
  if (body === undefined) return { headers: {} };
  if (body instanceof Uint8Array)
    return { body: new Uint8Array(body), headers: { 'content-type': 'application/octet-stream' } };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/** True if it is an object with text in these fields. */
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
