import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { shardInput } from '../../testing/code-shard.ts';
import { openCommitTool, type TestCommitTool } from '../../testing/commit-tool.ts';
import { partialClone, testRepository, type TestRepository } from '../../testing/git.ts';

let shop: TestRepository;
let tool: TestCommitTool;

beforeAll(async () => {
  shop = testRepository();
  for (const round of [1, 2]) {
    const body = `export function send() {\n  return ${round};\n}\n`;
    const files = {
      'src/send.ts': body,
      'test/send.test.ts': body.repeat(9),
      'README.md': `# Shop\n\n${body.repeat(9)}`,
    };
    shop.commit({ files, message: `Round ${round}` });
  }
  const commit = shop.git('rev-parse', 'HEAD');
  tool = await openCommitTool({ gitDir: join(shop.path, '.git'), commit }, 'indexed');
});
afterAll(async () => {
  await tool.close();
  shop.remove();
});

async function paths(path?: string): Promise<string[]> {
  const { rows } = await tool.json({ action: 'hotspots', path });
  return (rows as { path: string }[]).map((row) => row.path);
}

test('tests and documents are no hotspots, and are counted, unless the path names something', async () => {
  expect(await paths()).toEqual(['src/send.ts']);
  expect(await tool.text({ action: 'hotspots' })).toContain(
    'left out: 2 tests, benchmarks and documents (path="." ranks them too)',
  );
  expect((await paths('.')).toSorted()).toEqual(['README.md', 'src/send.ts', 'test/send.test.ts']);
  expect(await paths('test')).toEqual(['test/send.test.ts']);
});

test('churn is the lines of all revisions', async () => {
  // Three lines in the first commit, one of them changed in the second.
  expect(await tool.text({ action: 'hotspots' })).toContain('src/send.ts  revisions 2, churn 5, authors 1');
  const { rows } = await tool.json({ action: 'hotspots', path: '.' });
  const churn = (rows as { path: string; churn: number }[]).map((row): [string, number] => [row.path, row.churn]);
  expect(new Map(churn)).toEqual(
    new Map([
      ['src/send.ts', 5],
      ['test/send.test.ts', 27 + 18],
      ['README.md', 29 + 18],
    ]),
  );
});

test('an answer does not wait for lines that take long to count, and has them when they are counted', async () => {
  const commit = shop.git('rev-parse', 'HEAD');
  const hasty = await openCommitTool({ gitDir: join(shop.path, '.git'), commit, contentLimitMs: 0 }, 'indexed');
  onTestFinished(() => hasty.close());
  const hotspots = (): Promise<string> => hasty.text({ action: 'hotspots', path: 'src' });

  expect(await hotspots()).toContain('churn is being counted: repeat the call');
  await expect.poll(hotspots).toContain('src/send.ts  revisions 2, churn 5, authors 1');
});

test('without contents there is no churn, and a note says so', async () => {
  const partial = partialClone(shop);
  const symbols = [{ qualified: 'send', kind: 'function' as const, line: 1, end: 3 }];
  const code = shardInput([{ path: 'src/send.ts', text: 'export function send() {\n  return 2;\n}\n', symbols }]);
  const poor = await openCommitTool({ gitDir: partial.path, commit: shop.git('rev-parse', 'HEAD') }, code);
  onTestFinished(async () => {
    await poor.close();
    partial.remove();
  });

  const text = await poor.text({ action: 'hotspots' });
  expect(text).toContain('src/send.ts  revisions 2, authors 1');
  expect(text).toContain('no churn where file contents are missing (a partial clone)');
});
