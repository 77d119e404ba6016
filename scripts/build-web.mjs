// Builds the web application into dist/web when that is missing or older than its sources. Runs on any Node >= 20, before
// `npm start`; in an installed package there is nothing to build.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = join(root, 'dist', 'web', 'index.html');

/** What the build reads: its newest change decides. */
function newestSourceMs() {
  const folder = join(root, 'web');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
  return Math.max(...[...sources, join(root, 'vite.config.ts')].map((file) => statSync(file).mtimeMs));
}

if (!existsSync(built) || statSync(built).mtimeMs < newestSourceMs()) {
  const startedMs = performance.now();
  // Whatever the environment is for: a test or a developer gets the same application as everybody.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  await build({ root: join(root, 'web'), configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
  process.stderr.write(`Built the web application in ${((performance.now() - startedMs) / 1000).toFixed(1)} s.\n`);
}
