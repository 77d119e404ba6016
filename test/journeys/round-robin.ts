import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A load balancer on this machine that gives each request to the next of its backends which takes connections. */
export interface RoundRobin {
  url: string;
  /** Requests that each backend got, in the order of the backends. */
  served: number[];
  close: () => void;
}

/** Starts it in front of services at these addresses. */
export async function openRoundRobin(backends: readonly string[]): Promise<RoundRobin> {
  const served = backends.map(() => 0);
  let next = 0;
  const server = createServer((incoming, answer) => {
    const body: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => body.push(chunk));
    incoming.on('end', () => forward(backends.length));
    const forward = (tries: number): void => {
      const at = next++ % backends.length;
      const { hostname, port } = new URL(backends[at] ?? '');
      const { method, url: path, headers } = incoming;
      const outgoing = request({ hostname, port, method, path, headers }, (response) => {
        served[at] = (served[at] ?? 0) + 1;
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
        response.on('error', () => answer.destroy());
      });
      outgoing.on('error', () => {
        if (answer.headersSent) answer.destroy();
        else if (tries > 1) forward(tries - 1);
        else answer.writeHead(502).end();
      });
      answer.on('close', () => outgoing.destroy());
      outgoing.end(Buffer.concat(body));
    };
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It listens on a port, so it has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    served,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
