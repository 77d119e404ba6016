import { awaitLater } from '../kernel/await-later.ts';
import type { Client } from './client.ts';

/** A message of JSON-RPC, as far as the bridge looks at it. */
interface Message {
  id?: string | number | null;
  method?: string;
  params?: { name?: unknown; requestId?: unknown; _meta?: Record<string, unknown> };
  result?: { protocolVersion?: unknown };
  error?: unknown;
}

/** Dependencies of a bridge. */
interface BridgeParts {
  /** Sends a request to the service, with a key that may use MCP. */
  request: Client['request'];
  /** Messages of the client, one a line. */
  input: AsyncIterable<Uint8Array>;
  /** Receives what the client reads: a message and a line feed. */
  output: (line: string) => void;
  /** Receives what no message can report. */
  err: (text: string) => void;
  /** Ends everything in flight. */
  stop: AbortSignal;
}

const ENDPOINT = '/v1/mcp';
const FAILED = -32_000;
const UNREADABLE = -32_700;
const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
/** Longest message of a client: what the service takes. */
const LONGEST_LINE = 4 * 1024 * 1024;

/**
 * Passes messages between a client on standard input and output and the service, which does everything else: it is the
 * same list of tools, the same progress, the same cancellation. Returns when the input has ended and all is answered.
 */
export async function bridge(parts: BridgeParts): Promise<void> {
  const running = new Set<Promise<void>>();
  const link = new Link(parts);
  for await (const line of linesOf(parts.input)) {
    for (const message of messagesOf(line, parts)) {
      const passing = awaitLater(link.pass(message).finally(() => running.delete(passing)));
      running.add(passing);
    }
  }
  await Promise.all(running);
}

/** State of one client and its session. */
class Link {
  readonly #parts: BridgeParts;
  readonly #calls = new Map<unknown, AbortController>();
  #session: string | undefined;
  #version: string | undefined;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
  }

  /** Passes a message on and gives the client what comes back. Never fails: the client gets the error. */
  async pass(message: Message): Promise<void> {
    const { id, method, params } = message;
    const isRequest = method !== undefined && id !== undefined && id !== null;
    const controller = new AbortController();
    if (isRequest) this.#calls.set(id, controller);
    try {
      const isAnswered = await this.#send(message, AbortSignal.any([controller.signal, this.#parts.stop]));
      // A server that hangs up must not leave the client waiting.
      if (isRequest && !isAnswered && !controller.signal.aborted) this.#fail(id, 'The service ended the call.');
    } catch (error) {
      if (controller.signal.aborted || this.#parts.stop.aborted) return;
      const text = error instanceof Error ? error.message : String(error);
      if (isRequest) this.#fail(id, text);
      else this.#parts.err(`${text}\n`);
    } finally {
      if (isRequest) this.#calls.delete(id);
      // Clients of the revision of 2026 cancel over HTTP by hanging up, which is also how the connection is given back.
      if (method === 'notifications/cancelled') this.#calls.get(params?.requestId)?.abort();
    }
  }

  async #send(message: Message, signal: AbortSignal): Promise<boolean> {
    const headers = this.#headersOf(message);
    const body = JSON.stringify(message);
    const answer = await this.#parts.request(ENDPOINT, { method: 'POST', headers, body, signal });
    this.#session = answer.headers.get('mcp-session-id') ?? this.#session;
    const type = answer.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream') && answer.body !== null) {
      let isAnswered = false;
      for await (const data of eventsOf(answer.body))
        isAnswered = this.#deliver(JSON.parse(data) as Message, message) || isAnswered;
      return isAnswered;
    }
    const text = await answer.text();
    if (text === '') return false;
    if (!type.startsWith('application/json')) throw new Error(`The service answered ${answer.status}.`);
    // JSON of the service: a message, or a failure of REST.
    return this.#deliver(JSON.parse(text) as Message, message);
  }

  #headersOf({ method, params }: Message): Record<string, string> {
    const own = params?.['_meta']?.[PROTOCOL_VERSION];
    const version = typeof own === 'string' ? own : method === 'initialize' ? undefined : this.#version;
    const name = params?.name;
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(version !== undefined && { 'mcp-protocol-version': version }),
      ...(this.#session !== undefined && method !== 'initialize' && { 'mcp-session-id': this.#session }),
      ...(method !== undefined && { 'mcp-method': headerText(method) }),
      ...(method === 'tools/call' && typeof name === 'string' && { 'mcp-name': headerText(name) }),
    };
  }

  /** Gives the client a message. True for the answer to its request. */
  #deliver(message: Message, request: Message): boolean {
    const { id, error, result } = message;
    if (error !== undefined && !('jsonrpc' in message)) throw new Error(failureText(error));
    if (request.method === 'initialize' && typeof result?.protocolVersion === 'string')
      this.#version = result.protocolVersion;
    // What is wrong with a request as such is answered without its id.
    const whole =
      id === null && error !== undefined && request.id !== undefined ? { ...message, id: request.id } : message;
    this.#parts.output(`${JSON.stringify(whole)}\n`);
    return whole.id !== undefined && whole.method === undefined;
  }

  #fail(id: string | number, message: string): void {
    this.#parts.output(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: FAILED, message } })}\n`);
  }
}

/** The messages of a line: one, or those of a batch, which the service takes one by one. */
function messagesOf(line: string, { output }: BridgeParts): Message[] {
  try {
    const parsed: unknown = JSON.parse(line);
    const all: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
    // What else may be wrong with a message the service says.
    return all.filter((message): message is Message => typeof message === 'object' && message !== null);
  } catch {
    const error = { code: UNREADABLE, message: 'Parse error: a line is not JSON.' };
    output(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
    return [];
  }
}

async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let partialLine = '';
  for await (const piece of input) {
    partialLine += decoder.decode(piece, { stream: true });
    const lines = partialLine.split('\n');
    partialLine = lines.pop() ?? '';
    if (partialLine.length > LONGEST_LINE) throw new Error('A message of the client is longer than 4 MiB.');
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (partialLine.trim() !== '') yield partialLine;
}

/** The data of server-sent events. */
async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let partialLine = '';
  let data: string[] = [];
  for await (const piece of body) {
    partialLine += decoder.decode(piece, { stream: true });
    const lines = partialLine.split(/\r?\n/);
    partialLine = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
      if (line !== '' || data.length === 0) continue;
      const text = data.join('\n');
      data = [];
      if (text !== '') yield text;
    }
  }
}

/** Returns a text in the form of a header: what is not plain is wrapped as the protocol requires. */
function headerText(text: string): string {
  return /^[\x20-\x7E]*$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

function failureText(error: unknown): string {
  const { message, fix } = error as { message?: unknown; fix?: unknown };
  return [message, fix].filter((part) => typeof part === 'string').join(' ');
}
