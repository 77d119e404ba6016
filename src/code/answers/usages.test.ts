import { expect, test } from 'vitest';
import { shardInput } from '../../testing/code-shard.ts';
import { openCodeTool } from '../../testing/code-tool.ts';

test('usages say what the text has beyond them, with the grep call that shows it', async () => {
  const tool = await openCodeTool(
    shardInput([
      {
        path: 'a.ts',
        text: 'run();\nthrows(run)\n',
        uses: [
          { line: 1, name: 'run', use: 'call', target: 'run@b.ts' },
          { line: 2, name: 'run', use: 'read', isUnread: true },
        ],
      },
      {
        path: 'b.ts',
        text: 'function run() {}\n',
        symbols: [{ qualified: 'run', kind: 'function', line: 1 }],
      },
    ]),
  );
  try {
    const call = { action: 'usages', query: 'run' };

    expect((await tool.text(call)).split('\n').at(-1)).toBe(
      String.raw`1 more in text, in code that was not understood: a.ts:2; code-tool grep \brun\b shows them`,
    );
    expect(await tool.json(call)).toMatchObject({
      total: 1,
      inText: { total: 1, rows: [{ path: 'a.ts', line: 2 }], call: { action: 'grep', query: String.raw`\brun\b` } },
    });
  } finally {
    await tool.close();
  }
});
