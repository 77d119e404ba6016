import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FileSketch, shardInput, shop } from '../../testing/code-shard.ts';
import { openCodeTool, type TestCodeTool } from '../../testing/code-tool.ts';

let tool: TestCodeTool;
let chain: TestCodeTool;

beforeAll(async () => {
  tool = await openCodeTool(shop());
  chain = await openCodeTool(circle());
});

afterAll(async () => {
  await Promise.all([tool.close(), chain.close()]);
});

const ask = (args: object): Promise<string> => tool.text({ action: 'dependencies', ...args });
const edges = async (of: TestCodeTool, args: object): Promise<string[]> => {
  const { rows } = await of.json({ action: 'dependencies', ...args });
  return (rows as Record<string, unknown>[]).map(
    ({ from, relation, to, hop }) => `${String(from)} ${String(relation)} ${String(to)} ${String(hop)}`,
  );
};

test('what a symbol depends on is grouped under its file, with relation, place and grade', async () => {
  expect(await ask({ query: 'sendMail' })).toBe(
    [
      'code-tool dependencies sendMail · shop@28a9c12 main fresh · 2 of 2 (calls 2)',
      'src/mail/client.ts',
      ' 10 sendMail calls SmtpMailer line 4 ~',
      ' 10 sendMail calls SmtpMailer/send line 5 ~',
    ].join('\n'),
  );
});

test('who depends on a symbol: the symbol around each use, else the file; the best grade of them', async () => {
  expect(await ask({ query: 'sendMail', direction: 'in' })).toBe(
    [
      'code-tool dependencies sendMail · shop@28a9c12 main fresh · 3 of 3 (calls 2, imports 1)',
      'src/orders/notify.ts',
      ' imports sendMail src/mail/client.ts:10 =',
      ' 2 notifyOrder calls sendMail src/mail/client.ts:10 =',
      'test/mail.test.ts',
      ' calls sendMail src/mail/client.ts:10 ~',
    ].join('\n'),
  );
});

test('a class stands for its members, and an override family for one in direction in', async () => {
  expect(await edges(tool, { query: 'Mailer', direction: 'in' })).toEqual([
    'sym:SmtpMailer@src/mail/client.ts extends sym:Mailer@src/mail/client.ts 1',
    'sym:sendMail@src/mail/client.ts calls sym:SmtpMailer/send@src/mail/client.ts 1',
    'sym:notifyOrder@src/orders/notify.ts calls sym:Mailer/send@src/mail/client.ts 1',
  ]);
});

test('further hops follow breadth first, and a circle ends', async () => {
  expect(await edges(chain, { query: 'a', depth: 5 })).toEqual([
    'sym:a@a.ts calls sym:b@b.ts 1',
    'sym:b@b.ts calls sym:c@c.ts 2',
    'sym:c@c.ts calls sym:a@a.ts 3',
  ]);
  expect(await edges(chain, { query: 'a', depth: 2, direction: 'both' })).toEqual([
    'sym:a@a.ts calls sym:b@b.ts 1',
    'sym:c@c.ts calls sym:a@a.ts 1',
    'sym:b@b.ts calls sym:c@c.ts 2',
  ]);
});

test('a path is answered file by file; what happens inside a folder is left out', async () => {
  expect(await edges(tool, { query: 'src/orders/notify.ts' })).toEqual([
    'src/orders/notify.ts imports src/mail/client.ts 1',
  ]);
  expect(await edges(tool, { query: 'src', direction: 'both' })).toEqual([
    'test/mail.test.ts imports src/mail/client.ts 1',
  ]);
  expect(await edges(tool, { path: 'src/mail/client.ts', direction: 'in', tests: 'exclude' })).toEqual([
    'src/orders/notify.ts imports src/mail/client.ts 1',
  ]);
});

test('tests are left out, or asked for, at both ends', async () => {
  expect(await edges(tool, { query: 'test/mail.test.ts', tests: 'exclude' })).toEqual([]);
  expect(await edges(tool, { query: 'test/mail.test.ts', tests: 'only' })).toEqual([
    'test/mail.test.ts imports src/mail/client.ts 1',
  ]);
});

test('files that use each other without an import depend on each other by what they do', async () => {
  expect(await edges(chain, { query: 'a.ts' })).toEqual(['a.ts calls b.ts 1']);
});

test('of an imported package only the files that are used count, and of the own package what they do', async () => {
  const packages = await openCodeTool(
    shardInput([
      goFile('cmd/main.go', {
        imports: ['cmd/other.go', 'cmd/same.go', 'lib/unused.go', 'lib/used.go'],
        uses: [callOf('cmd/same.go'), callOf('lib/used.go')],
      }),
      ...['cmd/other.go', 'cmd/same.go', 'lib/unused.go', 'lib/used.go'].map((path) => goFile(path, {})),
    ]),
  );

  expect(await edges(packages, { query: 'cmd/main.go' })).toEqual([
    'cmd/main.go calls cmd/same.go 1',
    'cmd/main.go imports lib/used.go 1',
  ]);
  await packages.close();
});

test('kind picks relations, also of files, and refuses other words', async () => {
  expect(await edges(tool, { query: 'src/orders/', kind: ['calls'] })).toEqual([
    'src/orders/notify.ts calls src/mail/client.ts 1',
  ]);
  await expect(ask({ query: 'sendMail', kind: ['class'] })).rejects.toMatchObject({
    code: 'bad_argument',
    fix: 'code-tool dependencies with kind from: extends, implements, calls, imports, references',
  });
});

test('an import of types alone is marked, with the line of the import', async () => {
  const typed = await openCodeTool(
    shardInput([
      {
        path: 'model.ts',
        text: 'export interface Order {}\nexport const LIMIT = 3;\n',
        symbols: [
          { qualified: 'Order', kind: 'interface', line: 1 },
          { qualified: 'LIMIT', kind: 'variable', line: 2 },
        ],
      },
      {
        path: 'view.ts',
        text: "import './start.ts';\nimport type { Order } from './model.ts';\ndeclare const order: Order;\n",
        imports: ['model.ts', 'start.ts'],
        uses: [
          { line: 2, name: 'Order', use: 'import', target: 'Order@model.ts' },
          { line: 3, name: 'Order', use: 'type', target: 'Order@model.ts' },
        ],
      },
      {
        path: 'shop.ts',
        text: "import { type Order, LIMIT } from './model.ts';\nexport const most = LIMIT;\n",
        imports: ['model.ts'],
        uses: [
          { line: 1, name: 'Order', use: 'import', target: 'Order@model.ts' },
          { line: 1, name: 'LIMIT', use: 'import', target: 'LIMIT@model.ts' },
          { line: 2, name: 'LIMIT', use: 'read', target: 'LIMIT@model.ts' },
        ],
      },
      { path: 'start.ts', text: 'run();\n' },
      {
        path: 'all.ts',
        text: "export * from './model.ts';\n",
        imports: ['model.ts'],
        uses: [{ line: 1, name: 'model', use: 'export', target: 'Order@model.ts' }],
      },
      {
        path: 'page.ts',
        text: "import { a } from 'a';\nimport type { Order } from './all.ts';\ndeclare const order: Order;\n",
        imports: ['all.ts'],
        uses: [
          { line: 2, name: 'Order', use: 'import', target: 'Order@model.ts' },
          { line: 3, name: 'Order', use: 'type', target: 'Order@model.ts' },
        ],
      },
    ]),
  );

  const { rows } = await typed.json({ action: 'dependencies', query: 'model.ts', direction: 'in' });
  expect(await typed.text({ action: 'dependencies', query: 'view.ts' })).toMatch(
    / imports model\.ts \(types only\) ~\n imports start\.ts ~$/,
  );
  const all = await typed.json({ action: 'dependencies', query: 'page.ts' });
  expect((rows as object[]).map((row) => ({ ...row, grade: undefined }))).toMatchObject([
    { from: 'all.ts', line: 1 },
    { from: 'page.ts', relation: 'references', line: 3 },
    { from: 'shop.ts', line: 1 },
    { from: 'view.ts', line: 2, types_only: true },
  ]);
  expect(rows).not.toMatchObject([{}, {}, { types_only: true }, {}]);
  // The symbol that is imported is defined behind the file that is imported.
  expect(all['rows']).toMatchObject([
    { to: 'all.ts', relation: 'imports', line: 2, types_only: true },
    { to: 'model.ts', relation: 'references', line: 3 },
  ]);
  await typed.close();
});

test('a class implements an interface and extends a class', async () => {
  const shapes = await openCodeTool(
    shardInput([
      {
        path: 's.ts',
        text: 'interface Shape {}\nclass Base {}\nclass Round extends Base implements Shape {}\n',
        symbols: [
          { qualified: 'Shape', kind: 'interface', line: 1 },
          { qualified: 'Base', kind: 'class', line: 2 },
          { qualified: 'Round', kind: 'class', line: 3, supers: ['Shape@s.ts', 'Base@s.ts'] },
        ],
      },
    ]),
  );

  expect(await edges(shapes, { query: 'Round' })).toEqual([
    'sym:Round@s.ts implements sym:Shape@s.ts 1',
    'sym:Round@s.ts extends sym:Base@s.ts 1',
  ]);
  await shapes.close();
});

test('pages join without gap or repeat', async () => {
  const whole = await edges(tool, { query: 'sendMail', direction: 'in' });
  const first = await tool.json({ action: 'dependencies', query: 'sendMail', direction: 'in', limit: 2 });
  const remainder = await edges(tool, { query: 'sendMail', direction: 'in', limit: 2, cursor: first['next'] });

  expect(first).toMatchObject({ total: 3, shown: 2 });
  expect(remainder).toEqual(whole.slice(2));
});

test('what nothing is known of says so, and names what the name alone suggests', async () => {
  expect(await ask({ query: 'Mailer/send', tests: 'only', direction: 'in' })).toContain(
    '1 possible uses by name alone (?) were not followed',
  );
  expect(await ask({ query: 'README.md' })).toContain('it depends on nothing else here');
  expect(await ask({ query: 'sendMail', path: 'test/' })).toContain('2 dependencies, but none in the files');
});

test.each([
  [{ query: 'sendMial' }, 'unknown_symbol'],
  [{ path: 'src/none' }, 'unknown_id'],
  [{ query: 'src/none.ts:1-2' }, 'unknown_id'],
  [{ query: 'src/orders/notify.ts:70-80' }, 'bad_argument'],
  [{}, 'bad_argument'],
])('what is not there is refused: %j', async (args, code) => {
  await expect(ask(args)).rejects.toMatchObject({ code });
});

/** Three functions in three files that call each other round and round, without imports. */
function circle(): ReturnType<typeof shardInput> {
  return shardInput([callerOf('a', 'b'), callerOf('b', 'c'), callerOf('c', 'a')]);
}

function callerOf(name: string, callee: string): FileSketch {
  return {
    path: `${name}.ts`,
    text: `function ${name}() {\n  ${callee}();\n}\n`,
    symbols: [{ qualified: name, kind: 'function', line: 1, end: 3 }],
    uses: [{ line: 2, name: callee, use: 'call', target: `${callee}@${callee}.ts`, enclosing: name }],
  };
}

/** A file of Go with one function, which has the name of the file. */
function goFile(path: string, more: Partial<FileSketch>): FileSketch {
  return {
    path,
    language: 'Go',
    text: 'func F() {}\n',
    symbols: [{ qualified: path.replace(/.*\//, ''), kind: 'function', line: 1 }],
    ...more,
  };
}

function callOf(path: string): NonNullable<FileSketch['uses']>[number] {
  return { line: 1, name: 'F', use: 'call', target: `${path.replace(/.*\//, '')}@${path}` };
}
