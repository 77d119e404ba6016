import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureWebBuild } from '../../src/cli/web-build.ts';
import { type Lock, takeLock } from '../../src/platform/lock.ts';

const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/programs');
const LOCK = 'build.lock';
const LOCK_STEP_MS = 200;
/** Programs of other sources are kept for a while, because another run may have started one. */
const KEEP_MS = 24 * 60 * 60_000;

interface Manifest {
  version: string;
  files: string[];
  scripts: Record<string, string>;
}

/** What the package says of itself. */
export const readManifest = (): Manifest => JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

/** Folder of the program that `npm run build` makes of these sources, with all that is packed. Made once for them: about 6 s. */
export async function builtProgram(): Promise<string> {
  await ensureWebBuild(ROOT);
  const folder = join(CACHE, hashOfSources());
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const lock = await waitForLock();
  try {
    if (!existsSync(folder)) build(folder);
    return folder;
  } finally {
    lock.release();
  }
}

function build(folder: string): void {
  const started = `${folder}.${process.pid}`;
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const out = ['--outDir', join(started, 'dist'), '--logLevel', 'warn'];
  execFileSync(process.execPath, [vite, 'build', '-c', 'vite.service.config.ts', ...out], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  cpSync(join(ROOT, 'dist/web'), join(started, 'dist/web'), { recursive: true });
  for (const name of [...readManifest().files, 'package.json'])
    if (name !== 'dist') cpSync(join(ROOT, name), join(started, name), { recursive: true });
  renameSync(started, folder);
  for (const name of readdirSync(CACHE).filter((other) => other !== LOCK)) {
    const other = join(CACHE, name);
    if (Date.now() - statSync(other).mtimeMs > KEEP_MS) rmSync(other, { recursive: true });
  }
}

/** Parts of `src/` of which nothing is in the program. */
const ONLY_FOR_TESTS = /\.test\.ts$|^src\/testing\//;

/** Changes with everything that the program is made of. */
function hashOfSources(): string {
  const names = ['package.json', 'package-lock.json', 'vite.service.config.ts', 'src', 'dist/web/index.html'];
  const hash = createHash('sha256');
  for (const name of [...names, ...readManifest().files.filter((file) => file !== 'dist')])
    for (const file of filesBelow(name).filter((path) => !ONLY_FOR_TESTS.test(path)))
      hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}

function filesBelow(name: string): string[] {
  if (statSync(join(ROOT, name)).isFile()) return [name];
  const files = readdirSync(join(ROOT, name), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1)).toSorted();
}

/** Two test processes may want the program at the same time. */
async function waitForLock(): Promise<Lock> {
  for (;;) {
    try {
      return takeLock(join(CACHE, LOCK), 'The build of the program');
    } catch {
      await sleep(LOCK_STEP_MS);
    }
  }
}
