import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openShard, type ShardDatabase } from '../../indexes/shards/shards.ts';
import { withExtractors } from '../../testing/extractors.ts';
import { type TestRepository, testFolder, testRepository } from '../../testing/git.ts';
import { type PartReport, relayReports } from '../../platform/relayed-watches.ts';
import { childProcesses } from '../../testing/processes.ts';
import { type CodeIndexResult, indexCode } from '../code-index.ts';
import { CODE_FORMAT } from '../format/shard-schema.ts';
import { findDefinitions, usages } from '../../code/queries/store.ts';
import { ExactPassFailed, runExact } from './run-exact.ts';

/** A call that only a compiler resolves: the type of what is sent comes out of a conditional type. */
const FILES = {
  'package.json': '{"name": "root"}',
  'packages/mail/package.json': '{"name": "@shop/mail", "main": "dist/index.js"}',
  'packages/mail/src/index.ts': [
    'export interface Mail { post(): void }',
    'export type Opened<T> = T extends { body: infer Body } ? Body : never;',
    'export declare function open<T>(box: T): Opened<T>;',
    '',
  ].join('\n'),
  'app.ts': [
    "import { open, type Mail } from '@shop/mail';",
    'declare const box: { body: Mail };',
    'open(box).post();',
    '',
  ].join('\n'),
  // This version of the compiler has a fault that this text brings out.
  'odd.js': '.14',
  'jsx.d.ts': [
    "import 'react';",
    "declare module 'react' {",
    '  namespace JSX { interface IntrinsicElements { letter: { to: string } } }',
    '}',
    '',
  ].join('\n'),
  'page.tsx': "export const page = <letter to='you' />;\n",
  'shapes.ts': [
    'interface Circle { size: number; round: true }',
    'interface Square { size: number; edges: 4 }',
    'export const size = 3;',
    'export const shape: Circle | Square = { size, ...JSON.parse("{}") };',
    'export function area(circle: Circle) { return circle.size; }',
    'export function side(square: Square) { return square.size; }',
    'export function edge({ edges }: Square) { return edges; }',
    '',
  ].join('\n'),
  'user.ts': 'export interface User {}\nexport const User = { make: (): User => ({}) };\n',
  'makes.ts': "import { User } from './user';\nUser.make();\n",
  'takes.ts': "import { User } from './user';\nexport function take(user: User) {}\n",
  'adds.ts': 'export {};\ndeclare global { interface Promise<T> { kept: T } interface Kept { own: 1 } }\n',
  'waits.ts': 'export function wait(a: Promise<number>, b: Kept) { a.kept; }\n',
  'stamp/package.json': '{"main": "stamp.js", "types": "stamp.d.ts"}',
  'stamp/stamp.js': 'module.exports = { press: (letter) => letter };\n',
  'stamp/stamp.d.ts': 'export function press(letter: string): string;\n',
  'desk.ts': "import { press } from './stamp';\npress('a');\n",
  'ink.js': 'function dip() {}\nmodule.exports = { dip };\n',
  'pen.js': "const { dip } = require('./ink');\ndip();\n",
  'packages/mail/src/global.d.ts': 'declare const __DEV__: boolean;\n',
  'packages/mail/src/check.ts': 'export const isChecked = __DEV__;\n',
  'packages/stamps/package.json': '{"name": "@shop/stamps"}',
  'packages/stamps/global.d.ts': 'declare const __DEV__: boolean;\n',
  'packages/stamps/check.ts': 'export const isChecked = __DEV__;\n',
  'tool.py': 'class Mail:\n    def post(self): ...\n\ndef send(mail: Mail):\n    mail.post()\n',
};

let folder = '';
let repository: TestRepository;
beforeEach(() => {
  folder = testFolder();
  repository = testRepository([{ files: FILES }]);
});
afterEach(() => repository.remove());

async function index(exact: boolean): Promise<CodeIndexResult> {
  const task = {
    gitDir: repository.git('rev-parse', '--absolute-git-dir'),
    commit: repository.git('rev-parse', 'HEAD'),
    repository: 'r',
    factsCache: join(folder, 'facts'),
    targetFile: join(folder, 'shard'),
    ...(exact && { exact: { key: 'k', compiler: true, indexes: [] } }),
  };
  const signal = new AbortController().signal;
  return withExtractors((extractors) => indexCode(task, { signal, extractors, onProgress: () => undefined }));
}

/** Returns the uses of a symbol (`path name` or `path:line`), as `path:line use grade`. */
function usesOf(handle: string): string[] {
  const db: ShardDatabase = openShard(join(folder, 'shard'), CODE_FORMAT);
  try {
    const [path, name] = handle.includes(' ') ? handle.split(' ') : [undefined, handle];
    const symbols = findDefinitions(db, { query: name ?? '', path, limit: 10 }).rows.map(({ id }) => id);
    const { rows } = usages(db, { symbols, limit: 100, offset: 0 });
    return rows.map((row) => `${row.path}:${row.line} ${row.use} ${row.grade}`);
  } finally {
    db.close();
  }
}

test('a compiler finds uses that resolving does not, and its uses are of grade exact', async () => {
  await index(false);
  expect(usesOf('packages/mail/src/index.ts open')).toEqual(['app.ts:1 import resolved', 'app.ts:3 call resolved']);
  expect(usesOf('packages/mail/src/index.ts post')).not.toContain('app.ts:3 call exact');

  const result = await index(true);

  const gap = { kind: 'note', text: expect.stringContaining('TypeScript failed on odd.js') };
  expect(result).toMatchObject({ gaps: [gap], reused: 19 });
  expect(usesOf('packages/mail/src/index.ts open')).toEqual(['app.ts:1 import exact', 'app.ts:3 call exact']);
  expect(usesOf('packages/mail/src/index.ts post')).toEqual(['app.ts:3 call exact']);
  // Other languages stay as they were.
  expect(usesOf('tool.py Mail/post')).toEqual(['tool.py:5 call resolved']);
});

test('a tag that the repository declares among all elements is a use of it', async () => {
  await index(true);
  expect(usesOf('jsx.d.ts letter')).toEqual(['page.tsx:1 read exact']);
});

test('a variable that is taken out of a member is not the member', async () => {
  await index(true);
  expect(usesOf('shapes.ts Square/edges')).toEqual(['shapes.ts:7 read exact']);
});

test('what CommonJS exports as a member of a literal leads on to what it is', async () => {
  await index(true);
  expect(usesOf('ink.js:1')).toEqual(['ink.js:2 read exact', 'pen.js:1 import exact', 'pen.js:2 call exact']);
});

test('a folder of a package that a relative specifier names means what the package says', async () => {
  await index(true);
  expect(usesOf('stamp/stamp.d.ts press')).toEqual(['desk.ts:1 import exact', 'desk.ts:2 call exact']);
});

test('a key that may give members of several types makes them no family, nor one with the variable of its name', async () => {
  await index(true);
  expect(usesOf('shapes.ts Circle/size')).toEqual(['shapes.ts:4 write exact', 'shapes.ts:5 read exact']);
  expect(usesOf('shapes.ts Square/size')).toEqual(['shapes.ts:4 write exact', 'shapes.ts:6 read exact']);
});

test('a constant and an interface of one name keep their uses apart', async () => {
  await index(true);
  expect(usesOf('user.ts:1')).toEqual(['takes.ts:1 import exact', 'takes.ts:2 type exact', 'user.ts:2 type exact']);
  // With the call of `make`, which is declared on the same line.
  expect(usesOf('user.ts:2')).toEqual(['makes.ts:1 import exact', 'makes.ts:2 read exact', 'makes.ts:2 call exact']);
});

test('who names what a library declares does not use what a file adds to it', async () => {
  await index(true);
  expect(usesOf('adds.ts Promise')).toEqual([]);
  expect(usesOf('adds.ts Promise/kept')).toEqual(['waits.ts:1 read exact']);
  expect(usesOf('adds.ts Kept')).toEqual(['waits.ts:1 type exact']);
});

test('of what several packages declare for all of their files, a file uses what its own package declares', async () => {
  await index(true);
  expect(usesOf('packages/mail/src/global.d.ts __DEV__')).toEqual(['packages/mail/src/check.ts:1 read exact']);
  expect(usesOf('packages/stamps/global.d.ts __DEV__')).toEqual(['packages/stamps/check.ts:1 read exact']);
});

test.each([
  { limits: { memoryBytes: 1_000, timeMs: 60_000 }, reason: 'memory' },
  { limits: { memoryBytes: 1e10, timeMs: 1 }, reason: 'seconds' },
])('a compiler beyond its limit of $reason is ended, with the reason', async ({ limits, reason }) => {
  const task = {
    gitDir: repository.git('rev-parse', '--absolute-git-dir'),
    files: [{ id: 0, path: 'app.ts', blob: repository.git('rev-parse', 'HEAD:app.ts') }],
    modules: { everywhere: new Map(), inFolders: [], packages: new Map() },
    jsxImportSource: 'react',
  };

  const run = runExact(task, { signal: new AbortController().signal, onProgress: () => undefined, limits });

  await expect(run).rejects.toThrow(ExactPassFailed);
  await expect(run).rejects.toThrow(reason);
});

test('a compiler that is killed is started again once, and the service hears of it', async () => {
  const reports: PartReport[] = [];
  relayReports((report) => reports.push(report));
  const task = {
    gitDir: repository.git('rev-parse', '--absolute-git-dir'),
    files: [{ id: 0, path: 'app.ts', blob: repository.git('rev-parse', 'HEAD:app.ts') }],
    modules: { everywhere: new Map(), inFolders: [], packages: new Map() },
    jsxImportSource: 'react',
  };

  const run = runExact(task, { signal: new AbortController().signal, onProgress: () => undefined });
  for (const { pid } of childProcesses('exact-process')) process.kill(pid, 'SIGTERM');

  expect((await run).names.files.size).toBe(1);
  expect(reports).toMatchObject([{ part: 'compiler', end: { reason: 'crashed' } }]);
});

test('a cancelled pass ends at once, with the reason of its signal', async () => {
  const stopped = new AbortController();
  const reason = new Error('enough');
  const task = {
    gitDir: repository.path,
    files: [],
    modules: { everywhere: new Map(), inFolders: [], packages: new Map() },
    jsxImportSource: 'react',
  };
  const run = runExact(task, { signal: stopped.signal, onProgress: () => undefined });

  stopped.abort(reason);

  await expect(run).rejects.toBe(reason);
});
