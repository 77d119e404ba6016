import { createAdaptorServer } from '@hono/node-server';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { awaitLater } from '../kernel/await-later.ts';
import { explainListening, type ListenAddress } from '../platform/port.ts';

/** Time that answers in flight may take once the process is asked to stop. */
const DRAIN_LIMIT_MS = 10_000;
const IDLE_STEP_MS = 50;

export interface Listener {
  host: string;
  port: number;
  /** Stops accepting, lets answers in flight end for up to 10 s, then cuts the others. A second call waits for the same end. */
  close(): Promise<void>;
}

interface ListenOptions extends ListenAddress {
  /** Ends what would keep connections open by itself: streams and subscriptions. */
  drain?: (limitMs: number) => Promise<void>;
  drainLimitMs?: number;
}

/**
 * Serves an application on an address.
 *
 * @throws ServiceError `conflict` when the port is taken, `bad_argument` when the address cannot be listened on.
 */
export async function listen(
  app: { fetch: (request: Request, env: object) => Response | Promise<Response> },
  options: ListenOptions,
): Promise<Listener> {
  // Without options for TLS the adaptor makes a plain HTTP server; its type covers all three kinds.
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListening(error, options)));
    server.listen(options.port, options.host, resolve);
  });
  // An address of a TCP listener, because a port was given.
  const { port } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  return {
    host: options.host,
    port,
    close: () => (closing ??= shut(server, options)),
  };
}

async function shut(server: Server, options: ListenOptions): Promise<void> {
  const limitMs = options.drainLimitMs ?? DRAIN_LIMIT_MS;
  const closed = awaitLater(new Promise<void>((resolve) => server.close(() => resolve())));
  const late = setTimeout(() => server.closeAllConnections(), limitMs);
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_STEP_MS);
  try {
    await options.drain?.(limitMs);
    await closed;
  } finally {
    clearTimeout(late);
    clearInterval(idle);
  }
}
