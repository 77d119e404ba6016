import { expect, onTestFinished, test } from 'vitest';
import { shardInput, shop } from '../../testing/code-shard.ts';
import { openCodeTool } from '../../testing/code-tool.ts';
import { answerJson, embeddingServer } from '../../testing/embedding-server.ts';
import { QuestionVectors } from '../../text/encoder/question-vectors.ts';

/** A busy machine must not make the service late: that would be another answer. */
const PATIENT_MS = 60_000;

test('an answer says when the embedding service could not be used', async () => {
  const server = await embeddingServer();
  const questionVectors = new QuestionVectors(server.provider(), { now: () => new Date(0), limitMs: PATIENT_MS });
  const tool = await openCodeTool(shop(), { questionVectors });
  onTestFinished(() => tool.close());
  const ask = async (query: string): Promise<string[]> =>
    (await tool.text({ action: 'semantic_search', query })).split('\n');

  expect((await ask('where are mails sent to customers')).at(-1)).toBe(
    'shop: not embedded with the configured model yet. Ranked with the built-in encoder.',
  );

  server.odd.push((response) => answerJson(response, 503, {}));
  const failed = await ask('who is told about an order');
  expect(failed.at(-1)).toBe('The embedding service answered with status 503. Ranked with the built-in encoder.');
  expect(failed.slice(1, -1).join('\n')).toContain('notifyOrder');
  expect((await ask('send mail')).join('\n')).not.toContain('encoder');
});

test('a ranked hit says what it does, or how it is called, and not how it was scored', async () => {
  const tool = await openCodeTool(shop());
  onTestFinished(() => tool.close());
  const text = await tool.text({ action: 'semantic_search', query: 'deliver message to customer' });

  expect(text).toMatch(/^ 10-12 function sendMail {2}\S/m);
  expect(text).not.toMatch(/ 0\.\d\d /);
});

test('an empty answer names the files of its scope that are not read in full, and so do lines of one', async () => {
  const input = shardInput([
    { path: 'src/a.ts', text: 'export const a = 1;\n' },
    { path: 'src/big.ts', text: '', failed: 'larger than 8 MB: not searched' },
  ]);
  const tool = await openCodeTool(input);
  onTestFinished(() => tool.close());
  const named = 'not read in full: src/big.ts (larger than 8 MB: not searched)';

  for (const action of ['grep', 'usages', 'search_symbols', 'definition'])
    expect([action, await tool.text({ action, query: 'lost' }).catch(String)]).toEqual([
      action,
      expect.stringContaining(named),
    ]);
  expect(await tool.text({ action: 'grep', query: 'lost', path: 'src/a.ts' })).not.toContain('not read in full');
  await expect(tool.text({ action: 'definition', query: 'src/big.ts:1-2' })).rejects.toThrow(
    'The text of src/big.ts is not in the index: larger than 8 MB: not searched.',
  );
});
