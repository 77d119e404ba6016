import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { ownerOf } from './serving.ts';

const READY_LIMIT_MS = 10 * 60_000;
const POLL_MS = 100;
const KEYS = 50;

/** A service in a process of its own, as `npm start` runs it, on a data folder of its own. */
export interface ServiceChild {
  url: string;
  /** API keys with the default scopes: as many as an account may have, because each may hold 20 streams. */
  keys: string[];
  /** Sends a request as the owner and gives the JSON of the answer. */
  owner: <Answer>(method: 'GET' | 'POST', path: string, body?: object) => Promise<Answer>;
  /** For requests whose answers are looked at as they come. */
  ownerToken: string;
  dataDir: string;
  metricsUrl: string;
  /** Of the process that serves. */
  pid: number;
  stop: () => Promise<void>;
}

const OWN_COMMAND: readonly string[] = [process.execPath, join(import.meta.dirname, '../bin/svc.mjs')];

/** Starts a service, by default the one of this checkout, that indexes the repository, and waits until the index is ready. */
export async function startService(gitDir: string, svc = OWN_COMMAND): Promise<ServiceChild> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-data-'));
  const adminPort = await freePort();
  const child = spawn(svc[0] ?? '', [...svc.slice(1), 'up', gitDir, '--json', '--port', '0', '--data-dir', dataDir], {
    // The limit of requests is not what is measured.
    env: {
      ...process.env,
      SVC_RATE_LIMIT_PER_MINUTE: '1000000',
      SVC_ADMIN_PORT: String(adminPort),
      SVC_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const { key, url } = await welcomeOf(child);
    // What a running service leaves for the commands of its machine.
    const { pid, token } = JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8')) as {
      pid: number;
      token: string;
    };
    await untilReady(url, token);
    const keys = [key];
    while (keys.length < KEYS) keys.push(await createKey(url, token));
    const metricsUrl = `http://127.0.0.1:${adminPort}/metrics`;
    return { url, keys, pid, stop, metricsUrl, dataDir, ownerToken: token, owner: ownerOf(url, token) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function welcomeOf(child: ChildProcess): Promise<{ url: string; key: string }> {
  let text = '';
  let errors = '';
  child.stderr?.on('data', (part: Buffer) => (errors = (errors + part.toString()).slice(-2_000)));
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (part: Buffer) => {
      text += part.toString();
      try {
        // One JSON document, which may come in parts.
        resolve(JSON.parse(text) as { url: string; key: string });
      } catch {
        // The rest is still to come.
      }
    });
    child.once('exit', (code) => reject(new Error(`The service ended with code ${code}. ${errors}`)));
  });
}

async function createKey(url: string, token: string): Promise<string> {
  const answer = await fetch(`${url}/v1/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench' }),
  });
  if (answer.status !== 201) throw new Error(`No key could be made: ${await answer.text()}`);
  return ((await answer.json()) as { key: string }).key;
}

async function untilReady(url: string, token: string): Promise<void> {
  for (const endAt = performance.now() + READY_LIMIT_MS; performance.now() < endAt; await setTimeout(POLL_MS)) {
    const answer = await fetch(`${url}/v1/repositories`, { headers: { authorization: `Bearer ${token}` } });
    const { repositories } = (await answer.json()) as { repositories: { status: string; error: unknown }[] };
    const [repository] = repositories;
    if (repository?.status === 'ready') return;
    if (repository?.status === 'failed') throw new Error(`The index failed: ${JSON.stringify(repository.error)}`);
  }
  throw new Error('The index was not ready in time.');
}
