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

test('a file alone, also by the end of its path, is read whole', async () => {
  expect(await tool.text({ action: 'definition', query: 'load.ts' })).toContain(
    '1-5 of 5 lines\n| export function load',
  );
});
