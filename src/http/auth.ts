import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { ServiceError } from '../kernel/errors.ts';
import type { Allowance } from '../keys/keys.ts';
import type { Caller } from '../platform/operation/operation.ts';
import { raisingCommand } from '../platform/quotas.ts';
import type { Requester } from '../platform/rights.ts';
import type { WebEnv } from '../platform/web.ts';

/** Paths of MCP. There the credential is a Bearer API key and nothing else. */
const MCP_PATHS: readonly string[] = ['/v1/mcp', '/v1/mcp/sse'];

/** Paths on which the session of the web application counts as well. */
const SESSION_PATHS = /^\/v1\/api-keys(?:\/|$)/;

/** The length of the window of the rate limit. */
const RATE_WINDOW_SECONDS = 60;

/** The part of the keys that the edge needs. */
export interface KeyGate {
  /** The caller, or nothing for every secret that does not authenticate, whatever the reason. */
  authenticate(secret: string): Promise<Caller | undefined>;
  /** Takes one request from the key's rate limit. */
  take(keyId: string): Allowance;
  /** Takes one request from the limit of a product; undefined where products have none. */
  takeOfProduct(productId: string): Allowance | undefined;
  /** Notes a failed attempt; false when the address has failed too often in the last minute. */
  allowFailure(address: string): boolean;
  /** Counts one request for the key's usage, in memory. */
  count(keyId: string, operation: string, now: Date): void;
  /**
   * Calls the listener for keys that were deleted, regenerated or have expired, and which of their secrets that ends. Returns
   * the function that stops it.
   */
  onDead(listener: (keyId: string, secretId?: string) => void): () => void;
  /** Returns those of these keys that do not authenticate any more, read from the database. */
  deadAmong(keyIds: readonly string[]): Promise<readonly string[]>;
}

/** The person who may manage everything, and the product that their requests are about. */
interface Owner {
  accountId: string;
  productId: string;
  personId: string;
}

export interface AuthParts {
  gate: KeyGate;
  /**
   * Returns the owner with the product of that id or name, or the first, when this is the owner's token.
   *
   * @throws ServiceError `not_found` for an unknown product.
   */
  owner: (token: string, product: string | undefined) => Owner | undefined | Promise<Owner | undefined>;
  /** Returns the caller of a stream, when messages need no credential of their own (`SVC_SSE_POST_AUTH=session`). */
  streamOwner?: ((sessionId: string) => Caller | undefined) | undefined;
  /** Returns the person who is signed in to the web application, where that counts like a credential. */
  signedIn?: ((c: Context<WebEnv>) => Promise<Requester | undefined>) | undefined;
  now: () => Date;
}

/**
 * Identifies the requester before anything else about a request is checked; then the rate limit and the count. Headers are set
 * before the route runs, which costs a third of setting them after.
 *
 * @throws ServiceError `missing_credential`, `invalid_key`, `rate_limited`.
 */
export function authentication(parts: AuthParts): MiddlewareHandler<WebEnv> {
  return async (c, next) => {
    const requester = await identify(c, parts);
    c.set('requester', requester);
    if (requester.by !== 'key') return next();
    const { keyId } = requester;
    takeRequest(c, parts.gate, requester);
    await next();
    // The pattern of the route, not the path: names of counts must not grow with the ids in paths.
    parts.gate.count(keyId, c.get('operation') ?? `${c.req.method} ${routePath(c, -1)}`, parts.now());
  };
}

async function identify(c: Context<WebEnv>, parts: AuthParts): Promise<Requester> {
  const isMcp = MCP_PATHS.includes(c.req.path);
  const secret = readCredential(c, isMcp);
  if (secret === undefined) {
    const streamOwner = isMcp ? callerOfStream(c, parts) : undefined;
    if (streamOwner !== undefined) return { ...streamOwner, by: 'key' };
    const person = SESSION_PATHS.test(c.req.path) ? await parts.signedIn?.(c) : undefined;
    if (person !== undefined) return person;
    const misplacedKey = findMisplaced(c, isMcp);
    if (misplacedKey === undefined) throw missingKey(isMcp);
    if ((await authenticateSecret(c, parts, misplacedKey.secret)) !== undefined) throw wronglySent(misplacedKey, isMcp);
    throw misplacedKey.by === 'address' ? missingKey(isMcp) : invalid(isMcp);
  }
  const owner = isMcp ? undefined : await parts.owner(secret, c.req.query('product'));
  if (owner !== undefined) return requesterFor(owner);
  const caller = await authenticateSecret(c, parts, secret);
  if (caller !== undefined) return { ...caller, by: 'key' };
  throw invalid(isMcp);
}

/**
 * Returns the caller of a key; each unknown key is counted for the address that it came from. @throws ServiceError
 * `rate_limited`.
 */
async function authenticateSecret(
  c: Context<WebEnv>,
  { gate }: AuthParts,
  secret: string,
): Promise<Caller | undefined> {
  const caller = await gate.authenticate(secret);
  if (caller !== undefined || gate.allowFailure(c.var.address())) return caller;
  c.header('Retry-After', String(RATE_WINDOW_SECONDS));
  throw new ServiceError('rate_limited', 'Too many attempts with a bad API key came from this address.', {
    fix: 'Correct the API key and try again in a minute.',
  });
}

function requesterFor({ accountId, productId, personId }: Owner): Requester {
  return {
    by: 'owner',
    accountId,
    productId,
    keyId: personId,
    scopes: ['read', 'decisions:write', 'plans:write', 'scrape', 'keys:write'],
  };
}

/** The secret as it was sent: `Authorization: Bearer` everywhere, `X-API-Key` on REST only. */
function readCredential(c: Context<WebEnv>, isMcp: boolean): string | undefined {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
  const key = c.req.header('x-api-key');
  return bearer ?? (isMcp || key === undefined || /\s/.test(key) ? undefined : key);
}

/** Possible key that was sent in a way that does not count. */
interface Misplaced {
  secret: string;
  by: 'header' | 'address';
  fault: string;
}

/** Names under which clients put a key into the address. */
const ADDRESS_NAMES = ['api_key', 'apikey', 'api-key', 'key', 'token', 'access_token'];

function findMisplaced(c: Context<WebEnv>, isMcp: boolean): Misplaced | undefined {
  const authorization = c.req.header('authorization');
  if (authorization !== undefined) {
    const fault = 'the Authorization header must be the word Bearer followed by the key';
    return { secret: lastWord(authorization), by: 'header', fault };
  }
  const header = c.req.header('x-api-key');
  if (header !== undefined) {
    const fault = isMcp
      ? 'MCP does not accept the header X-API-Key'
      : 'the header X-API-Key contains more than the key';
    return { secret: lastWord(header), by: 'header', fault };
  }
  const secret = ADDRESS_NAMES.map((name) => c.req.query(name)).find((value) => value !== undefined);
  const fault = 'keys in the address are not accepted, because addresses end up in logs';
  return secret === undefined ? undefined : { secret: lastWord(secret), by: 'address', fault };
}

function lastWord(text: string): string {
  return text.trim().split(/\s+/).at(-1) ?? '';
}

/** The secret of a request that has passed `authentication` on an MCP path. */
export function bearerOf(c: Context<WebEnv>): string {
  return readCredential(c, true) ?? '';
}

/**
 * Returns the caller of an open stream. Only a message to one may come without a header, and only where the operator allows it.
 */
function callerOfStream(c: Context<WebEnv>, parts: AuthParts): Caller | undefined {
  const sessionId = c.req.query('sessionId');
  if (parts.streamOwner === undefined || sessionId === undefined || c.req.method !== 'POST') return undefined;
  if (c.req.header('authorization') !== undefined) return undefined;
  const caller = parts.streamOwner(sessionId);
  if (caller !== undefined) return caller;
  throw new ServiceError('not_found', 'There is no open stream with this sessionId.', {
    fix: 'Open a new stream with GET on this path and post to the address in its first event.',
  });
}

/**
 * Takes and counts the messages of a batch beyond the first, which is the request itself, as if each had come alone.
 *
 * @throws ServiceError `rate_limited`.
 */
export function takeBatch(
  c: Context<WebEnv>,
  { gate, now }: Pick<AuthParts, 'gate' | 'now'>,
  operations: readonly string[],
): void {
  const { keyId, productId } = c.get('requester');
  for (const operation of operations) {
    takeRequest(c, gate, { keyId, productId });
    gate.count(keyId, operation, now());
  }
}

/** Takes a request from the limit of the key, then from that of its product. */
function takeRequest(
  c: Context<WebEnv>,
  gate: KeyGate,
  { keyId, productId }: Pick<Requester, 'keyId' | 'productId'>,
): void {
  const key = gate.take(keyId);
  const product = key.allowed ? gate.takeOfProduct(productId) : undefined;
  const limits = [['key', key] as const, ...(product === undefined ? [] : [['product', product] as const])];
  c.header(
    'RateLimit-Policy',
    limits.map(([name, { limit }]) => `"${name}";q=${limit};w=${RATE_WINDOW_SECONDS}`).join(', '),
  );
  c.header(
    'RateLimit',
    limits.map(([name, { remaining, resetSeconds }]) => `"${name}";r=${remaining};t=${resetSeconds}`).join(', '),
  );
  const used = limits.find(([, { allowed }]) => !allowed);
  if (used === undefined) return;
  const [name, { limit, retryAfterSeconds }] = used;
  c.header('Retry-After', String(retryAfterSeconds));
  const who = name === 'key' ? 'This API key may make' : 'All API keys of this product may together make';
  const command = raisingCommand('requests', name === 'key' ? keyId : undefined);
  throw new ServiceError('rate_limited', `${who} ${limit} requests a minute.`, {
    fix: `Wait ${retryAfterSeconds} s, then try again, or have an owner or admin raise the limit: ${command}.`,
  });
}

function missingKey(isMcp: boolean): ServiceError {
  return new ServiceError('missing_credential', 'No API key was sent.', { fix: describeSending(isMcp) });
}

/** One error for every reason, so that it reveals nothing about which keys exist. */
function invalid(isMcp: boolean): ServiceError {
  return new ServiceError('invalid_key', 'The API key is unknown, expired, regenerated or deleted.', {
    fix: `${describeSending(isMcp)} Create a key with: svc key create --name <name>.`,
  });
}

/** Error for a requester whose key works; nobody else gets it. */
function wronglySent({ by, fault }: Misplaced, isMcp: boolean): ServiceError {
  const code = by === 'address' ? 'missing_credential' : 'invalid_key';
  return new ServiceError(code, `The API key is valid, but it was not sent correctly: ${fault}.`, {
    fix: describeSending(isMcp),
  });
}

function describeSending(isMcp: boolean): string {
  const header = '"Authorization: Bearer svc_live_…"';
  return isMcp ? `Send the header ${header}.` : `Send the header "X-API-Key: svc_live_…" or ${header}.`;
}
