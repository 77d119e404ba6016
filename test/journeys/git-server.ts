import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';

/** Announces what the first answer is, as git over HTTP wants it: `git help http-protocol`. */
const ADVERTISEMENT = Buffer.from('001e# service=git-upload-pack\n0000');

/** A git server on this machine that sends the objects of a repository in parts, each when `sendUpTo` allows it. */
interface GitServer {
  url: string;
  /** Sends the objects up to this share (0..1) of their bytes, once they are requested. */
  sendUpTo: (share: number) => void;
  close: () => void;
}

/** Serves the repository at a path over HTTP. Nothing of its objects is sent yet. */
export async function openGitServer(path: string): Promise<GitServer> {
  const objects = new HeldAnswer();
  const server = createServer((request, response) => {
    const answer = request.method === 'POST' ? takeObjects : listRefs;
    answer({ path, request, response, objects }).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/acme/parts.git`,
    sendUpTo: (share) => objects.sendUpTo(share),
    close: () => stop(server),
  };
}

interface Exchange {
  path: string;
  request: IncomingMessage;
  response: ServerResponse;
  objects: HeldAnswer;
}

async function listRefs({ path, response }: Exchange): Promise<void> {
  const refs = await uploadPack(path, ['--http-backend-info-refs']);
  response.setHeader('content-type', 'application/x-git-upload-pack-advertisement');
  response.end(Buffer.concat([ADVERTISEMENT, refs]));
}

async function takeObjects({ path, request, response, objects }: Exchange): Promise<void> {
  const isPacked = request.headers['content-encoding'] === 'gzip';
  const body = await buffer(isPacked ? request.pipe(createGunzip()) : request);
  const answer = await uploadPack(path, [], body);
  response.setHeader('content-type', 'application/x-git-upload-pack-result');
  objects.hold(answer, response);
}

/** Returns git's answer to a request, or to none. */
async function uploadPack(path: string, args: readonly string[], request?: Buffer): Promise<Buffer> {
  const input = request === undefined ? 'ignore' : 'pipe';
  const child = spawn('git', ['upload-pack', '--stateless-rpc', ...args, path], { stdio: [input, 'pipe', 'inherit'] });
  child.stdin?.end(request);
  if (child.stdout === null) throw new Error('The output of git is not read.');
  return buffer(child.stdout);
}

/** An answer that is sent in part, and further when that is allowed. */
class HeldAnswer {
  #share = 0;
  #sent = 0;
  #answer: { bytes: Buffer; response: ServerResponse } | undefined;

  hold(bytes: Buffer, response: ServerResponse): void {
    this.#answer = { bytes, response };
    this.#sent = 0;
    this.#send();
  }

  sendUpTo(share: number): void {
    this.#share = share;
    this.#send();
  }

  #send(): void {
    if (this.#answer === undefined) return;
    const { bytes, response } = this.#answer;
    const end = Math.floor(bytes.length * this.#share);
    response.write(bytes.subarray(this.#sent, end));
    this.#sent = end;
    if (this.#share === 1) response.end();
  }
}

function stop(server: Server): void {
  server.close();
  server.closeAllConnections();
}
