import { parseJSONRPCMessage, type JSONRPCMessage } from '@modelcontextprotocol/server';
import type { ServerResponse } from 'node:http';
import { ServiceError } from '../kernel/errors.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Caller } from '../platform/operation/operation.ts';
import { describeProduct, toolServer, type ToolTable } from './server.ts';
import { SESSION_ID, SseTransport } from './sse.ts';
import type { StreamRelay } from './stream-relay.ts';

/** Proxies cut a connection that is silent for 30 to 60 s. */
const KEEP_ALIVE_MS = 15_000;
/** One person's clients open a handful; more is a client that reconnects without end, or a team that shares a key. */
const STREAMS_PER_KEY = 20;
/** Interval of checking a stream with a call in flight while the process drains. */
const DRAIN_STEP_MS = 20;

interface SessionOptions {
  /** Path that clients post messages to. */
  endpoint: string;
  /** Returns those of these keys that no longer live: called on every keep-alive, in case a notice was lost. */
  deadAmong: (keyIds: string[]) => Promise<readonly string[]>;
  /** Receives every stream that opens and ends. */
  addStreams?: Metrics['addStreams'];
  keepAliveMs?: number;
  mostBufferedBytes?: number;
  /** Open streams that one key may have. */
  streamsPerKey?: number;
  /** The way to streams of other replicas. */
  relay?: StreamRelay | undefined;
}

interface Session {
  transport: SseTransport;
  caller: Caller;
}

/** The open streams of this process, by id and by key. A session lives as long as its stream, never longer. */
export class Sessions {
  readonly #table: ToolTable;
  readonly #options: SessionOptions;
  readonly #byId = new Map<string, Session>();
  readonly #byKey = new Map<string, Set<Session>>();
  readonly #timer: NodeJS.Timeout;
  #isDraining = false;

  constructor(table: ToolTable, options: SessionOptions) {
    this.#table = table;
    this.#options = options;
    // One timer for all streams: a timer each costs memory and wakes the process all the time.
    const onFault = (error: unknown): void =>
      table.serving.log.warn({ err: error }, 'the keys of open streams could not be checked');
    this.#timer = setInterval(() => void this.#tick().catch(onFault), options.keepAliveMs ?? KEEP_ALIVE_MS);
    this.#timer.unref();
  }

  /** Open streams. */
  get size(): number {
    return this.#byId.size;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /**
   * Turns a response into a stream for the caller and serves it until it ends. `headers` are sent beside its own.
   *
   * @throws ServiceError `rate_limited` when the key has as many streams open as it may.
   */
  async open(response: ServerResponse, caller: Caller, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const most = this.#options.streamsPerKey ?? STREAMS_PER_KEY;
    if ((this.#byKey.get(caller.keyId)?.size ?? 0) >= most) {
      throw new ServiceError('rate_limited', `This API key has ${most} open streams, the most that it may have.`, {
        fix: 'Close a client that uses this key, create another key for it, or raise SVC_STREAMS_PER_KEY.',
      });
    }
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const transport = new SseTransport(this.#options.endpoint, response, this.#options.mostBufferedBytes);
    const session = { transport, caller };
    this.#remember(session);
    const server = toolServer(this.#table, { caller, product: await describeProduct(this.#table, caller) });
    const { log } = this.#table.serving;
    // The client gets its own errors in the answer; the log has them only for debugging a client.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a callback of the SDK, not a DOM event
    server.onerror = (error) => log.debug({ err: error, key_id: caller.keyId }, 'an MCP stream reported an error');
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- as above; connecting keeps it and adds its own
    transport.onclose = () => this.#forget(session);
    await server.connect(transport);
  }

  /**
   * Hands the messages of a post to its stream, on this replica or another one. The answers go out on the stream, later, each on
   * its own.
   *
   * @throws ServiceError `not_found` for an unknown session as for one of another key, `bad_argument` when the body is no
   * JSON-RPC message.
   */
  async deliver(sessionId: string, caller: Caller, bodies: readonly unknown[]): Promise<void> {
    const { relay } = this.#options;
    if (this.has(sessionId, caller.keyId)) return this.receive(sessionId, caller.keyId, bodies);
    if (relay === undefined || this.#byId.has(sessionId) || !SESSION_ID.test(sessionId)) throw unknownSession();
    if (!(await relay.pass(sessionId, caller, bodies.map(readMessage)))) throw unknownSession();
  }

  /** True if the stream is open in this process, for this key. */
  has(sessionId: string, keyId: string): boolean {
    return this.#byId.get(sessionId)?.caller.keyId === keyId;
  }

  /** Hands messages to a stream of this process. @throws ServiceError as `deliver`. */
  receive(sessionId: string, keyId: string, bodies: readonly unknown[]): void {
    const session = this.#byId.get(sessionId);
    if (session === undefined || session.caller.keyId !== keyId) throw unknownSession();
    const messages = bodies.map(readMessage);
    for (const message of messages) session.transport.receive(message);
  }

  /** Returns the caller who opened a stream, for clients that send no credential with their messages. */
  callerOf(sessionId: string): Caller | undefined {
    return this.#byId.get(sessionId)?.caller;
  }

  /** Ends every stream of a key, or of one of its secrets, at once. Calls in flight are aborted. */
  async revoke(keyId: string, secretId?: string): Promise<void> {
    const all = [...(this.#byKey.get(keyId) ?? [])];
    const sessions = secretId === undefined ? all : all.filter(({ caller }) => caller.secretId === secretId);
    await Promise.all(sessions.map(({ transport }) => transport.close('the API key no longer works')));
  }

  /** Ends all streams: idle ones at once, others when their calls have ended, or after `limitMs`. No new ones are opened. */
  async drain(limitMs: number): Promise<void> {
    this.#isDraining = true;
    clearInterval(this.#timer);
    const untilMs = performance.now() + limitMs;
    while (this.#byId.size > 0) {
      const isLate = performance.now() >= untilMs;
      const ended = [...this.#byId.values()].filter(({ transport }) => isLate || !transport.isBusy);
      await Promise.all(ended.map(({ transport }) => transport.close('the service restarts')));
      if (this.#byId.size > 0) await new Promise((resolve) => setTimeout(resolve, DRAIN_STEP_MS));
    }
  }

  async #tick(): Promise<void> {
    for (const { transport } of this.#byId.values()) transport.keepAlive();
    if (this.#byKey.size === 0) return;
    const dead = await this.#options.deadAmong([...this.#byKey.keys()]);
    await Promise.all(dead.map((keyId) => this.revoke(keyId)));
  }

  #remember(session: Session): void {
    this.#byId.set(session.transport.sessionId, session);
    const sessions = this.#byKey.get(session.caller.keyId) ?? new Set();
    this.#byKey.set(session.caller.keyId, sessions.add(session));
    this.#options.addStreams?.('sse', 1);
  }

  #forget(session: Session): void {
    if (!this.#byId.delete(session.transport.sessionId)) return;
    this.#options.addStreams?.('sse', -1);
    const sessions = this.#byKey.get(session.caller.keyId);
    sessions?.delete(session);
    if (sessions?.size === 0) this.#byKey.delete(session.caller.keyId);
  }
}

function readMessage(body: unknown): JSONRPCMessage {
  try {
    return parseJSONRPCMessage(body);
  } catch (error) {
    throw new ServiceError('bad_argument', 'The body is not a JSON-RPC 2.0 message.', {
      fix: 'Send one message as an object with "jsonrpc": "2.0".',
      cause: error,
    });
  }
}

function unknownSession(): ServiceError {
  return new ServiceError('not_found', 'There is no open stream with this sessionId for this API key.', {
    fix: 'Open a new stream with GET on this path and post to the address in its first event.',
  });
}
