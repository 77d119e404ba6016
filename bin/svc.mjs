#!/usr/bin/env node
// Starts svc on a Node.js that can run it. This file itself runs on any Node >= 20 and has no dependencies.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The Node.js to run on: this one when it is new enough, else the one that the lock file brings. */
function fittingNode() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) return process.execPath;
  try {
    const name = createRequire(join(root, 'package.json')).resolve('node/package.json');
    const bundled = join(dirname(name), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(bundled) ? bundled : undefined;
  } catch {
    return undefined;
  }
}

const node = fittingNode();
if (node === undefined) {
  console.error(
    `svc needs Node.js ${NEEDED_MAJOR} or newer; this is ${process.versions.node}, and the copy that the lock file brings is not installed. ` +
      'Run "npm ci" without --omit=optional, or install Node.js 24.',
  );
  process.exit(1);
}
if (!existsSync(join(root, 'node_modules')) && existsSync(join(root, 'src'))) {
  console.error('The dependencies are not installed. Run "npm ci" first.');
  process.exit(1);
}

// A checkout runs its sources as they are; an installed package has compiled ones, because Node.js does not strip types there.
const entry = existsSync(join(root, 'src', 'main.ts')) ? join(root, 'src', 'main.ts') : join(root, 'dist', 'main.js');
const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16'];
// What Node.js compiled is kept beside the package: its processes and threads then start in a third of the time. A folder
// that cannot be written is no fault.
const env = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'), ...process.env };
const child = spawn(node, [...flags, entry, ...process.argv.slice(2)], { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`svc could not start ${node}: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
