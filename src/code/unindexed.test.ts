import { expect, test } from 'vitest';
import { assessIndex } from '../kernel/freshness.ts';
import { openCodeTool } from '../testing/code-tool.ts';
import { shardInput } from '../testing/code-shard.ts';

test('an answer or error without results names uncommitted files that are not indexed yet', async () => {
  const index = assessIndex({ behind: 0, uncommitted: 4 });
  const tool = await openCodeTool(shardInput([{ path: 'a.ts', text: 'x;\n', symbols: [], uses: [] }]), { index });
  const message = expect.stringMatching(/; 4 uncommitted files are not indexed yet\.$/) as string;
  const fix = expect.stringMatching(
    /^repeat the call in a few seconds, or commit them\. Otherwise: code-tool /,
  ) as string;
  const find = (query: string): Promise<string> => tool.text({ action: 'definition', query });

  await expect(find('newFn')).rejects.toMatchObject({ code: 'unknown_symbol', message, fix });
  await expect(find('new.ts:1-9')).rejects.toMatchObject({ code: 'unknown_id', message, fix });
  expect(await tool.text({ action: 'grep', query: 'newFn' })).toContain('4 uncommitted files are not indexed yet: ');
  await tool.close();
});
