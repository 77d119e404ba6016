#!/usr/bin/env node
// Starts svc on a Node.js that can run it. This file itself runs on any Node >= 20 and has no dependencies.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as modules from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Types are stripped since 24.3, and passwords are hashed with argon2 since 24.7. */
const NEEDED = '24.7';
/** Types are stripped without a warning since then: what needs no process of its own is done in this one. */
const HERE = '24.12';
/** Commands that always open data. Others do when no service runs. */
const SERVING = new Set(['up', 'serve', 'worker']);
/** Of SVC_MEMORY, the share of the heap of the main thread, and what counts when nothing is set: as in src/platform/memory.ts. */
const MAIN_HEAP_SHARE = 0.2;
const USUAL_MEMORY = '1GB';
/** Whoever reaches the limit of the engine takes the service along: it lies above what the main thread is meant to hold. */
const HEADROOM_MEGABYTES = 512;
/** Space for new objects, of which a heap has three: most of it, and what a start has at once instead of clearing less again and again. */
const SEMI_SPACE_MEGABYTES = 8;
const FIRST_SEMI_SPACE_MEGABYTES = 4;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The Node.js to run on: this one when it is new enough, else the one that the lock file brings. */
function fittingNode() {
  if (isEnough(process.versions.node, NEEDED)) return process.execPath;
  try {
    const name = modules.createRequire(join(root, 'package.json')).resolve('node/package.json');
    const bundled = join(dirname(name), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(bundled) ? bundled : undefined;
  } catch {
    return undefined;
  }
}

function isEnough(version, needed) {
  const [major, minor] = version.split('.').map(Number);
  const [neededMajor, neededMinor] = needed.split('.').map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}

/** How a person types a command of svc in this place, up to its words: hints are printed with it. */
function calledAs() {
  const { npm_command: npm, npm_package_json: file, PATH = '' } = process.env;
  if (npm === 'exec') return 'npx svc';
  if (npm !== undefined && file === join(root, 'package.json')) return 'npm run -s svc --';
  const typed = process.argv[1];
  if (basename(typed) === 'svc' && PATH.split(delimiter).includes(dirname(typed))) return 'svc';
  return /[^\w./-]/.test(typed) ? `node "${typed}"` : `node ${typed}`;
}

/** Says what is missing and ends: nothing can work without it. */
function refuse(text) {
  process.stderr.write(`svc: ${text}\n`);
  process.exit(1);
}

const hasSources = existsSync(join(root, 'src', 'main.ts'));
if (hasSources && !existsSync(join(root, 'node_modules')))
  refuse('The dependencies are not installed. Run "npm ci" first.');
const node = fittingNode();
if (node === undefined)
  refuse(
    `Node.js ${NEEDED} or newer is needed; this is ${process.versions.node}, and the copy that the lock file ` +
      `brings is not installed. Run "npm ci" without --omit=optional, or install Node.js ${NEEDED}.`,
  );

// A checkout runs its sources as they are; an installed package has compiled ones, because Node.js does not strip types there.
const entry = hasSources ? join(root, 'src', 'main.ts') : join(root, 'dist', 'main.js');
// What was compiled is kept beside the package, so that processes and threads start in a third of the time; where the
// folder cannot be written they start as they did.
const compiled = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'compile');
process.env.SVC_CALLED_AS = calledAs();
const code = isEnough(process.versions.node, HERE) ? await runHere() : undefined;
if (code === undefined) startProcess();
else process.exitCode = code;

/** Runs a short command in this process: undefined for one that needs a process of its own. */
async function runHere() {
  if (SERVING.has(process.argv[2])) return undefined;
  modules.enableCompileCache(compiled);
  const main = await import(pathToFileURL(entry));
  return main.runHere(process.argv.slice(2));
}

/** Runs the command in a process that is made for opening data. */
function startProcess() {
  const flags = [
    '--disable-warning=ExperimentalWarning',
    `--min-semi-space-size=${FIRST_SEMI_SPACE_MEGABYTES}`,
    ...(SERVING.has(process.argv[2]) ? heapFlags() : []),
  ];
  const env = {
    NODE_COMPILE_CACHE: compiled,
    // glibc otherwise keeps 150 MB that the start of the embedded database needed once.
    MALLOC_TRIM_THRESHOLD_: '1000000',
    // With an arena for each thread, what one has freed the others cannot use.
    MALLOC_ARENA_MAX: '2',
    ...process.env,
  };
  // In a process group of its own, so that Ctrl+C in a terminal reaches the service once, from here, and its own processes
  // not at all: the service ends them when it has put their work away. The channel tells it when this process is killed.
  const child = spawn(node, [...flags, entry, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
    detached: process.platform !== 'win32',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => refuse(`${node} could not be started: ${error.message}`));
  child.on('exit', (ended) => process.exit(ended ?? 1));
}

/** Limits of the heap of the main thread. A setting that cannot be read is refused by the service itself. */
function heapFlags() {
  const match = /^(\d+(?:\.\d+)?) ?(KB|MB|GB|TB)?$/i.exec((process.env.SVC_MEMORY || USUAL_MEMORY).trim());
  if (match === null) return [];
  const power = ['', 'KB', 'MB', 'GB', 'TB'].indexOf((match[2] ?? '').toUpperCase());
  const megabytes = (Number(match[1]) * 1024 ** power) / 1024 ** 2;
  const old = Math.floor(megabytes * MAIN_HEAP_SHARE) + HEADROOM_MEGABYTES;
  return [`--max-old-space-size=${old}`, `--max-semi-space-size=${SEMI_SPACE_MEGABYTES}`];
}
