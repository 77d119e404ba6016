import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../testing/git.ts';
import { serverFilePath } from './server-file.ts';

const ROOT = dirname(dirname(import.meta.dirname));

/** Writes down each module that a process loads, at its end those of Node.js itself, and which process. */
const RECORDER = `
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      appendFileSync(process.env.RECORD, process.pid + ' ' + url + '\\n');
      return next(url, context);
    },
  });
  process.on('exit', () => {
    for (const name of process.moduleLoadList) appendFileSync(process.env.RECORD, process.pid + ' ' + name + '\\n');
  });`;

/** A folder whose service answers everything with one document. */
async function servedFolder(document: object): Promise<string> {
  const folder = testFolder();
  const server = createServer((_, response) => response.end(JSON.stringify(document))).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  await once(server, 'listening');
  // An address of a TCP listener, because a port was given.
  const { port } = server.address() as AddressInfo;
  writeFileSync(serverFilePath(folder), JSON.stringify({ url: `http://127.0.0.1:${port}`, token: 'none', pid: 1 }), {
    mode: 0o600,
  });
  return folder;
}

/** Runs a command through the launcher: what it printed, and what its processes loaded. */
function record(folder: string, args: readonly string[]) {
  return recordNode(folder, [join(ROOT, 'bin/svc.mjs'), ...args]);
}

/** Runs Node.js: what it printed, and what its processes loaded. */
async function recordNode(folder: string, args: readonly string[]) {
  const file = join(folder, 'loaded');
  writeFileSync(file, '');
  const recorder = `--import=data:text/javascript,${encodeURIComponent(RECORDER)}`;
  const child = spawn(process.execPath, [recorder, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], RECORD: file, SVC_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (out += text));
  await once(child, 'close');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const urls = lines.map((line) => line.slice(line.indexOf(' ') + 1));
  const source = pathToFileURL(join(ROOT, 'src')).href;
  return {
    out,
    processes: new Set(lines.map((line) => line.split(' ')[0])).size,
    packages: [...new Set(urls.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []))],
    folders: new Set(
      urls.flatMap((url) => (url.startsWith(`${source}/`) ? url.slice(source.length + 1).split('/')[0] : [])),
    ),
    urls,
  };
}

test.each([
  [['--version'], {}, /^\d+\.\d+\.\d+\n$/],
  [['--help'], {}, /^Usage: svc/],
  [['key', 'list'], { keys: [] }, /There are no API keys/],
  [['work-item', 'list'], { work_items: [], total: 0, next: null }, /There are no such work items/],
  [['repo', 'list'], { repositories: [], next: null }, /There are no repositories/],
  [
    ['ownership', 'lib/a.ts'],
    {
      path: 'lib/a.ts',
      repo: 'shop',
      commit: '0123456789',
      bus_factor: 1,
      owners: [],
      reviewers: [],
      likely_next: [],
      codeowners: null,
      notes: [],
    },
    /lib\/a\.ts in shop@0123456, bus factor 1/,
  ],
  [
    ['rationale', 'lib/a.ts'],
    { path: 'lib/a.ts', repo: 'shop', commit: '0123456789', ranges: [], notes: [] },
    /lib\/a\.ts in shop@0123456/,
  ],
])(
  'svc %s is done in one process, with the command line and nothing of the service',
  async (args, document, expected) => {
    const { folders, out, packages, processes, urls } = await record(await servedFolder(document), args);

    expect(out).toMatch(expected);
    expect(processes).toBe(1);
    expect(packages).toEqual(['commander']);
    expect([...folders]).toEqual(expect.arrayContaining(['cli', 'main.ts']));
    expect(
      urls.filter((url) =>
        /\/src\/(service|http|mcp|worker|code|commits|search|platform\/(db|config|log|net\.))/.test(url),
      ),
    ).toEqual([]);
    // What is behind `fetch` costs more than all the rest; an import of node:http brings it along.
    expect(urls).toContain('NativeModule fs');
    expect(urls.filter((url) => url.startsWith('NativeModule internal/deps/undici'))).toEqual([]);
  },
);

test('a service that starts loads no reader of files, pages and texts before it is asked for one', async () => {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = `import(${JSON.stringify(pathToFileURL(join(ROOT, 'src/service.ts')).href)})`;

  const { packages, urls } = await recordNode(folder, ['--disable-warning=ExperimentalWarning', '-e', program]);

  expect(packages).toContain('kysely');
  const readers = ['linkedom', 'htmlparser2', 'remark-parse', 'yaml', 'read-excel-file', 'yauzl', 'csv-parse'];
  const others = ['ai', '@fastify/busboy', 'openid-client', 'mammoth', 'unpdf', 'web-tree-sitter', 'oxc-parser'];
  expect(packages.filter((name) => [...readers, ...others].includes(name))).toEqual([]);
  expect(urls.filter((url) => url.endsWith('/word-vectors.json'))).toEqual([]);
});
