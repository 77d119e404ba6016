import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that arrived. */
export interface ReceivedRequest {
  method: string;
  /** With its query, decoded. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Parsed; undefined without one. */
  body: unknown;
}

/** An answer: a status with JSON and headers, or `cut`, which ends the connection without an answer. */
export interface CannedAnswer {
  status: number;
  json?: unknown;
  headers?: Record<string, string>;
  cut?: true;
}

/** A tracker on this machine that answers what a test says. */
export interface TrackerServer {
  url: string;
  /** In the order in which they arrived. */
  requests: ReceivedRequest[];
  close: () => void;
}

/** `answer` sees each request; undefined is 404. */
export async function openTrackerServer(
  answer: (request: ReceivedRequest) => CannedAnswer | undefined,
): Promise<TrackerServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => void respond({ incoming, response, requests, answer }));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => stop(server) };
}

async function respond({
  incoming,
  response,
  requests,
  answer,
}: {
  incoming: IncomingMessage;
  response: ServerResponse;
  requests: ReceivedRequest[];
  answer: (request: ReceivedRequest) => CannedAnswer | undefined;
}): Promise<void> {
  let text = '';
  for await (const part of incoming.setEncoding('utf8')) text += String(part);
  const { method = '', url = '', headers } = incoming;
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const request = { method, path: decodeURIComponent(url.replaceAll('+', ' ')), headers, body };
  requests.push(request);
  const { status, json = { message: 'Not Found' }, headers: more = {}, cut } = answer(request) ?? { status: 404 };
  if (cut === true) {
    incoming.socket.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(json));
}

function stop(server: Server): void {
  server.closeAllConnections();
  server.close();
}
