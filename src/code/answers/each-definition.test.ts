import { afterAll, beforeAll, expect, test } from 'vitest';
import { shardInput } from '../../testing/code-shard.ts';
import { openCodeTool, type TestCodeTool } from '../../testing/code-tool.ts';

/** A file with a function `twice` that it calls so often. */
const twice = (path: string, calls: number) => ({
  path,
  text: ['function twice() {}', ...Array.from({ length: calls }, () => 'twice();')].join('\n'),
  symbols: [{ qualified: 'twice', kind: 'function' as const, line: 1 }],
  uses: Array.from({ length: calls }, (_, at) => ({
    line: at + 2,
    name: 'twice',
    use: 'call' as const,
    target: `twice@${path}`,
  })),
});

let three: TestCodeTool;
let four: TestCodeTool;

beforeAll(async () => {
  const files = [twice('a.ts', 3), twice('b.ts', 1), twice('c.ts', 0)];
  three = await openCodeTool(shardInput(files));
  four = await openCodeTool(shardInput([...files, twice('d.ts', 0)]));
});
afterAll(() => Promise.all([three.close(), four.close()]));

test('up to three symbols of a name are each answered, under their definition', async () => {
  const text = await three.text({ action: 'usages', query: 'twice' });

  expect(text).toContain('4 of 4 (call 4)\nfunction twice a.ts:1 · 3\na.ts\n 2 c twice();');
  expect(text).toContain('\nfunction twice b.ts:1 · 1\nb.ts\n');
  expect(text).toContain('3 symbols have this name, each answered by itself; for one: query="sym:twice@a.ts"');
  expect(text).toContain('function twice c.ts:1: nothing found in 3 files');
  expect(await three.json({ action: 'impact', query: 'twice' })).toMatchObject({
    definitions: [{ path: 'a.ts' }, { path: 'b.ts' }, { path: 'c.ts' }],
  });
});

test('their pages are the whole, and each row says whose it is', async () => {
  const request = { action: 'usages', query: 'twice', limit: 2 };
  const first = await three.json(request);
  const second = await three.json({ ...request, cursor: first['next'] });
  const rows = [first, second].flatMap((page) => page['rows'] as { path: string; line: number; definition: string }[]);

  expect(rows.map(({ path, line, definition }) => `${path}:${line} ${definition}`)).toEqual([
    'a.ts:2 sym:twice@a.ts',
    'a.ts:3 sym:twice@a.ts',
    'a.ts:4 sym:twice@a.ts',
    'b.ts:2 sym:twice@b.ts',
  ]);
  expect(second).toMatchObject({
    total: 4,
    definitions: [{ id: 'sym:twice@a.ts', total: 3 }, { total: 1 }, { id: 'sym:twice@c.ts', total: 0 }],
  });
  expect(second['next']).toBeUndefined();
});

test('a name that more than three symbols have is never guessed: the candidates are given as handles', async () => {
  for (const action of ['usages', 'impact', 'implementations', 'dependencies', 'tests'])
    await expect(four.text({ action, query: 'twice' })).rejects.toMatchObject({
      code: 'ambiguous_symbol',
      message: expect.stringContaining('sym:twice@d.ts'),
      fix: `code-tool ${action} query="sym:twice@a.ts"`,
    });
});
