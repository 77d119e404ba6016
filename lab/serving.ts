import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

const START_LIMIT_MS = 5 * 60_000;
const POLL_MS = 20;
const MOST_LOG_CHARACTERS = 2_000_000;
const INDEX_LIMIT_MS = 60 * 60_000;
const INDEX_POLL_MS = 200;

const OWN_COMMAND: readonly string[] = [process.execPath, join(import.meta.dirname, '../bin/svc.mjs')];

/** A service in a process of its own, on a data folder that outlives it. */
export interface Serving {
  url: string;
  /** Of the owner. */
  token: string;
  /** Sends a request as the owner and gives the JSON of the answer. */
  owner: <Answer>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<Answer>;
  /** Of the process that serves. */
  pid: number;
  /** The last lines that it logged, warnings and errors. */
  log: () => string[];
  /** Sends the signal to the service itself and waits for its end. Does nothing once it has ended. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
}

/** Starts `svc serve` as an operator does, by default that of this checkout, and waits until it can answer. */
export async function serve(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  svc: readonly string[] = OWN_COMMAND,
): Promise<Serving> {
  const file = join(dataDir, 'server.json');
  // One that was killed has left it.
  rmSync(file, { force: true });
  const [program = '', ...args] = svc;
  const launcher = spawn(program, [...args, 'serve', '--port', '0', '--data-dir', dataDir], {
    // The limit of requests is not what is measured.
    env: {
      ...process.env,
      SVC_RATE_LIMIT_PER_MINUTE: '1000000',
      SVC_ADMIN_PORT: '0',
      SVC_LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(launcher, 'exit');
  const lines = lastLines([launcher.stdout, launcher.stderr]);
  for (const endAt = performance.now() + START_LIMIT_MS; !existsSync(file); await setTimeout(POLL_MS)) {
    if (launcher.exitCode === null && performance.now() < endAt) continue;
    launcher.kill();
    throw new Error(`The service did not start. ${lines().join('\n')}`);
  }
  const { url, token, pid } = JSON.parse(readFileSync(file, 'utf8')) as { url: string; token: string; pid: number };
  return {
    url,
    token,
    pid,
    log: lines,
    owner: ownerOf(url, token),
    end: async (signal) => {
      if (launcher.exitCode === null) process.kill(pid, signal);
      await ended;
    },
  };
}

/**
 * Waits until no repository of the service is to be indexed.
 *
 * @throws Error when one could not be, or it takes too long.
 */
export async function untilIndexed({ owner }: Pick<Serving, 'owner'>): Promise<void> {
  const count = async (status: string): Promise<number> =>
    (await owner<{ total: number }>('GET', `/v1/repositories?limit=1&status=${status}`)).total;
  for (const endAt = performance.now() + INDEX_LIMIT_MS; performance.now() < endAt; await setTimeout(INDEX_POLL_MS)) {
    if ((await count('failed')) > 0) throw new Error('A repository was not indexed.');
    if ((await count('pending')) + (await count('indexing')) === 0) return;
  }
  throw new Error('The repositories were not indexed in time.');
}

/** The last lines of these streams, which are read as they come. */
function lastLines(streams: readonly Readable[]): () => string[] {
  let text = '';
  for (const stream of streams)
    stream.on('data', (part: Buffer) => (text = (text + part.toString()).slice(-MOST_LOG_CHARACTERS)));
  return () => text.split('\n').filter((line) => line !== '');
}

/** The way to ask a service as its owner. */
export function ownerOf(url: string, token: string): Serving['owner'] {
  return (method, path, body) => ask(`${url}${path}`, { method, token, body });
}

async function ask<Answer>(
  url: string,
  { method, token, body }: { method: string; token: string; body: object | undefined },
): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    // On a busy machine the service may close an idle connection while a request is on its way.
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${url} was answered with ${answer.status}: ${await answer.text()}`);
  // Whoever asks knows what the route answers.
  return (await answer.json()) as Answer;
}
