import { afterAll, beforeAll, expect, test } from 'vitest';
import { openToolAndPartial, type TestCommitTool, type ToolAndPartial } from '../../testing/commit-tool.ts';
import { testRepository, type TestRepository } from '../../testing/git.ts';

const USER = `import { format } from './format.ts';\nimport { helper } from './tools.ts';\nexport const show = () => format('a') + helper();\n`;

let shop: TestRepository;
let tools: ToolAndPartial;
let tool: TestCommitTool;
let poor: TestCommitTool;
const ids: Record<string, string> = {};

beforeAll(async () => {
  shop = testRepository();
  const commit = (name: string, message: string, files: Record<string, string | undefined>): void => {
    ids[name] = shop.commit({ message, files });
  };
  commit('begin', 'feat: begin', {
    'package.json': '{"name": "shop", "main": "src/index.ts"}\n',
    'src/index.ts': `export { send, Mail } from './send.ts';\nexport { later } from './later.ts';\n`,
    'src/send.ts':
      'export function send(to: string) {\n  return to;\n}\nexport class Mail {\n  open(): void {}\n  close(): void {}\n  own() {}\n}\n',
    'src/later.ts': 'export function later() {}\n',
    'src/format.ts': 'export function format(text: string) {\n  return text;\n}\nexport function unused() {}\n',
    'src/tools.ts': 'export function helper() {\n  return 1;\n}\nfunction inner(a: number) {\n  return a;\n}\n',
    'src/show.ts': USER,
    'src/long.ts': `export function stays() {\n  return 1;\n}\n${'// a line that says something\n'.repeat(20)}`,
    'test/send.test.ts': 'export function check(a: string) {\n  return a;\n}\n',
    'docs/a.md': '# A\n',
    'package-lock.json': '{}\n',
  });
  shop.git('tag', 'v1.0.0');
  commit('signature', 'fix: send a copy', {
    'src/send.ts':
      'export function send(to: string, copy: string) {\n  return to + copy;\n}\nexport class Mail {\n  open(mode: string): void {}\n  own() {\n    return 1;\n  }\n}\nexport class Box {\n  put() {}\n}\n',
  });
  commit('more', 'feat!: format with a width\n\nAll of it.', {
    'src/index.ts': `export { send, Mail } from './send.ts';\n`,
    'src/later.ts': undefined,
    'src/format.ts': 'export function format(text: string, width: number) {\n  return text + width;\n}\n',
    'src/tools.ts': 'function inner(a: string) {\n  return a;\n}\nexport const limit = 3;\n',
    'src/help.ts': 'export function helper() {\n  return 1;\n}\n',
    'src/show.ts': USER.replace('./tools.ts', './help.ts'),
    'src/long.ts': undefined,
    'src/longer.ts': `export function stays() {\n  return 2;\n}\n${'// a line that says something\n'.repeat(20)}`,
    'test/send.test.ts': 'export function check(a: number) {\n  return a;\n}\n',
    'docs/a.md': '# B\n',
    'package-lock.json': '{"a": 1}\n',
  });
  shop.git('tag', 'v2.0.0');
  shop.git('checkout', '--quiet', '-b', 'feature/side', 'v1.0.0');
  commit('side', 'perf: aside', { 'src/side.ts': 'export function aside() {}\n' });
  shop.git('checkout', '--quiet', 'main');
  tools = await openToolAndPartial(shop, ids['more'] ?? '', 'indexed');
  ({ tool, poor } = tools);
});

afterAll(() => tools.remove());

type Answer = Record<string, unknown> & {
  rows: (Record<string, unknown> & { change?: string })[];
  notes?: string[];
  total: number;
};
const compare = async (query: string, args: object = {}): Promise<Answer> =>
  // The envelope of every answer.
  (await tool.json({ action: 'compare', query, limit: 100, max_tokens: 20_000, ...args })) as Answer;
const changes = async (query: string, path?: string): Promise<string[]> =>
  (await compare(query, { path })).rows.flatMap(({ change, kind, name, breaking }) =>
    change === undefined ? [] : [[breaking === true ? `${change}!` : change, kind, name].join(' ')],
  );

test('files are those of git diff with lines, status and renames, the product first, documents and lock files last', async () => {
  const { rows, files } = await compare('v1.0.0..v2.0.0');
  const lines = rows
    .filter(({ status }) => status !== undefined)
    .map(({ status, path, plus, minus, old_path: old }) => [plus, minus, status, old ?? path].join(' '));
  const diff = shop.git('diff', '-M', '--numstat', '-z', 'v1.0.0', 'v2.0.0').split('\0').filter(Boolean);

  expect(lines.map((line) => line.split(' ')[3]).slice(0, 4)).toEqual([
    'src/format.ts',
    'src/index.ts',
    'src/later.ts',
    'src/send.ts',
  ]);
  expect(lines.slice(-3).map((line) => line.split(' ')[3])).toEqual([
    'test/send.test.ts',
    'docs/a.md',
    'package-lock.json',
  ]);
  expect(lines).toHaveLength(diff.filter((line) => line.includes('\t')).length);
  expect(lines).toContain('1 1 R src/long.ts');
  expect(files).toMatchObject({
    total: 11,
    plus: diff.reduce((sum, line) => sum + (line.includes('\t') ? Number(line.split('\t')[0]) : 0), 0),
    minus: diff.reduce((sum, line) => sum + (line.includes('\t') ? Number(line.split('\t')[1]) : 0), 0),
  });
});

test('commits between are counted by type, and changes for users and those that say that they break are named', async () => {
  const answer = await compare('v1.0.0..HEAD');

  expect(answer['commits']).toEqual({
    total: 2,
    by_type: { fix: 1, feat: 1 },
    merges: 0,
    only_in_first: 0,
    breaking: [{ sha: ids['more'], subject: 'feat!: format with a width' }],
  });
  expect(answer['notes']).toEqual([
    expect.stringMatching(/^Fixed: Send a copy \([\da-f]{7}\)$/),
    expect.stringMatching(/^says that it breaks: [\da-f]{7} feat!: format with a width$/),
  ]);
});

test('symbols are added, removed, changed and moved; a type stands for its members, a body does not count', async () => {
  expect(await changes('v1.0.0..v2.0.0', 'src')).toEqual(
    expect.arrayContaining([
      'added class Box',
      'added constant limit',
      'changed! function send',
      'changed! method Mail/open',
      'removed! method Mail/close',
      'removed function unused',
      'changed function inner',
      'moved function helper',
      'changed! function format',
      'removed! function later',
    ]),
  );
  expect(await changes('v1.0.0..v2.0.0', 'src')).toHaveLength(11);
  expect(await changes('v1.0.0..v2.0.0', 'test')).toEqual(['changed function check']);
});

test('what others use and what a package offers may break, with the reason', async () => {
  const { rows } = await compare('v1.0.0..v2.0.0');
  const breaking = rows.filter((row) => row['breaking'] === true);
  const of = (name: string): unknown => breaking.find((row) => row['name'] === name);

  expect(of('format')).toMatchObject({
    reach: 'repository',
    reason: 'signature changed; used in 1 other file',
    used_in: ['src/show.ts'],
    before: 'export function format(text: string)',
    signature: 'export function format(text: string, width: number)',
  });
  expect(of('send')).toMatchObject({ reach: 'public', reason: expect.stringContaining('through src/index.ts') });
  expect(of('Mail/open')).toMatchObject({ reach: 'public' });
  expect(rows.find(({ path, breaking: is }) => path === 'src/index.ts' && is === true)).toMatchObject({
    kind: 'export',
    name: 'later',
    reason: 'no longer exported; public interface',
  });
});

test('a branch beside the indexed history is compared from both ends, and from where it parted', async () => {
  const ends = await compare('main..feature/side');
  const parted = await compare('main...feature/side');

  expect(ends['commits']).toMatchObject({ total: 1, by_type: { perf: 1 }, only_in_first: 2 });
  expect(ends.notes?.join('\n')).toContain('main has 2 commits that feature/side has not');
  expect(parted.rows.map(({ path, change }) => change ?? path)).toEqual(['src/side.ts', 'added']);
  expect((await compare('feature/side~1..feature/side')).rows).toHaveLength(2);
});

test('pages put together are the whole, in text every row stands under its file', async () => {
  const whole = await compare('v1.0.0..');
  const rows: unknown[] = [];
  for (let cursor: unknown, pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
    const page = await compare('v1.0.0..', { limit: 3, cursor });
    rows.push(...page.rows);
    cursor = page['next'];
  }
  const text = await tool.text({ action: 'compare', query: 'v1.0.0..', limit: 100 });

  expect(rows).toEqual(whole.rows);
  expect(whole.total).toBe(rows.length);
  expect(text).toMatch(/: 2 commits \(feat 1, fix 1\); 11 files \+\d+ -\d+; \d+ may break\n/);
  expect(text).toContain('src/longer.ts\n R +1 -1 from src/long.ts');
  expect(text).toContain(
    'changed! export function format(text: string) => export function format(text: string, width: number)  (signature changed; used in 1 other file: src/show.ts)',
  );
  expect(text).toContain(`says that it breaks: ${ids['more']?.slice(0, 7)} feat!: format with a width`);
});

test('what no ref is called is refused with the nearest; what is no range with one', async () => {
  await expect(compare('v1.0..HEAD')).rejects.toMatchObject({
    code: 'unknown_id',
    message: 'shop has no branch, tag or commit "v1.0".',
    fix: expect.stringMatching(/nearest refs: v1\.0\.0, /),
  });
  await expect(compare('v1.0.0..side')).rejects.toMatchObject({ fix: expect.stringContaining('feature/side') });
  await expect(compare('HEAD~90..HEAD')).rejects.toMatchObject({ code: 'unknown_id' });
  await expect(compare('v1.0.0')).rejects.toMatchObject({
    code: 'bad_argument',
    fix: 'commit-tool compare query="v1.0.0..HEAD"',
  });
});

test('without contents files are compared and symbols told as not known', async () => {
  const text = await poor.text({ action: 'compare', query: 'v1.0.0..v2.0.0' });

  expect(text).toContain('lines and renames with edits are not known: file contents are missing');
  expect(text).toMatch(/the symbols of \d+ files are not known/);
  expect(text).toContain('src/send.ts\n M');
});
