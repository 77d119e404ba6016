import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** A reader that lets this much pile up has stopped reading. */
const MOST_BUFFERED_BYTES = 8 * 1024 * 1024;
/** SDK clients drop a progress notification that they read together with its result. 1 ms was not always enough. */
const RESULT_GAP_MS = 10;

/** Ids of streams: 24 random bytes. */
export const SESSION_ID = /^[\w-]{32}$/;

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // The connection ends with the stream: a client that watches the socket sees the end of the key at once, not 5 s later.
  connection: 'close',
  // Tells proxies of the nginx family to pass each event on at once.
  'x-accel-buffering': 'no',
};

/**
 * The HTTP+SSE transport of the 2024-11-05 revision, server side: one instance a stream. The first event names the address
 * for messages; answers come back on the stream. Written to the raw response, so that back-pressure is seen.
 */
export class SseTransport implements Transport {
  /** 192 random bits: who has it may be taken for the one who opened the stream. */
  readonly sessionId = randomBytes(24).toString('base64url');
  // The protocol layer fills these in; the interface demands that `undefined` be allowed.
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];

  readonly #endpoint: string;
  readonly #response: ServerResponse;
  readonly #mostBufferedBytes: number;
  readonly #unanswered = new Set<string | number>();
  #isClosed = false;
  /** Resolves when a result may follow the last notification. */
  #gap: Promise<void> = Promise.resolve();

  /** `endpoint` is the path messages are posted to, as a client must send it. */
  constructor(endpoint: string, response: ServerResponse, mostBufferedBytes = MOST_BUFFERED_BYTES) {
    this.#endpoint = endpoint;
    this.#response = response;
    this.#mostBufferedBytes = mostBufferedBytes;
  }

  /** True if a request still waits for its answer. */
  get isBusy(): boolean {
    return this.#unanswered.size > 0;
  }

  async start(): Promise<void> {
    this.#response.on('close', () => this.#finish());
    this.#response.writeHead(200, HEADERS);
    this.#write(`event: endpoint\ndata: ${this.#endpoint}?sessionId=${this.sessionId}\n\n`);
  }

  /** Takes a message that was posted for this stream: authenticated, parsed and bound to it by the caller. */
  receive(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#unanswered.add(message.id);
    else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'];
      if (typeof id === 'string' || typeof id === 'number') this.#unanswered.delete(id);
    }
    this.onmessage?.(message);
  }

  /** @throws Error when the stream has ended. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message) this.#gap = sleep(RESULT_GAP_MS).then(() => nextTurn());
    else {
      await this.#gap;
      if (message.id !== undefined) this.#unanswered.delete(message.id);
    }
    if (this.#isClosed) throw new Error('The stream has ended.');
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  /** Keeps proxies and clients from taking the silence for a dead connection. */
  keepAlive(): void {
    this.#write(': keep-alive\n\n');
  }

  /** Ends the stream. The reason goes out as a comment: a client sees a clean end and may reconnect. Twice does nothing. */
  async close(reason?: string): Promise<void> {
    if (this.#isClosed) return;
    if (reason !== undefined) this.#response.write(`: ${reason}\n\n`);
    this.#response.end();
    this.#finish();
  }

  #write(chunk: string): void {
    if (this.#isClosed || this.#response.write(chunk)) return;
    if (this.#response.writableLength <= this.#mostBufferedBytes) return;
    this.onerror?.(new Error('The client reads too slowly, so its stream was closed.'));
    this.#response.destroy();
    this.#finish();
  }

  #finish(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unanswered.clear();
    this.onclose?.();
  }
}
