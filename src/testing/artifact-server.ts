import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service for `svc sync` that gives the same text at each path. */
export interface ArtifactServer {
  url: string;
  /** Content of every file; a change changes the tags too. */
  state: string;
  paths: string[];
  /** Addresses that were requested. */
  requested: string[];
  /** True if the answer to `work-items.json` begins and does not end. */
  isHeld: boolean;
  /** The answer that began. */
  held: Promise<ServerResponse>;
  close: () => void;
}

/** Starts one on a free port of this machine. */
export async function artifactServer(paths: string[]): Promise<ArtifactServer> {
  const begun = Promise.withResolvers<ServerResponse>();
  const server = createServer(({ url = '' }, response) => {
    service.requested.push(url);
    const etag = `"${service.state}"`;
    const path = service.paths.find((name) => url.endsWith(name));
    response.writeHead(200, { etag, 'content-type': 'application/json' });
    if (path === undefined) {
      const files = service.paths.map((name) => ({ path: name, etag, url: `/v1/artifacts/${name}` }));
      response.end(JSON.stringify({ repo: 'shop', commit: 'c', files }));
      return;
    }
    const text = `{ "state": "${service.state}" }\n`;
    if (!service.isHeld || path !== 'work-items.json') return void response.end(text);
    // The half of a file has reached the disk, or is on its way.
    response.write(text.slice(0, 8), () => begun.resolve(response));
  }).listen(0, '127.0.0.1');
  const service: ArtifactServer = {
    url: '',
    state: 'before',
    paths,
    requested: [],
    isHeld: false,
    held: begun.promise,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  await once(server, 'listening');
  // An address of a TCP listener, because a port was given.
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}
