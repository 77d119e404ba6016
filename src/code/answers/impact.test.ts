import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FileSketch, shardInput, shop } from '../../testing/code-shard.ts';
import { openCodeTool, type TestCodeTool } from '../../testing/code-tool.ts';

let tool: TestCodeTool;
let layers: TestCodeTool;

beforeAll(async () => {
  tool = await openCodeTool(shop());
  layers = await openCodeTool(shardInput(LAYERS));
});

afterAll(async () => {
  await Promise.all([tool.close(), layers.close()]);
});

const places = async (of: TestCodeTool, args: object): Promise<string[]> => {
  const { rows } = await of.json({ action: 'impact', ...args });
  return (rows as Record<string, unknown>[]).map(
    ({ path, symbol, hop, is_test }) =>
      `${String(hop)} ${String(path)} ${String(symbol)}${is_test === true ? ' test' : ''}`,
  );
};

test('impact shows who is affected by hop, then the entry points and tests that are reached', async () => {
  expect(await tool.text({ action: 'impact', query: 'SmtpMailer/send', depth: 2 })).toBe(
    [
      'code-tool impact SmtpMailer/send · shop@28a9c12 main fresh · 3 of 3 (hop1 2, hop2 1, entry points 1, test files 1)',
      'src/mail/client.ts',
      ' 10 function sendMail ~  hop 1',
      'src/orders/notify.ts',
      ' 2 function notifyOrder ~  hop 1',
      'test/mail.test.ts',
      ' 1 file ~  hop 2, test',
      'entry points 1: notifyOrder src/orders/notify.ts (no code here uses it, tests aside)',
      'tests reached 1: test/mail.test.ts',
      '1 possible uses by name alone (?) were not followed; code-tool usages lists them',
    ].join('\n'),
  );
});

test('a depth that stops before the last users says so', async () => {
  const note = 'stopped at hop 1: depth=3 goes on';

  expect(await tool.text({ action: 'impact', query: 'SmtpMailer/send', depth: 1 })).toContain(note);
  expect(await tool.text({ action: 'impact', query: 'sendMail', depth: 1 })).not.toContain('goes on');
});

test('programs get entry points and tests as lists', async () => {
  expect(await tool.json({ action: 'impact', query: 'SmtpMailer/send', depth: 2 })).toMatchObject({
    total: 3,
    entry_points: {
      total: 1,
      rows: [{ symbol: 'notifyOrder', reason: 'unused', id: 'sym:notifyOrder@src/orders/notify.ts' }],
    },
    tests: { total: 1, paths: ['test/mail.test.ts'] },
  });
});

test('the grade is that of the weakest step', async () => {
  const { rows } = await tool.json({ action: 'impact', query: 'sendMail', depth: 1 });

  expect(rows).toMatchObject([
    { symbol: 'notifyOrder', grade: 'exact' },
    { path: 'test/mail.test.ts', grade: 'resolved' },
  ]);
});

test('what only the name suggests is never part of it', async () => {
  const { rows } = await tool.json({ action: 'impact', query: 'send', depth: 5 });

  expect((rows as { grade: string }[]).map(({ grade }) => grade)).not.toContain('name');
  expect(await places(tool, { query: 'send', depth: 1 })).toEqual([
    '1 src/mail/client.ts sendMail',
    '1 src/orders/notify.ts notifyOrder',
  ]);
});

test('a path stands for all in it, and only what is outside is affected', async () => {
  expect(await places(tool, { query: 'src/mail', depth: 1 })).toEqual([
    '1 src/orders/notify.ts notifyOrder',
    '1 test/mail.test.ts  test',
  ]);
  expect(await places(tool, { path: 'src/mail/client.ts', tests: 'exclude' })).toEqual([
    '1 src/orders/notify.ts notifyOrder',
  ]);
});

test('lines stand for the symbols on them', async () => {
  expect(await places(tool, { query: 'src/mail/client.ts:11-12' })).toEqual([
    '1 src/orders/notify.ts notifyOrder',
    '1 test/mail.test.ts  test',
  ]);
  // Who uses the rest of that file is not affected, and what holds a function is.
  expect(await places(layers, { query: 'core.ts:6-6', depth: 5 })).toEqual([]);
  expect(await places(layers, { query: 'core.ts:3-3', depth: 1 })).toEqual(['1 core.ts handler']);
});

test('a name means code, not the heading of a document', async () => {
  expect(await places(layers, { query: 'parse', depth: 1 })).toEqual(['1 core.ts handler']);
  expect(await layers.text({ action: 'usages', query: 'parse' })).toContain('core.ts');
});

test('what happens inside a function happens to the function, and goes on from there', async () => {
  expect(await places(layers, { query: 'parse', depth: 3 })).toEqual([
    '1 core.ts handler',
    '2 app.ts start',
    '3 main.ts ',
    '3 src/api.ts ',
  ]);
  expect(await places(layers, { query: 'handler/inner' })).toEqual(['1 core.ts handler']);
});

test('entry points are programs, what packages export, and what nothing here uses', async () => {
  const { entry_points: entryPoints } = await layers.json({ action: 'impact', query: 'parse', depth: 3 });

  expect((entryPoints as { rows: object[] }).rows).toMatchObject([
    { symbol: 'start', reason: 'package' },
    { path: 'main.ts', symbol: '', reason: 'main' },
    { path: 'src/api.ts', symbol: '', reason: 'package' },
  ]);
});

/** In two digits, so that the order of texts is that of the numbers. */
const at = (number: number): string => String(number).padStart(2, '0');

/** A file with a function that calls `core`. */
const user = (path: string, number: number): FileSketch => ({
  path,
  test: path.startsWith('test/'),
  text: `export function user${at(number)}() { core(); }\n`,
  symbols: [{ qualified: `user${at(number)}`, kind: 'function', line: 1 }],
  uses: [{ line: 1, name: 'core', use: 'call', target: 'core@core.ts', enclosing: `user${at(number)}` }],
});

test('a reason and a file of several entry points are said once', async () => {
  const twins = ['first', 'second'];
  const two = await openCodeTool(
    shardInput([
      { path: 'core.ts', text: 'function core() {}\n', symbols: [{ qualified: 'core', kind: 'function', line: 1 }] },
      {
        path: 'user.ts',
        text: 'function first() { core(); }\nfunction second() { core(); }\n',
        symbols: twins.map((qualified, index) => ({ qualified, kind: 'function' as const, line: index + 1 })),
        uses: twins.map((enclosing, index) => ({
          line: index + 1,
          name: 'core',
          use: 'call' as const,
          target: 'core@core.ts',
          enclosing,
        })),
      },
    ]),
  );

  expect(await two.text({ action: 'impact', query: 'core' })).toContain(
    '\nentry points 2: first, second user.ts (no code here uses it, tests aside)',
  );
  await two.close();
});

test('twenty entry points and test files are named, and all are counted', async () => {
  const numbers = Array.from({ length: 23 }, (_, number) => number);
  const many = await openCodeTool(
    shardInput([
      { path: 'core.ts', text: 'function core() {}\n', symbols: [{ qualified: 'core', kind: 'function', line: 1 }] },
      ...numbers.map((number) => user(`src/u${at(number)}.ts`, number)),
      ...numbers.map((number) => user(`test/u${at(number)}.test.ts`, number)),
    ]),
  );

  const { total, entry_points: entries, tests } = await many.json({ action: 'impact', query: 'core', depth: 1 });

  const [named, reached] = [entries as { total: number; rows: { path: string }[] }, tests as { paths: string[] }];
  expect([total, named.total, reached]).toMatchObject([46, 23, { total: 23 }]);
  expect(named.rows.map(({ path }) => path)).toEqual(numbers.slice(0, 20).map((number) => `src/u${at(number)}.ts`));
  expect(reached.paths).toEqual(numbers.slice(0, 20).map((number) => `test/u${at(number)}.test.ts`));
  await many.close();
});

test('a file that only imports something is told when nothing in it shows why', async () => {
  expect(await places(layers, { query: 'unseen' })).toEqual(['1 barrel.ts ']);
  expect(await layers.text({ action: 'impact', query: 'nobody' })).toContain('no resolved reference uses it');
  expect(await layers.text({ action: 'impact', query: 'parse', path: 'app.ts' })).toContain(
    '1 places are affected, but none in the files',
  );
});

test('a word that is a symbol and a folder is the symbol, with a note; with a slash it is the folder', async () => {
  const both = await openCodeTool(
    shardInput([
      { path: 'mail/send.ts', text: '// sends\n' },
      {
        path: 'a.ts',
        text: "import './mail/send.ts';\nfunction mail() {}\n",
        imports: ['mail/send.ts'],
        symbols: [MAIL],
      },
    ]),
  );

  expect(await both.text({ action: 'impact', query: 'mail' })).toContain('mail is also a folder: query="mail/"');
  expect(await places(both, { query: 'mail/' })).toEqual(['1 a.ts ']);
  await both.close();
});

test('two symbols of a name are each answered', async () => {
  const { definitions } = await layers.json({ action: 'impact', query: 'twice' });

  expect(definitions).toMatchObject([{ id: 'sym:twice@app.ts' }, { id: 'sym:twice@barrel.ts' }]);
});

/** A file of Go with a struct that embeds another one. */
const embedding = (path: string): FileSketch => ({
  path,
  language: 'Go',
  text: 'type Widget struct {\n\tText\n}\n',
  symbols: [
    { qualified: 'Widget', kind: 'struct', line: 1, end: 3 },
    { qualified: 'Widget/Text', kind: 'property', line: 2 },
  ],
  uses: [{ line: 2, name: 'Text', use: 'type', enclosing: 'Widget', target: 'Text@view/text.go' }],
});

test('the name of a type means the type, not the fields that bear it', async () => {
  const own = await openCodeTool(
    shardInput([
      {
        path: 'view/text.go',
        language: 'Go',
        text: 'type Text struct{}\n',
        symbols: [{ qualified: 'Text', kind: 'struct', line: 1 }],
      },
      embedding('a/widget.go'),
      embedding('b/widget.go'),
    ]),
  );
  const text = await own.text({ action: 'impact', query: 'Text' });
  await own.close();

  expect(text).toContain('a/widget.go');
  expect(text).toContain('struct sym:Text@view/text.go is meant, not 2 of other kinds with this name');
});

const MAIL = { qualified: 'mail', kind: 'function', line: 2 } as const;

/** `parse` is used by a function inside `handler`, that by `start`, that by a script; a package exports `start`. */
const LAYERS: readonly FileSketch[] = [
  {
    path: 'package.json',
    language: 'JSON',
    text: '{ "exports": { ".": "./dist/api.js" } }\n',
  },
  {
    path: 'src/api.ts',
    text: "export { start } from '../app.ts';\n",
    imports: ['app.ts'],
    uses: [{ line: 1, name: 'start', use: 'export', target: 'start@app.ts' }],
  },
  {
    path: 'core.ts',
    text: [
      'export function parse() {}',
      'export function handler() {',
      '  return function inner() { parse(); };',
      '}',
      'export function unseen() {}',
      'function nobody() {}',
    ].join('\n'),
    symbols: [
      { qualified: 'parse', kind: 'function', line: 1 },
      { qualified: 'handler', kind: 'function', line: 2, end: 4 },
      { qualified: 'handler/inner', kind: 'function', line: 3 },
      { qualified: 'unseen', kind: 'function', line: 5 },
      { qualified: 'nobody', kind: 'function', line: 6 },
    ],
    uses: [{ line: 3, name: 'parse', use: 'call', target: 'parse@core.ts', enclosing: 'handler/inner' }],
  },
  {
    path: 'app.ts',
    text: 'export function start() { handler(); }\nfunction twice() {}\n',
    symbols: [
      { qualified: 'start', kind: 'function', line: 1 },
      { qualified: 'twice', kind: 'function', line: 2 },
    ],
    uses: [{ line: 1, name: 'handler', use: 'call', target: 'handler@core.ts', enclosing: 'start' }],
  },
  {
    path: 'README.md',
    language: 'Markdown',
    text: '# parse\n',
    symbols: [{ qualified: 'parse', kind: 'heading', line: 1 }],
  },
  {
    path: 'barrel.ts',
    text: "import { unseen } from './core.ts';\nfunction twice() {}\n",
    symbols: [{ qualified: 'twice', kind: 'function', line: 2 }],
    imports: ['core.ts'],
    uses: [{ line: 1, name: 'unseen', use: 'import', target: 'unseen@core.ts' }],
  },
  {
    path: 'main.ts',
    text: "import { start } from './app.ts';\nstart();\n",
    imports: ['app.ts'],
    uses: [
      { line: 1, name: 'start', use: 'import', target: 'start@app.ts' },
      { line: 2, name: 'start', use: 'call', target: 'start@app.ts' },
    ],
  },
];
