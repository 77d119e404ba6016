import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { configuredModel, type ModelProvider } from '../platform/language-model.ts';

/** One request as the service got it. */
interface ModelRequest {
  /** `/v1/chat/completions` or `/v1/messages`. */
  path: string;
  model: string;
  messages: { role: string; content: unknown; tool_calls?: unknown }[];
  tools?: { function: { name: string } }[];
  /** True if the answer is requested in pieces. */
  stream?: boolean;
}

type Reply = (response: ServerResponse, request: ModelRequest) => void;

/** A service with OpenAI's chat completions on this machine that sends these replies, in this order. */
interface ModelServer {
  requests: ModelRequest[];
  /** Set when a client went away before it was answered. */
  abandoned: Promise<void>;
  provider: ModelProvider;
}

/** Started with its replies; stopped after the test. A request more than there are replies gets a 500. */
export async function modelServer(replies: Reply[], llmApi: 'openai' | 'anthropic' = 'openai'): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const abandoned = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const received = { ...(JSON.parse(body) as Omit<ModelRequest, 'path'>), path: request.url ?? '' };
      requests.push(received);
      response.on('close', () => response.writableFinished || abandoned.resolve());
      const reply =
        replies.shift() ?? ((to: ServerResponse) => send(to, 500, { error: { message: 'no reply is left' } }));
      reply(response, received);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const llmUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const provider = configuredModel({ llmUrl, llmApi, llmModel: 'scripted', llmKey: 'secret' });
  if (provider === undefined) throw new Error('The model is configured.');
  return { requests, abandoned: abandoned.promise, provider };
}

/** Says a text. */
export function says(content: string): Reply {
  const words = content.split(/(?<= )/);
  return (response, { path }) => {
    if (path.endsWith('/messages')) return streamMessage(response, [{ words }], 'end_turn');
    return stream(
      response,
      words.map((piece) => ({ content: piece })),
      'stop',
    );
  };
}

/** Calls tools, all at once. */
export function calls(...invocations: { name: string; args: unknown }[]): Reply {
  return callsHaving(READ_TOKENS, ...invocations);
}

/** Tokens that a reply says to have read. */
const READ_TOKENS = 100;

/** Calls tools, all at once, after it read so many tokens. */
export function callsHaving(inputTokens: number, ...invocations: { name: string; args: unknown }[]): Reply {
  const toolCalls = invocations.map(({ name, args }, at) => ({
    id: `call-${at}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  return (response, { path }) => {
    if (path.endsWith('/messages')) return streamMessage(response, toolCalls, 'tool_use');
    return stream(
      response,
      toolCalls.map((call, index) => ({ tool_calls: [{ index, ...call }] })),
      'tool_calls',
      inputTokens,
    );
  };
}

/** Answers with a status, and headers. */
export function fails(status: number, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end('{"error":{"message":"as told"}}');
  };
}

function chunk(delta: object, finish: string | null, more: object = {}): string {
  const completion = {
    id: 'chat-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  };
  return `data: ${JSON.stringify(completion)}\n\n`;
}

/** Begins to answer and ends without words, for a reason; with `broken` as the connection, and without a reason never. */
export function stops(reason: 'length' | 'content_filter' | 'broken' | undefined): Reply {
  if (reason === 'length' || reason === 'content_filter') return (response) => stream(response, [], reason);
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant' }, null), () => reason === 'broken' && response.destroy());
  };
}

/** Says a text, and nothing of what it took. */
export function saysWithoutUsage(content: string): Reply {
  return (response) => stream(response, [{ content }], 'stop', null);
}

/** Sends a completion in pieces, and its token counts at the end unless they are omitted. */
function stream(
  response: ServerResponse,
  pieces: readonly object[],
  reason: string,
  read: number | null = READ_TOKENS,
): void {
  const usage = read === null ? null : { prompt_tokens: read, completion_tokens: 20, total_tokens: read + 20 };
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(chunk({ role: 'assistant' }, null));
  for (const piece of pieces) response.write(chunk(piece, null));
  response.end(`${chunk({}, reason, { usage })}data: [DONE]\n\n`);
}

/** The same as Anthropic's `/messages` streams it. */
function streamMessage(
  response: ServerResponse,
  blocks: readonly ({ words: readonly string[] } | { id: string; function: { name: string; arguments: string } })[],
  reason: string,
): void {
  const write = (type: string, more: object): boolean =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  const usage = { input_tokens: 100, output_tokens: 20 };
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const message = { id: 'msg-1', type: 'message', role: 'assistant', model: 'scripted', content: [], usage };
  write('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } });
  for (const [index, block] of blocks.entries()) {
    if ('words' in block) {
      write('content_block_start', { index, content_block: { type: 'text', text: '' } });
      for (const text of block.words) write('content_block_delta', { index, delta: { type: 'text_delta', text } });
    } else {
      const { name, arguments: json } = block.function;
      write('content_block_start', { index, content_block: { type: 'tool_use', id: block.id, name, input: {} } });
      write('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: json } });
    }
    write('content_block_stop', { index });
  }
  write('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 20 } });
  write('message_stop', {});
  response.end();
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}
