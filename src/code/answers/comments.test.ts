import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shardInput } from '../../testing/code-shard.ts';
import { openCodeTool, type TestCodeTool } from '../../testing/code-tool.ts';
import { partialClone, testRepository, type TestRepository } from '../../testing/git.ts';

const FIRST = 'one();\n// TODO: retry\n';
const SECOND = 'one();\n// TODO: retry\n// FIXME when busy\n';
const TEST = '// NOTE: slow\n';

let repository: TestRepository;
let partial: ReturnType<typeof partialClone>;
let tool: TestCodeTool;
let poor: TestCodeTool;

beforeAll(async () => {
  repository = testRepository([
    { files: { 'src/a b.ts': FIRST, 'test/b.test.ts': TEST } },
    { files: { 'src/a b.ts': SECOND }, author: 'Second Author <second@example.org>' },
  ]);
  const commit = repository.git('rev-parse', 'HEAD');
  const input = shardInput([
    { path: 'src/a b.ts', text: SECOND },
    { path: 'test/b.test.ts', text: TEST, test: true },
  ]);
  partial = partialClone(repository);
  tool = await openCodeTool(input, { gitDir: join(repository.path, '.git'), commit });
  poor = await openCodeTool(input, { gitDir: partial.path, commit });
});

afterAll(async () => {
  await Promise.all([tool.close(), poor.close()]);
  repository.remove();
  partial.remove();
});

const ask = (args: object = {}): Promise<string> => tool.text({ action: 'comments', ...args });
const count = async (args: object): Promise<unknown> => (await tool.json({ action: 'comments', ...args }))['total'];

test('tagged comments come by file and line with age and author, counted by tag', async () => {
  const lines = (await ask()).split('\n');

  expect(lines[0]).toMatch(/· 3 of 3 \(TODO 1, FIXME 1, NOTE 1\)$/);
  expect(lines.slice(1)).toEqual([
    'src/a b.ts',
    ' 2 TODO: retry  (365 d, First Author)',
    ' 3 FIXME when busy  (364 d, Second Author)',
    'test/b.test.ts',
    ' 1 NOTE: slow  (365 d, First Author)',
  ]);
});

test('programs get tag, age and author as fields, and the same on the second call', async () => {
  const first = await tool.json({ action: 'comments', kind: ['todo'] });
  const second = await tool.json({ action: 'comments', kind: ['todo'] });

  expect(first['rows']).toEqual([
    {
      path: 'src/a b.ts',
      line: 2,
      tag: 'TODO',
      text: 'TODO: retry',
      age_days: 365,
      author: 'First Author',
      is_test: false,
    },
  ]);
  expect(second).toEqual(first);
});

test('comments are narrowed by tag, words, path and tests', async () => {
  expect(await count({ kind: ['FIXME', 'note'] })).toBe(2);
  expect(await count({ query: 'BUSY when' })).toBe(1);
  expect(await count({ path: 'src' })).toBe(2);
  expect(await count({ tests: 'only' })).toBe(1);
  expect(await ask({ query: 'nowhere' })).toContain('nothing found in 2 files');
});

test('a repository without older contents names nobody and says so', async () => {
  const answer = await poor.text({ action: 'comments', kind: ['TODO'] });

  expect(answer).toContain('\n 2 TODO: retry\n');
  expect(answer).toContain('author and age of 1 row is unknown');
});

test('a word that is no tag is refused', async () => {
  await expect(ask({ kind: ['BUG'] })).rejects.toMatchObject({
    code: 'bad_argument',
    fix: 'code-tool comments with kind from: TODO, FIXME, HACK, XXX, NOTE, WHY, DEPRECATED',
  });
});
