import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import S3Server from 's3rver';
import { openObjectStorage, type RemoteFiles } from '../platform/object-storage.ts';

const BUCKET = 'blobs';

/** What the storage does to a call instead of serving it; undefined for a call that it serves. */
export type StorageFault =
  | 'refuses'
  | 'is slow down'
  | 'fails'
  | 'hangs'
  | 'breaks off'
  | 'falls silent'
  | 'alters'
  | undefined;

export interface TestStorage {
  files: RemoteFiles;
  /** The same for a caller that waits 200 ms for each answer. */
  impatient: RemoteFiles;
  /** Methods and paths of the calls that arrived. */
  calls: string[];
  /** Chooses the fault of each call that arrives; `number` counts from 1. */
  fault: (call: { path: string; number: number }) => StorageFault;
  settings: Parameters<typeof openObjectStorage>[0];
  close: () => Promise<void>;
}

/** A real S3-compatible server in `folder`, behind a proxy that can make every fault of one. */
export async function openTestStorage(folder: string): Promise<TestStorage> {
  const server = new S3Server({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await server.run();
  const calls: string[] = [];
  const proxy = createServer((incoming, answer) => {
    const { method = '', url: path = '' } = incoming;
    calls.push(`${method} ${path}`);
    serve(storage.fault({ path, number: calls.length }), { incoming, answer, port });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  // It listens on a port, so it has an address of this form.
  const address = proxy.address() as AddressInfo;
  const settings = {
    blobUrl: `s3://${BUCKET}/team/one`,
    s3Endpoint: `http://127.0.0.1:${address.port}`,
    s3Region: 'eu-west-1',
    s3PathStyle: 'on' as const,
    s3AccessKeyId: 'S3RVER',
    s3SecretAccessKey: 'S3RVER',
    s3SessionToken: undefined,
  };
  const storage: TestStorage = {
    files: openObjectStorage(settings, { silenceMs: 20_000, firstWaitMs: 1 }),
    impatient: openObjectStorage(settings, { silenceMs: 200, firstWaitMs: 1 }),
    calls,
    fault: () => undefined,
    settings,
    close: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await server.close();
    },
  };
  return storage;
}

function serve(
  fault: StorageFault,
  { incoming, answer, port }: { incoming: IncomingMessage; answer: ServerResponse; port: number },
): void {
  if (fault === 'hangs') return;
  if (fault === 'refuses') return void answer.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
  if (fault === 'is slow down') return void answer.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
  if (fault === 'fails') return void answer.writeHead(500).end();
  const { method, url: path, headers } = incoming;
  const forwarded = request({ host: '127.0.0.1', port, method, path, headers }, (served) => {
    answer.writeHead(served.statusCode ?? 500, served.headers);
    if (fault === undefined) return void served.pipe(answer);
    if (fault === 'alters') {
      served.on('data', (chunk: Buffer) => answer.write(Buffer.alloc(chunk.length, 'x')));
      return void served.on('end', () => answer.end());
    }
    served.once('data', (chunk: Buffer) => {
      answer.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () => fault === 'breaks off' && answer.destroy());
    });
  });
  incoming.pipe(forwarded);
}
