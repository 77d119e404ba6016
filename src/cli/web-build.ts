import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../kernel/errors.ts';
import { type Lock, takeLock } from '../platform/lock.ts';

/** The last of what a failed build wrote that is shown. */
const SHOWN_CHARACTERS = 2_000;
const LOCK_STEP_MS = 200;

/** Folder of the built web application. */
export function webFolder(root: string): string {
  return join(root, 'dist', 'web');
}

/**
 * Builds the web application of a checkout when it was never built or its sources are newer; an installed package brings
 * it built and has no sources. About 2 s. A process that builds already is waited for.
 *
 * @param root Folder of the package.
 * @returns Whether it was built now.
 * @throws ServiceError `internal` when the build fails. The service works without it: MCP and REST do not need it.
 */
export async function ensureWebBuild(root: string): Promise<boolean> {
  if (!isOutdated(root)) return false;
  const builder = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  if (!existsSync(builder)) throw cannotBuild('vite is not installed', 'Run "npm ci" without --omit=dev.');
  const lock = await lockOf(root);
  try {
    if (!isOutdated(root)) return false;
    await runBuild(root, builder);
    return true;
  } finally {
    lock.release();
  }
}

/** True if there are sources, and no build that is newer than all of them. */
export function isOutdated(root: string): boolean {
  const sources = join(root, 'web');
  if (!existsSync(sources)) return false;
  const page = join(webFolder(root), 'index.html');
  if (!existsSync(page)) return true;
  const builtMs = statSync(page).mtimeMs;
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).map((file) => join(sources, file));
  // A folder changes when a file in it is added or removed.
  return [sources, join(root, 'vite.config.ts'), ...files].some(
    (file) => existsSync(file) && statSync(file).mtimeMs > builtMs,
  );
}

async function lockOf(root: string): Promise<Lock> {
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  for (;;) {
    try {
      return takeLock(join(cache, 'web-build.lock'), 'The build of the web application');
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      await sleep(LOCK_STEP_MS);
    }
  }
}

async function runBuild(root: string, builder: string): Promise<void> {
  const child = spawn(process.execPath, [builder, 'build'], {
    cwd: root,
    // Whatever the environment is for: a test or a developer gets the same application as everybody.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => void (output = `${output}${chunk.toString()}`.slice(-SHOWN_CHARACTERS));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw cannotBuild(`vite ended with ${code}:\n${output.trim()}`, 'Fix the problem, then run "npm run build".');
}

function cannotBuild(why: string, fix: string): ServiceError {
  return new ServiceError('internal', `The web application could not be built: ${why}.`, { fix });
}
