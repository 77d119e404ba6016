import { isSameSecret } from '../platform/secrets.ts';
import {
  createMcpHandler,
  InMemoryServerEventBus,
  isJSONRPCNotification,
  type AuthInfo,
  type McpHttpHandler,
  type Server,
} from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import { createHmac, randomBytes } from 'node:crypto';
import type { Caller } from '../platform/operation/operation.ts';
import { acceptingBoth, answerFormOf, findHeaderFault, inJson } from './content-negotiation.ts';
import { answerPlainly, plainRequestIn } from './json-exchange.ts';
import { methodOf } from './messages.ts';
import { type CancelledCall, RunningCalls } from './running-calls.ts';
import { describeProduct, toolServer, type ToolTable } from './server.ts';
import type { StreamRelay } from './stream-relay.ts';

/** Agents and workflows: they run long, so bytes must flow before they are done. */
const LONG_RUNNING = /^(?:ask|run)_/;
const DRAIN_STEP_MS = 20;
/** Status of an answer that nobody reads. */
const CLIENT_LEFT = 499;
/** Methods that introduce a client, in the revisions of 2025 and 2026. */
const INTRODUCTIONS: readonly (string | undefined)[] = ['initialize', 'server/discover'];
/** Answered by a stream that stays open. */
const SUBSCRIPTION = 'subscriptions/listen';

/** Session ids whose tag was checked, so that the next request does not compute it again. */
const MOST_CHECKED = 10_000;

/** An answer as the text of one JSON document, with status 200: making a response of the web of it costs more than most calls. */
export interface JsonAnswer {
  jsonText: string;
}

/** A POST, GET or DELETE of the Streamable HTTP transport, authenticated. */
interface McpRequest {
  request: Request;
  caller: Caller;
  /** The API key as it was sent; it signs the session id. */
  secret: string;
  /** The parsed body of a POST: a message, or a batch that `findBatchFault` has passed. */
  body: unknown;
}

/**
 * Streamable HTTP for the revisions of 2025 and of 2026-07-28, without state between requests. Clients of 2025 get a signed
 * session id all the same: it is how their cancellations find the call, on whichever replica it runs.
 */
export class StreamableHttp {
  readonly #table: ToolTable;
  readonly #relay: Pick<StreamRelay, 'cancel'> | undefined;
  readonly #calls = new RunningCalls();
  /** Id of the key and of its secret by the session id that was made with it. */
  readonly #checked = new LRUCache<string, string>({ max: MOST_CHECKED });
  readonly #quick: McpHttpHandler;
  readonly #streaming: McpHttpHandler;

  /** `relay` is the way to calls on other replicas. */
  constructor(table: ToolTable, relay?: Pick<StreamRelay, 'cancel'>) {
    this.#table = table;
    this.#relay = relay;
    const { log } = table.serving;
    const options = {
      bus: new InMemoryServerEventBus(),
      onerror: (error: Error) => log.debug({ err: error }, 'an MCP request was refused'),
    };
    const factory = ({ authInfo, requestInfo }: { authInfo?: AuthInfo; requestInfo?: Request }) =>
      this.#serverOf(authInfo, requestInfo);
    // In its `auto` mode the SDK sends nothing until the call ends, unless it notifies; a long one would look dead.
    this.#quick = createMcpHandler(factory, options);
    this.#streaming = createMcpHandler(factory, { ...options, responseMode: 'sse' });
  }

  /** The answer to a POST whose headers rule out any other; undefined for one whose body can be read. */
  refuse(request: Request): Response | undefined {
    const fault = findHeaderFault(request.headers);
    return fault && rpcError(fault.status, -32_000, fault.message);
  }

  /**
   * Answers one request whose headers `refuse` has passed. Faults are reported as the protocol requires; only bugs are thrown.
   */
  async handle({ request, caller, secret, body }: McpRequest): Promise<Response | JsonAnswer> {
    const isIntroduction = INTRODUCTIONS.includes(methodOf(body));
    const product = isIntroduction ? await describeProduct(this.#table, caller) : undefined;
    const authInfo = { token: secret, clientId: caller.keyId, scopes: [...caller.scopes], extra: { caller, product } };
    if (request.method !== 'POST') return this.#quick.fetch(request, { authInfo });

    const sessionId = request.headers.get('mcp-session-id');
    if (sessionId !== null && !this.#isSessionOf(sessionId, caller, secret))
      return rpcError(
        404,
        -32_001,
        'There is no such session for this API key. Send initialize again without Mcp-Session-Id.',
      );
    const isBatch = Array.isArray(body);
    const messages: unknown[] = isBatch ? body : [body];
    const remaining = messages.filter((message) => !this.#cancelled(message, caller, sessionId));
    if (remaining.length === 0) return new Response(null, { status: 202 });
    const response = await this.#answer(request, authInfo, isBatch ? remaining : remaining[0]);
    if (methodOf(body) === 'initialize' && !('jsonText' in response) && response.ok)
      response.headers.set('mcp-session-id', newSessionId(secret));
    return response;
  }

  /** Answers what is not a cancellation, in the form that the client accepts. */
  async #answer(request: Request, authInfo: AuthInfo, parsedBody: unknown): Promise<Response | JsonAnswer> {
    const form = answerFormOf(request.headers.get('accept'));
    if (form === 'json' && methodOf(parsedBody) === SUBSCRIPTION)
      return rpcError(406, -32_000, `${SUBSCRIPTION} is answered by a stream; send Accept: text/event-stream.`);
    const isLong = LONG_RUNNING.test(request.headers.get('mcp-name') ?? nameOfTool(parsedBody));
    // A stream costs more than most calls.
    const plain =
      form === 'stream' || (form === 'either' && isLong) ? undefined : await plainRequestIn(request, parsedBody);
    if (plain !== undefined) {
      const answer = await answerPlainly(this.#serverOf(authInfo, request), plain, { request, authInfo });
      return answer === undefined ? new Response(null, { status: CLIENT_LEFT }) : { jsonText: JSON.stringify(answer) };
    }
    const handler = form === 'stream' || (form === 'either' && isLong) ? this.#streaming : this.#quick;
    const response = await handler.fetch(acceptingBoth(request), { authInfo, parsedBody });
    return form === 'json' ? inJson(response, Array.isArray(parsedBody)) : response;
  }

  #isSessionOf(sessionId: string, { keyId, secretId }: Caller, secret: string): boolean {
    const owner = `${keyId} ${secretId}`;
    if (secretId !== undefined && this.#checked.get(sessionId) === owner) return true;
    if (!isSessionOf(sessionId, secret)) return false;
    this.#checked.set(sessionId, owner);
    return true;
  }

  #serverOf(authInfo: AuthInfo | undefined, request: Request | undefined): Server {
    return toolServer(this.#table, {
      caller: callerOf(authInfo),
      product: authInfo?.extra?.['product'] as string | undefined,
      sessionId: request?.headers.get('mcp-session-id') ?? undefined,
      calls: this.#calls,
    });
  }

  /** Ends the call that a message cancels; false for any other message. */
  #cancelled(message: unknown, caller: Caller, sessionId: string | null): boolean {
    if (sessionId === null || !isJSONRPCNotification(message) || message.method !== 'notifications/cancelled')
      return false;
    const call = { keyId: caller.keyId, sessionId, requestId: String(message.params?.['requestId']) };
    if (!this.#calls.cancel(call)) this.#relay?.cancel(call);
    return true;
  }

  /** Ends the call that a message to another replica cancels. */
  cancel(call: CancelledCall): void {
    this.#calls.cancel(call);
  }

  /** Ends the calls in flight of a key, or of one of its secrets. It has nothing else open: no list changes, so the SDK ends subscriptions at once. */
  revoke(keyId: string, secretId?: string): void {
    this.#calls.abortKey(keyId, 'The API key no longer works.', secretId);
  }

  /** Waits for the calls in flight, for `limitMs` at most. Later requests fail. */
  async drain(limitMs: number): Promise<void> {
    const untilMs = performance.now() + limitMs;
    while (this.#calls.size > 0 && performance.now() < untilMs)
      await new Promise((resolve) => setTimeout(resolve, DRAIN_STEP_MS));
    this.#calls.abortAll('The service is restarting.');
    await Promise.all([this.#quick.close(), this.#streaming.close()]);
  }
}

function nameOfTool(message: unknown): string {
  const name = (message as { params?: { name?: unknown } } | undefined)?.params?.name;
  return typeof name === 'string' ? name : '';
}

function callerOf(authInfo: AuthInfo | undefined): Caller {
  // Put there by `handle`; the SDK passes it on untouched.
  const caller = authInfo?.extra?.['caller'] as Caller | undefined;
  if (caller === undefined) throw new Error('An MCP request was served without a caller.');
  return caller;
}

/**
 * Makes an id `nonce.tag`, the tag an HMAC of the nonce under the API key itself. So every replica can check it, it outlives
 * restarts, no other key fits it, and there is no server secret to store.
 */
function newSessionId(secret: string): string {
  const nonce = randomBytes(12).toString('base64url');
  return `${nonce}.${tagOf(nonce, secret)}`;
}

function isSessionOf(sessionId: string, secret: string): boolean {
  const [nonce = '', tag = ''] = sessionId.split('.');
  return isSameSecret(Buffer.from(tagOf(nonce, secret)), Buffer.from(tag));
}

function tagOf(nonce: string, secret: string): string {
  return createHmac('sha256', secret).update(`mcp-session.${nonce}`).digest('base64url').slice(0, 22);
}

function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
