import { afterAll, beforeAll, expect, test } from 'vitest';
import { shardInput } from '../../testing/code-shard.ts';
import { openCodeTool, type TestCodeTool } from '../../testing/code-tool.ts';

const LOAD = 'export function load() {\n  return async function load() {\n    read();\n  };\n}\n';
const symbols = [
  { qualified: 'load', kind: 'function' as const, line: 1, end: 5 },
  { qualified: 'load/load', kind: 'function' as const, line: 2, end: 4 },
];

let tool: TestCodeTool;

beforeAll(async () => {
  tool = await openCodeTool(shardInput([{ path: 'src/load.ts', text: LOAD, symbols }]));
});
afterAll(() => tool.close());

test('a body says what it is once, and lines that stand above already are not shown again', async () => {
  const text = await tool.text({ action: 'definition', query: 'load', detail: 'body' });

  expect(text).toContain('\n 1-5 function load\n| export function load() {\n');
  expect(text.match(/read\(\)/g)).toHaveLength(1);
  expect(text).toContain('\n 2-4 return async function load()\n');
});

test('a place that names nothing of the repository is said to do so, with the code around it as the next call', async () => {
  await expect(tool.text({ action: 'definition', query: 'src/load.ts:3:5' })).rejects.toMatchObject({
    message: expect.stringMatching(/^At src\/load\.ts:3:5 no symbol of the repository is named: /),
    fix: 'code-tool definition query="src/load.ts:3" detail="body"',
  });
});

test('a route leads to the graph', async () => {
  await expect(tool.text({ action: 'usages', query: 'GET /users/{id}' })).rejects.toMatchObject({
    fix: 'entity-analysis-tool neighbors entity="route:GET /users/{id}"',
  });
});

test('methods that are written outside of their type name it in an outline', async () => {
  const rust = await openCodeTool(
    shardInput([
      {
        path: 'src/input.rs',
        text: 'pub enum Input {}\nimpl Read for Input {\n  fn read() {}\n}\n',
        symbols: [
          { qualified: 'Input', kind: 'enum', line: 1 },
          { qualified: 'Input/read', kind: 'method', line: 3, isApart: true },
        ],
      },
    ]),
  );

  expect(await rust.text({ action: 'outline', path: 'src/input.rs' })).toContain('\n 3 Input: fn read()');
  await rust.close();
});

test('an outline names members without their kind, and a field that its type shows on the same line once', async () => {
  const rust = await openCodeTool(
    shardInput([
      {
        path: 'src/units.rs',
        text: 'pub enum Unit {\n  Byte\n  Block(u64)\n}\nenum Mode { o, p }\n',
        symbols: [
          { qualified: 'Unit', kind: 'enum', line: 1, end: 4 },
          { qualified: 'Unit/Byte', kind: 'enum_member', line: 2 },
          { qualified: 'Unit/Block', kind: 'enum_member', line: 3 },
          { qualified: 'Unit/Block/u64', kind: 'property', line: 3 },
          { qualified: 'Mode', kind: 'enum', line: 5, signature: 'enum Mode' },
          { qualified: 'Mode/o', kind: 'enum_member', line: 5, signature: 'o' },
        ],
      },
    ]),
  );

  expect(await rust.text({ action: 'outline', path: 'src/units.rs' })).toMatch(
    / · 6 of 6\n 1-4 pub enum Unit\n {3}2 Byte\n {3}3 Block\(u64\)\n 5 enum Mode\n {3}5 o$/,
  );
  await rust.close();
});

test('a file alone, also by the end of its path, is read whole', async () => {
  expect(await tool.text({ action: 'definition', query: 'load.ts' })).toContain(
    '1-5 of 5 lines\n| export function load',
  );
});

test('an outline leaves members of the type of a parameter to the signature that shows them', async () => {
  const queue = await openCodeTool(
    shardInput([
      {
        path: 'src/queue.ts',
        text: 'function add({\n  run,\n}: {\n  run: Run;\n}) {}\nfunction Timer(limit) {\n  this.left = limit;\n}\n',
        symbols: [
          { qualified: 'add', kind: 'function', line: 1, end: 5, signature: 'function add({ run, }: { run: Run; })' },
          { qualified: 'add/run', kind: 'property', line: 4, signature: 'run: Run' },
          { qualified: 'Timer', kind: 'function', line: 6, end: 8, signature: 'function Timer(limit)' },
          { qualified: 'Timer/left', kind: 'property', line: 7, signature: 'left' },
        ],
      },
    ]),
  );

  expect(await queue.text({ action: 'outline', path: 'src/queue.ts' })).toMatch(
    / · 4 of 4\n 1-5 function add\(\{ run, \}: \{ run: Run; \}\)\n 6-8 function Timer\(limit\)\n {3}7 left$/,
  );
  await queue.close();
});
