import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { randomOf } from '../random.ts';
import { serve, type Serving } from '../serving.ts';
import type { Attack, AttackContext, Check } from './attack.ts';

const SEED = 20_261_128;
const USUAL_MINUTES = 5;
const POLL_MS = 100;

/** Runs one attack in a folder of its own and returns what it checked; a failure of the attack itself did not hold either. */
export async function runAttack(attack: Attack): Promise<Check[]> {
  const folder = mkdtempSync(join(tmpdir(), `svc-attack-${attack.name}-`));
  const checks: Check[] = [];
  const services: Serving[] = [];
  const timeUp = AbortSignal.timeout((attack.minutes ?? USUAL_MINUTES) * 60_000);
  const late = Promise.withResolvers<never>();
  timeUp.addEventListener('abort', () => late.reject(new Error('The time of the attack is up.')), { once: true });
  try {
    await Promise.race([attack.run(contextOf({ folder, checks, services, signal: timeUp })), late.promise]);
  } catch (error) {
    checks.push({ name: 'the attack ran to its end', held: false, detail: describe(error) });
  } finally {
    await Promise.allSettled(services.map((service) => service.end('SIGTERM')));
    rmSync(folder, { recursive: true, force: true });
  }
  return checks;
}

function contextOf(
  parts: Pick<AttackContext, 'folder' | 'signal'> & { checks: Check[]; services: Serving[] },
): AttackContext {
  const { folder, signal, checks, services } = parts;
  return {
    folder,
    signal,
    random: randomOf(SEED),
    startService: async (settings = {}, dataFolder = `data-${services.length + 1}`) => {
      const dataDir = join(folder, dataFolder);
      mkdirSync(dataDir, { recursive: true });
      const service = await serve(dataDir, settings);
      services.push(service);
      return service;
    },
    createRepository: (name, files) => createRepository(join(folder, name), files),
    addRepository: (service, path) => addRepository(service, path, signal),
    createKey: async (service) => {
      const { key } = await service.owner<{ key: string }>('POST', '/v1/api-keys', { name: 'attack' });
      return key;
    },
    check: (name, held, detail = '') => void checks.push({ name, held, detail }),
  };
}

function createRepository(path: string, files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=Attack', '-c', 'user.email=attack@example.org', ...args], { cwd: path });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message=feat: begin');
  return path;
}

async function addRepository({ owner }: Serving, path: string, signal: AbortSignal): Promise<void> {
  const { id } = await owner<{ id: string }>('POST', '/v1/repositories', { url: path });
  for (;;) {
    const { repositories } = await owner<{ repositories: { id: string; status: string; error: unknown }[] }>(
      'GET',
      '/v1/repositories',
    );
    const added = repositories.find((repository) => repository.id === id);
    if (added?.status === 'ready') return;
    if (added?.status === 'failed') throw new Error(`The index failed: ${JSON.stringify(added.error)}`);
    await setTimeout(POLL_MS, undefined, { signal });
  }
}

/** With what it was caused by: a request that fails says nothing by itself. */
function describe(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error
    ? `${error.message}: ${error.cause.message}`
    : String(error);
}
