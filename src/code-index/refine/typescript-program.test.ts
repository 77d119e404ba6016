import { expect, test } from 'vitest';
import type { ExactModules } from './exact-modules.ts';
import { TypescriptProgram } from './typescript-program.ts';
import {
  addBundledTypes,
  addVirtualFile,
  addVirtualModule,
  CONFIG_FILE,
  configText,
  createVirtualFiles,
  REPOSITORY_ROOT,
} from './virtual-files.ts';

/** Input of a test program besides its files. */
interface Surroundings {
  modules?: Record<string, string>;
  inFolders?: ExactModules['inFolders'];
  /** The types of Node and React. */
  withTypes?: boolean;
}

/**
 * Returns the target of every name in the files, as `path:name@line -> path:name@line`; names that lead to themselves are
 * omitted. The compiler's interface is called unstable by its makers: this is what the service relies on.
 */
function leads(
  texts: Record<string, string>,
  { modules = {}, inFolders = [], withTypes = false }: Surroundings = {},
): string[] {
  const virtual = createVirtualFiles();
  const paths = Object.keys(texts);
  for (const path of paths) addVirtualFile(virtual, `${REPOSITORY_ROOT}/${path}`, texts[path] ?? '');
  if (withTypes) addBundledTypes(virtual);
  for (const { folder, specifier, path } of inFolders)
    addVirtualModule(virtual, `${REPOSITORY_ROOT}/${folder}`, { specifier, path: `${REPOSITORY_ROOT}/${path}` });
  const files = paths.map((path) => `${REPOSITORY_ROOT}/${path}`);
  const modulePaths = new Map(Object.entries(modules).map(([name, path]) => [name, `${REPOSITORY_ROOT}/${path}`]));
  addVirtualFile(virtual, CONFIG_FILE, configText({ files, modules: modulePaths, jsxImportSource: 'react' }));
  const program = new TypescriptProgram(virtual, new Map(files.map((path, id) => [path, id])));
  const describe = (file: number, at: number): string => {
    const text = texts[paths[file] ?? ''] ?? '';
    const word = /^#?\w+/.exec(text.slice(at))?.[0] ?? `offset ${at}`;
    return `${paths[file]}:${word}@${text.slice(0, at).split('\n').length}`;
  };
  try {
    const read = files.map((path) => program.read(path));
    return read.flatMap((rows, id) => {
      const results: string[] = [];
      const { overrides = [] } = rows ?? {};
      const names = program.locateTargets(rows?.names ?? []);
      for (let row = 0; row < names.length; row += 3) {
        const [start = 0, file = -1, location = -1] = names.slice(row, row + 3);
        const target = file < 0 ? 'outside' : describe(file, location);
        const from = describe(id, start);
        if (from !== target) results.push(`${from} -> ${target}`);
      }
      for (let row = 0; row < overrides.length; row += 3) {
        const [node = 0, file = -1, other = -1] = overrides.slice(row, row + 3);
        const above = file < 0 ? 'outside' : describe(file, program.nameStart(file, other));
        results.push(`${describe(id, program.nameStart(id, node))} overrides ${above}`);
      }
      return results;
    });
  } finally {
    program.close();
  }
}

test('names lead through aliases, re-exports and packages of the workspace to where they are defined', () => {
  const results = leads(
    {
      'packages/mail/src/index.ts': "export { send as deliver } from './send.js';\n",
      'packages/mail/src/send.ts': 'export function send(): void {}\n',
      'app.ts': "import { deliver as go } from '@shop/mail';\ngo();\n",
    },
    { modules: { '@shop/mail': 'packages/mail/src/index.ts' } },
  );

  expect(results).toContain('packages/mail/src/index.ts:send@1 -> packages/mail/src/send.ts:send@1');
  expect(results).toContain('app.ts:deliver@1 -> packages/mail/src/send.ts:send@1');
  expect(results).toContain('app.ts:go@2 -> packages/mail/src/send.ts:send@1');
});

test('who names a declaration uses that, not what other files add to it', () => {
  const results = leads({
    'shop.ts': 'export interface Shop { open: boolean }\nexport class Till {}\n',
    'more.ts': [
      "import './shop';",
      "declare module './shop' {",
      '  interface Shop { late: boolean }',
      '  interface Till { drawer: string }',
      '}',
      'declare global { interface Shared { own: 1 } }',
      '',
    ].join('\n'),
    'use.ts': [
      "import { type Shop, Till } from './shop';",
      'export const see = (shop: Shop, shared: Shared) => [shop.late, new Till().drawer, shared.own];',
      '',
    ].join('\n'),
  });

  expect(results.filter((line) => line.startsWith('use.ts')).toSorted()).toEqual([
    'use.ts:Shared@2 -> more.ts:Shared@6',
    'use.ts:Shop@1 -> shop.ts:Shop@1',
    'use.ts:Shop@2 -> shop.ts:Shop@1',
    'use.ts:Till@1 -> shop.ts:Till@2',
    'use.ts:Till@2 -> shop.ts:Till@2',
    'use.ts:drawer@2 -> more.ts:drawer@4',
    'use.ts:late@2 -> more.ts:late@3',
    'use.ts:own@2 -> more.ts:own@6',
  ]);
});

test('a specifier may mean another file in another folder', () => {
  const texts = {
    'a/src/box.ts': 'export const box = 1;\n',
    'a/main.ts': "import { box } from '~/box';\nimport { tool } from '@/tool.js';\n",
    'a/src/tool.ts': 'export const tool = 1;\n',
    'b/src/box/index.ts': 'export const box = 2;\n',
    'b/main.ts': "import { box } from '~/box';\n",
  };
  const inFolders = [
    { folder: 'a', specifier: '~/box', path: 'a/src/box.ts' },
    { folder: 'a', specifier: '@/tool.js', path: 'a/src/tool.ts' },
    { folder: 'b', specifier: '~/box', path: 'b/src/box/index.ts' },
  ];

  const results = leads(texts, { inFolders });

  expect(results.filter((line) => /^[ab]\/main/.test(line))).toEqual([
    'a/main.ts:tool@2 -> a/src/tool.ts:tool@1',
    'a/main.ts:box@1 -> a/src/box.ts:box@1',
    'b/main.ts:box@1 -> b/src/box/index.ts:box@1',
  ]);
});

test('keys, patterns, shorthands and texts lead to the members that they name', () => {
  const results = leads({
    'a.ts': [
      'interface Options { host: string; port?: number }',
      'declare function listen(options: Options | undefined): Options;',
      "const host = '';",
      'const { port: chosen } = listen({ host, port: 1 });',
      "type Port = Options['port'];",
      "listen({ host })['host'];",
    ].join('\n'),
  });

  expect(results).toEqual(
    expect.arrayContaining([
      'a.ts:host@4 -> a.ts:host@3',
      'a.ts:host@4 -> a.ts:host@1',
      'a.ts:port@4 -> a.ts:port@1',
      'a.ts:port@5 -> a.ts:port@1',
      'a.ts:host@6 -> a.ts:host@1',
    ]),
  );
});

test('a key of a literal names the member of the one type that the literal can be', () => {
  const results = leads({
    'a.ts': [
      "type Added = { type: 'added'; item: number };",
      "type Removed = { type: 'removed' | 'lost'; item: number };",
      'declare function notify(event: Added | Removed): void;',
      "notify({ type: 'lost', item: 1 });",
      'declare const type: Added["type"] | Removed["type"];',
      'notify({ type, item: 2 } as Added | Removed);',
    ].join('\n'),
  });

  expect(results.filter((line) => line.startsWith('a.ts:item@4'))).toEqual(['a.ts:item@4 -> a.ts:item@2']);
  expect(results).toContain('a.ts:item@6 -> a.ts:item@1');
});

test('members lead to what they override and implement, also through generic types', () => {
  const results = leads({
    'a.ts': [
      'interface Store<T> { load(key: string): T }',
      'abstract class Base { abstract close(): void; static make(): void {} }',
      'class Disk extends Base implements Store<number> { load() { return 1; } close() {} static make() {} }',
    ].join('\n'),
  });

  expect(results.filter((line) => line.includes('overrides'))).toEqual([
    'a.ts:load@3 overrides a.ts:load@1',
    'a.ts:close@3 overrides a.ts:close@2',
  ]);
});

test('attributes of JSX lead to the properties of the component, with the types of React at hand', () => {
  const results = leads(
    {
      'box.tsx': [
        "import { useState } from 'react';",
        'export function Box(props: { label: string }) { return <b>{props.label}</b>; }',
        "const first = { inner: '' };",
        'export const App = () => { const [text] = useState(first); return <Box label={text.inner} />; };',
      ].join('\n'),
    },
    { withTypes: true },
  );

  expect(results).toContain('box.tsx:label@4 -> box.tsx:label@2');
  expect(results).toContain('box.tsx:inner@4 -> box.tsx:inner@3');
  expect(results).toContain('box.tsx:useState@1 -> outside');
});

test('what cannot be known is not listed, and no file of the machine is read', () => {
  const results = leads({
    'a.ts': [
      `/// <reference path="${import.meta.filename}" />`,
      "import { missing } from 'not-installed';",
      `import { expect } from '${import.meta.filename}';`,
      'missing.anything();',
      'expect(parseInt);',
    ].join('\n'),
  });

  expect(results).toEqual(['a.ts:parseInt@5 -> outside']);
});

test('assignments of CommonJS declare what modules export', () => {
  const results = leads({
    'a.js': 'exports.run = function () {};\n',
    'b.js': "const { run } = require('./a.js');\nrun();\n",
  });

  expect(results).toContain('b.js:run@1 -> a.js:run@1');
});
