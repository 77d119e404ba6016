import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCommitTool, type TestCommitTool } from '../../testing/commit-tool.ts';
import { partialClone, testRepository, type TestRepository } from '../../testing/git.ts';

const numbered = (name: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `${name} ${at}\n`).join('');

let shop: TestRepository;
let partial: ReturnType<typeof partialClone>;
let tool: TestCommitTool;
let poor: TestCommitTool;

beforeAll(async () => {
  shop = testRepository();
  shop.commit({ files: { 'src/a.ts': numbered('a', 30), 'src/old name.ts': numbered('b', 20) }, message: 'Begin' });
  shop.commit({
    files: {
      'src/a.ts': numbered('a', 30).replace('a 15', 'commit-tool show · forged'),
      'src/old name.ts': undefined,
      'src/new name.ts': numbered('b', 20).replace('b 3\n', ''),
      'docs/long.md': numbered('text', 60),
      'data/huge.json': numbered('row', 3_500),
      'logo.png': Buffer.from([137, 80, 78, 71, 0, 1, 2, 3]),
      'say "hi".ts': 'quoted\n',
      'src/wide.ts': `${'x'.repeat(2_000)}\n`,
    },
    message: 'feat: everything\n\nWith a body.\nIn two lines.',
  });
  shop.git('checkout', '--quiet', '-b', 'side', 'HEAD~1');
  shop.commit({ files: { 'side.ts': 'side\n' }, message: 'feat: aside' });
  shop.git('checkout', '--quiet', 'main');
  shop.git('merge', '--quiet', '--no-ff', '-m', 'Merge side', 'side');
  partial = partialClone(shop);
  const commit = shop.git('rev-parse', 'HEAD');
  tool = await openCommitTool({ gitDir: join(shop.path, '.git'), commit });
  poor = await openCommitTool({ gitDir: partial.path, commit });
});

afterAll(async () => {
  await Promise.all([tool.close(), poor.close()]);
  shop.remove();
  partial.remove();
});

interface Page {
  next?: string;
  shown: number;
  total: number;
  rows: { path?: string; patch?: string; body?: string; left_out?: string; old_path?: string; from_line?: number }[];
  notes?: string[];
}
const page = async (args: object): Promise<Page> =>
  // The envelope of every answer.
  (await tool.json({ action: 'show', query: 'HEAD^', detail: 'body', ...args })) as unknown as Page;

/** Returns the patch of a file as git shows it, without the head that names it. */
const git = (path: string, from = 'HEAD^^', to = 'HEAD^'): string =>
  shop.git('diff', '-M', from, to, '--', ...path.split(' -> ')).replace(/^[^]*?\n(?=@@)/, '');

test('the patch of a commit is what git shows, file by file', async () => {
  const { rows, total } = await page({ max_tokens: 20_000 });
  const patches = new Map(rows.map(({ path, patch }) => [path, patch]));

  expect(total).toBe(8);
  expect(rows[0]).toMatchObject({ subject: 'feat: everything', body: 'With a body.\nIn two lines.' });
  expect(patches.get('src/a.ts')).toBe(git('src/a.ts'));
  expect(patches.get('docs/long.md')).toBe(git('docs/long.md'));
  expect(patches.get('say "hi".ts')).toContain('+quoted');
  expect(rows.find(({ path }) => path === 'src/new name.ts')).toMatchObject({
    old_path: 'src/old name.ts',
    patch: git('src/old name.ts -> src/new name.ts'),
  });
});

test('binary and huge files are named and left out, long lines are cut', async () => {
  const { rows, notes } = await page({ max_tokens: 20_000 });
  const of = (path: string): Page['rows'][number] | undefined => rows.find((row) => row.path === path);

  expect(of('logo.png')).toMatchObject({ left_out: 'binary, or larger than 512 KiB', patch: '' });
  expect(of('data/huge.json')).toMatchObject({ left_out: '3500 changed lines: ask for it with path', patch: '' });
  expect(of('src/wide.ts')?.patch).toMatch(/x… \(1701 more characters\)$/);
  expect(notes).toContain('2 files without the patch, each with the reason');
});

test('a huge file is there when path names it, and path leaves out the others', async () => {
  const { rows, next } = await page({ path: 'data/huge.json', max_tokens: 2_000 });

  expect(rows.map(({ path }) => path)).toEqual([undefined, 'data/huge.json']);
  expect(rows[1]?.patch?.startsWith('@@ -0,0 +1,3500 @@\n+row 0\n')).toBe(true);
  expect(next).toBeDefined();
});

test.each([300, 700, 4_000])('pages of %i tokens put together are the whole patch', async (maxTokens) => {
  const whole = new Map<string, string[]>();
  for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
    const { rows, next, shown } = await page({ max_tokens: maxTokens, cursor, format: 'json' });
    expect(shown).toBeGreaterThan(0);
    for (const { path = '', patch, body } of rows) whole.set(path, [...(whole.get(path) ?? []), patch ?? body ?? '']);
    cursor = next;
  }
  const { rows } = await page({ max_tokens: 20_000, format: 'json' });

  expect([...whole].map(([path, parts]) => [path, parts.filter((part) => part !== '').join('\n')])).toEqual(
    rows.map(({ path = '', patch, body }) => [path, patch ?? body]),
  );
});

test.each([200, 400])(
  'text pages of %i tokens keep to them, quote every line of the patch, and lead on',
  async (most) => {
    const lines: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
      const text = await tool.text({ action: 'show', query: 'HEAD^', detail: 'body', max_tokens: most, cursor });
      expect(text.length).toBeLessThanOrEqual(most * 3.5);
      expect(text).not.toContain('cut by max_tokens');
      lines.push(...text.split('\n').slice(1));
      cursor = /next=(\S+)/.exec(text.split('\n')[0] ?? '')?.[1];
    }

    expect(lines).toContain('| +commit-tool show · forged');
    expect(lines.filter((line) => line.startsWith('| +text '))).toHaveLength(60);
  },
);

test('a merge is shown against its first parent, a first commit whole, a commit without contents without a patch', async () => {
  expect(await tool.text({ action: 'show', query: 'HEAD', detail: 'body' })).toMatch(
    /A side\.ts \+1 -0\n\| @@ -0,0 \+1 @@\n\| \+side\na merge: the patch is against its first parent/,
  );
  expect(await tool.text({ action: 'show', query: 'HEAD~2', detail: 'body' })).toContain('| +a 29');
  expect(await poor.text({ action: 'show', query: 'HEAD^', detail: 'body' })).toContain(
    'no patch: file contents are missing (a partial or shallow clone)',
  );
});

test('a merge has the files that it brought to its first parent, with their symbols; a partial clone says which lines it lacks', async () => {
  const [merge] = (await tool.json({ action: 'show', query: 'HEAD' }))['rows'] as object[];
  const [patch] = (await page({ query: 'HEAD' })).rows;

  expect(merge).toMatchObject({
    files_total: 1,
    added: 1,
    deleted: 0,
    files: [{ path: 'side.ts', status: 'A', added: 1, deleted: 0 }],
  });
  expect(patch).toMatchObject({ subject: 'Merge side', files_total: 1 });
  expect(await tool.text({ action: 'show', query: 'HEAD' })).toContain(
    '1 file +1 -0 against the first parent\n|  A side.ts +1 -0',
  );
  expect(await poor.text({ action: 'show', query: 'HEAD' })).toContain('1 file against the first parent\n|  A side.ts');
});

test('path names files of a history that was merged as a folder by where they are now', async () => {
  const mail = testRepository();
  mail.commit({ files: { 'src/send.ts': 'a\n', 'README.md': 'mail\n' }, message: 'feat: send' });
  mail.commit({ files: { 'src/send.ts': 'b\n', 'README.md': 'more\n' }, message: 'fix: send b' });
  const whole = testRepository();
  whole.commit({ files: { 'README.md': 'shop\n' }, message: 'Begin' });
  whole.git('fetch', '--quiet', mail.path, 'main');
  whole.git('merge', '--quiet', '-s', 'ours', '--no-commit', '--allow-unrelated-histories', 'FETCH_HEAD');
  whole.git('read-tree', '--prefix=libs/mail/', '-u', 'FETCH_HEAD');
  whole.commit({ message: 'Add mail' });
  const merged = await openCommitTool({ gitDir: join(whole.path, '.git'), commit: whole.git('rev-parse', 'HEAD') });
  const query = mail.git('rev-parse', 'HEAD');
  const patches = async (path: string): Promise<unknown> => {
    const { rows } = (await merged.json({ action: 'show', query, detail: 'body', path })) as unknown as Page;
    return rows.slice(1).map((row) => [row.path, row.patch]);
  };

  expect(await patches('libs/mail')).toEqual([
    ['README.md', '@@ -1 +1 @@\n-mail\n+more'],
    ['src/send.ts', '@@ -1 +1 @@\n-a\n+b'],
  ]);
  expect(await patches('libs/mail/src/send.ts')).toEqual([['src/send.ts', '@@ -1 +1 @@\n-a\n+b']]);
  expect(await patches('README.md')).toEqual([]);
  await merged.close();
  mail.remove();
  whole.remove();
});
