import { connect } from 'node:net';
import { once } from 'node:events';

/** A GET on the stream as bytes on a socket, for what no client shows: comments, the end, a reader that stops reading. */
interface RawStream {
  /** Everything received so far, headers and chunk sizes included. */
  readonly received: string;
  /** Path and query that messages are to be posted to, once the first event has come. */
  endpoint(): Promise<string>;
  /** Resolves when what was received matches. */
  until(pattern: RegExp): Promise<void>;
  /** Resolves when the other side has closed the connection. */
  ended: Promise<void>;
  /** Stops reading, so that the peer's buffers fill. */
  stopReading(): void;
  readOn(): void;
  /** Cuts the connection as a crash does. */
  cut(): void;
}

/** Opens a stream at `url` with the key. */
export async function openRawStream(url: string, key: string): Promise<RawStream> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => void (received += chunk));
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  socket.write(
    `GET /v1/mcp/sse HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\naccept: text/event-stream\r\n\r\n`,
  );
  const until = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(received)) {
      if (socket.closed) throw new Error(`The stream ended before ${pattern}: ${received}`);
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    }
  };
  return {
    get received() {
      return received;
    },
    until,
    ended,
    async endpoint() {
      await until(/data: \S+sessionId=\S+\r?\n/);
      return /data: (\S+sessionId=\S+)/.exec(received)?.[1] ?? '';
    },
    stopReading: () => void socket.pause(),
    readOn: () => void socket.resume(),
    cut: () => void socket.resetAndDestroy(),
  };
}

/** Posts a message to a stream; gives the status of the answer. */
export async function postMessage(url: string, message: unknown, key?: string): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    body: typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...(message as object) }),
  });
  await response.text();
  return response.status;
}
