import { createAdaptorServer } from '@hono/node-server';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceError } from '../kernel/errors.ts';

/** How long answers in flight may take once the process is asked to stop. */
const DRAIN_LIMIT_MS = 10_000;
const IDLE_STEP_MS = 50;

export interface Listener {
  host: string;
  port: number;
  /** Stops accepting, lets answers in flight end for up to 10 s, then cuts what is left. Twice waits for the same end. */
  close(): Promise<void>;
}

export interface ListenOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** The variable that sets the port, to name it when the port is taken. */
  variable: string;
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
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, options)));
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
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
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

function explain(error: NodeJS.ErrnoException, { host, port, variable }: ListenOptions): Error {
  if (error.code === 'EADDRINUSE') {
    return new ServiceError('conflict', `Port ${port} on ${host} is taken by another program.`, {
      fix: `Stop that program, or choose another port, for example ${variable}=${port + 1}.`,
      cause: error,
    });
  }
  if (error.code === 'EACCES') {
    return new ServiceError('bad_argument', `This user may not listen on port ${port} of ${host}.`, {
      fix: `Choose a port from 1024 up, for example ${variable}=4000.`,
      cause: error,
    });
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new ServiceError('bad_argument', `This machine has no address "${host}" to listen on.`, {
      fix: 'Set SVC_HOST to 127.0.0.1, 0.0.0.0 or an address of this machine.',
      cause: error,
    });
  }
  return error;
}
