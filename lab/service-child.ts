import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { serve, type Serving, untilIndexed } from './serving.ts';

const KEYS = 50;

/** A service with an indexed repository, on a data folder that ends with it. */
export interface ServiceChild extends Omit<Serving, 'end' | 'log'> {
  /** API keys with the default scopes: as many as an account may have, because each may hold 20 streams. */
  keys: string[];
  dataDir: string;
  metricsUrl: string;
  stop: () => Promise<void>;
}

/** Starts a service, by default the one of this checkout, that indexes the repository, and waits until the index is ready. */
export async function startService(gitDir: string, svc?: readonly string[]): Promise<ServiceChild> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-data-'));
  const adminPort = String(await freePort());
  const { end, log: _log, ...service } = await serve(dataDir, { SVC_ADMIN_PORT: adminPort }, svc);
  const stop = async (): Promise<void> => {
    await end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await service.owner('POST', '/v1/repositories', { url: gitDir });
    await untilIndexed(service);
    const keys: string[] = [];
    while (keys.length < KEYS) keys.push(await createKey(service));
    return { ...service, keys, dataDir, stop, metricsUrl: `http://127.0.0.1:${adminPort}/metrics` };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A new API key with the default scopes. */
export async function createKey({ owner }: Pick<Serving, 'owner'>): Promise<string> {
  return (await owner<{ key: string }>('POST', '/v1/api-keys', { name: 'bench' })).key;
}
