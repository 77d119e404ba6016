import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCommitTool, type TestCommitTool } from '../../testing/commit-tool.ts';
import { testRepository, type TestRepository } from '../../testing/git.ts';

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
