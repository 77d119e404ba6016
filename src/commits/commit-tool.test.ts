import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { shardInput } from '../testing/code-shard.ts';
import {
  openCommitTool,
  openToolAndPartial,
  type TestCommitTool,
  type ToolAndPartial,
} from '../testing/commit-tool.ts';
import { testGit, testRepository, type TestRepository } from '../testing/git.ts';
import { connectInMemory } from '../testing/mcp-client.ts';
import { commitTool } from './commit-tool.ts';

const CALLER = { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read' as const] };

const BOT = 'renovate[bot] <bot@example.org>';
const SECOND = 'Second Author <second@example.org>';
const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line(${at});\n`).join('');
const SEND = 'export function send() {\n  deliver();\n}\n';
const SEND_RETRY = 'export function send() {\n  retry(deliver);\n}\n';

let shop: TestRepository;
let tools: ToolAndPartial;
let tool: TestCommitTool;
let poor: TestCommitTool;
const ids: string[] = [];

beforeAll(async () => {
  shop = testRepository();
  const commit = (...change: Parameters<TestRepository['commit']>): number => ids.push(shop.commit(...change));
  commit({ files: { 'src/old.ts': SEND, 'src/list.ts': lines(30) }, message: 'feat(mail): send mails\n\nCloses #7' });
  commit({
    files: { 'src/old.ts': SEND_RETRY },
    message:
      'fix(mail): try again when the server is busy (#12)\n\nSee https://host/acme/shop/issues/9 and https://host/other/lib/issues/3.',
  });
  shop.git('tag', 'v1.0.0');
  commit({ files: { 'src/old.ts': undefined, 'src/send.ts': SEND_RETRY }, message: 'refactor: move the sender' });
  commit({ files: { 'package-lock.json': '{"a": 1}\n' }, message: 'chore(deps): update a', author: BOT });
  commit({
    files: { 'src/send.ts': `${SEND_RETRY}// end\n`, 'src/list.ts': lines(31), 'yarn.lock': 'a\n' },
    message:
      'feat(list)!: page the list\n\nBREAKING CHANGE: lists are paged\nReviewed-by: Second Author <second@example.org>',
    author: SECOND,
  });
  commit({ files: { 'src/list.ts': lines(32) }, message: 'feat: sort the list', author: SECOND });
  shop.git('revert', '--no-edit', 'HEAD');
  ids.push(shop.git('rev-parse', 'HEAD'));
  const text = `${SEND_RETRY}// end\n`;
  const code = shardInput([
    { path: 'src/list.ts', text: lines(31), symbols: [{ qualified: 'list', kind: 'function', line: 1, end: 31 }] },
    { path: 'src/send.ts', text, symbols: [{ qualified: 'send', kind: 'function', line: 1, end: 3 }] },
  ]);
  tools = await openToolAndPartial(shop, ids.at(-1) ?? '', code);
  ({ tool, poor } = tools);
});

afterAll(() => tools.remove());

const sha = (at: number): string => (ids[at] ?? '').slice(0, 7);
const ask = (action: string, args: object = {}): Promise<string> => tool.text({ action, ...args });
const rows = async (action: string, args: object = {}): Promise<Record<string, unknown>[]> =>
  (await tool.json({ action, ...args }))['rows'] as Record<string, unknown>[];
const subjects = async (args: object): Promise<unknown[]> =>
  (await rows('search', args)).map(({ subject }) => String(subject).replace(/^.*?: /, ''));
const groups = async (by: string): Promise<unknown> =>
  (await tool.json({ action: 'classify', group_by: by }))['groups'];

test('commits of a year come newest first, those of bots are left out and counted', async () => {
  expect((await ask('search')).split('\n')).toEqual([
    expect.stringMatching(/^commit-tool search · shop@[0-9a-f]{7} main fresh · 6 of 6$/),
    expect.stringContaining(' Revert "feat: sort the list"  (First Author'),
    ` ${sha(5)} 2026-01-01 feat: sort the list  (Second Author)`,
    ` ${sha(4)} 2026-01-01 feat(list)!: page the list  (Second Author)`,
    ` ${sha(2)} 2026-01-01 refactor: move the sender  (First Author)`,
    ` ${sha(1)} 2026-01-01 fix(mail): try again when the server is busy (#12)  (First Author)`,
    ` ${sha(0)} 2026-01-01 feat(mail): send mails  (First Author)`,
    'period: 12 months to 2026-01-01',
    'left out: 1 commit by bots',
  ]);
});

test('a row says what the commit is and who says so', async () => {
  expect(await rows('search', { query: 'page list', limit: 1 })).toEqual([
    {
      sha: ids[4],
      date: '2026-01-01T04:00:00.000Z',
      author: 'Second Author',
      email: 'second@example.org',
      type: 'feat',
      breaking: true,
      breaking_by: ['prefix', 'footer'],
      scope: 'list',
      confidence: 1,
      label_source: 'author',
      subject: 'feat(list)!: page the list',
      id: `c:${sha(4)}`,
    },
  ]);
});

test('commits are found by words of message and path in any form, best first', async () => {
  expect((await subjects({ query: 'busy servers' }))[0]).toBe('try again when the server is busy (#12)');
  expect(await subjects({ query: 'paging', limit: 1 })).toEqual(['page the list']);
});

test('filters narrow by author, type, breaking, period and path, a file with its earlier names', async () => {
  expect(await subjects({ author: 'SECOND@' })).toEqual(['sort the list', 'page the list']);
  expect(await subjects({ author: 'renovate' })).toEqual(['update a']);
  expect(await subjects({ types: ['fix'] })).toEqual(['try again when the server is busy (#12)']);
  expect(await subjects({ types: ['breaking'] })).toEqual(['page the list']);
  expect(await subjects({ since: 'v1.0.0', until: sha(4) })).toEqual(['page the list', 'move the sender']);
  expect(await subjects({ since: 'HEAD~1' })).toHaveLength(1);
  expect(await subjects({ since: '2025-12-31', until: '2025-12-31' })).toEqual([]);
  expect(await subjects({ path: 'src/send.ts' })).toEqual([
    'page the list',
    'move the sender',
    'try again when the server is busy (#12)',
    'send mails',
  ]);
  expect(await subjects({ path: '*.lock' })).toEqual(['page the list']);
});

test('an empty answer says what was searched, and what is near', async () => {
  const path = await ask('search', { path: 'lib/send.ts' });

  expect(path.split('\n').slice(1)).toEqual([
    'nothing found in 7 commits (path)',
    'no file of this history matches path="lib/send.ts"',
    'nearest paths: src/send.ts',
    'period: the whole history',
  ]);
  expect(await ask('search', { author: 'Third Author' })).toContain('similar authors: First Author, Second Author');
});

test('a period after the newest commit says when that was; one that the call names is not said again', async () => {
  expect(await ask('search', { since: '2025-12-31' })).not.toContain('period');
  expect(await ask('search', { since: '5d' })).toContain(
    'period: 2026-01-27 to today, but the newest commit is from 2026-01-01',
  );
  // Nobody asks a history for minutes.
  expect(await ask('changelog', { since: '3m' })).toContain('period: 2025-11-03 to ');
  expect(await ask('changelog', { since: 'last 3m' })).toContain('period: 2025-11-03 to ');
});

test('commits that added or removed a text are found in contents', async () => {
  expect(await subjects({ query: '+retry(deliver)' })).toEqual(['try again when the server is busy (#12)']);
  expect(await subjects({ query: '-"  deliver();"' })).toEqual(['try again when the server is busy (#12)']);
  expect(await ask('search', { query: '+nowhere' })).toContain('no commit added "nowhere" in 6 commits');
});

test('a clone without contents says that it cannot search them, and shows what it knows', async () => {
  expect(await poor.text({ action: 'search', query: '+retry(' })).toContain('could not be searched');
  expect(await poor.text({ action: 'show', query: sha(4) })).toContain('symbols: not known');
});

test('a commit is shown with message, files, trailers, issues, and symbols that are there now', async () => {
  const [shown] = await rows('show', { query: `c:${sha(1)}` });

  expect(shown).toMatchObject({
    refs: ['#12', '#9', 'other/lib#3'],
    parents: [ids[0]],
    tags: ['v1.0.0'],
    files: [{ path: 'src/old.ts', status: 'M', added: 1, deleted: 1 }],
    symbols: [{ path: 'src/send.ts', kind: 'function', name: 'send', id: 'sym:send@src/send.ts' }],
  });
  const text = await ask('show', { query: 'HEAD~2' });
  expect(text).toContain('BREAKING CHANGE: lists are paged');
  expect(text).toContain(' A yarn.lock +1 -0  (lock)');
  expect((await rows('show', { query: ids[4] }))[0]).toMatchObject({
    trailers: [
      { key: 'BREAKING CHANGE', value: 'lists are paged' },
      { key: 'Reviewed-by', value: 'Second Author <second@example.org>' },
    ],
  });
});

test('commits are grouped and counted by type, scope, author, path and month', async () => {
  expect(await ask('classify')).toMatch(/6 of 6 \(feat 3, fix 1, refactor 1, revert 1\)\nfeat\n/);
  expect(await groups('author')).toEqual([
    { name: 'First Author', commits: 4 },
    { name: 'Second Author', commits: 2 },
  ]);
  expect(await groups('scope')).toContainEqual({ name: 'mail', commits: 2 });
  expect(await groups('path')).toEqual([{ name: 'src/', commits: 6 }]);
  expect(await groups('month')).toEqual([{ name: '2026-01', commits: 6 }]);
});

test('hotspots follow renames, leave out lock files and bots, and say why', async () => {
  const hotspots = await rows('hotspots', { format: 'json' });

  expect(
    hotspots.map(({ path, revisions, authors, fix_share: fixShare }) => [path, revisions, authors, fixShare]),
  ).toEqual(
    expect.arrayContaining([
      ['src/send.ts', 4, 2, 0.25],
      ['src/list.ts', 4, 2, 0],
    ]),
  );
  expect(hotspots).toHaveLength(2);
  // All of the year's changes are in its last twelfth.
  expect(hotspots[0]).toMatchObject({ series: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4] });
  expect(await ask('hotspots')).toContain('left out: 1 commit by bots, 1 change to lock, generated and vendored files');
});

test('coupling counts commits that changed both files, by the names they have now', async () => {
  expect(await rows('coupling', { path: 'src/send.ts' })).toEqual([
    expect.objectContaining({
      a: 'src/send.ts',
      b: 'src/list.ts',
      shared: 2,
      revisions_a: 4,
      revisions_b: 4,
      degree_pct: 50,
    }),
  ]);
  expect(await ask('coupling')).toContain('no files changed together often enough');
});

test('a changelog has versions, what breaks first, references, and neither reverts nor what they took back', async () => {
  const text = await ask('changelog', { since: '2025-12-31' });

  expect(text.split('\n').slice(1)).toEqual([
    '## [Unreleased]',
    '### Breaking changes',
    ` - **list:** Page the list (${sha(4)})`,
    '### Changed',
    ` - Move the sender (${sha(2)})`,
    '## [v1.0.0] - 2026-01-01',
    '### Added',
    ` - **mail:** Send mails (#7, ${sha(0)})`,
    '### Fixed',
    ` - **mail:** Try again when the server is busy (#12, #9, other/lib#3, ${sha(1)})`,
    'period: 2025-12-31 to 2026-01-01',
    'skipped: 0 changes without effect on users, 1 commit by bots, 2 commits reverted within the period and their reverts',
  ]);
});

test('a changelog of types shows them, and groups as it is asked', async () => {
  expect((await rows('changelog', { types: ['refactor'] })).map(({ text }) => text)).toEqual(['Move the sender']);
  expect(await ask('changelog', { group_by: 'scope' })).toContain('### list\n - **list:** **breaking** Page the list');
});

test('pages continue where the one before ended', async () => {
  const first = await tool.json({ action: 'search', limit: 4 });
  const second = await tool.json({ action: 'search', limit: 4, cursor: first['next'] });

  expect([first['total'], second['shown'], second['next']]).toEqual([6, 2, undefined]);
});

test('what cannot be asked is refused with what can', async () => {
  await expect(ask('search', { types: ['bug'] })).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(ask('search', { since: 'nowhere' })).rejects.toMatchObject({ code: 'unknown_id' });
  await expect(ask('show', { query: 'deadbeef' })).rejects.toMatchObject({ code: 'unknown_id' });
  await expect(ask('show')).rejects.toMatchObject({ code: 'bad_argument' });
});

test('a client hears how many repositories have answered, and how many commits were searched', async () => {
  const [repository] = await tool.parts.repositories(CALLER, undefined);
  if (repository === undefined) throw new Error('The test has no repository.');
  const both = commitTool({ ...tool.parts, repositories: async () => [repository, { ...repository, id: 'second' }] });
  const client = await connectInMemory(both, CALLER, () => new Date(Date.UTC(2026, 1, 1)));
  const heard = async (given: object): Promise<(string | undefined)[]> => {
    const messages: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string | undefined }): void => void messages.push(message);
    await client.callTool({ name: 'commit-tool', arguments: { ...given } }, { onprogress });
    return messages;
  };

  const changelog = await heard({ action: 'changelog' });
  const contents = await heard({ action: 'search', query: '+retry' });
  await client.close();

  expect([changelog[0], changelog.at(-1)]).toEqual([
    '0 of 2 history queries have finished',
    '2 of 2 history queries have finished',
  ]);
  expect(contents.at(-1)).toMatch(/^(\d+) of \1 commits have been searched$/);
});

test('a search without a date that finds little in the last year goes on to what is older', async () => {
  const history = testRepository();
  onTestFinished(() => history.remove());
  testGit(history.path, ['commit', '--quiet', '--allow-empty', '-m', 'feat: send mail'], '2024-05-01T00:00:00Z');
  history.commit({ message: 'fix: send mail again' });
  const commit = history.commit({ message: 'feat: take orders' });
  const own = await openCommitTool({ gitDir: history.git('rev-parse', '--absolute-git-dir'), commit });
  onTestFinished(() => own.close());

  const text = await own.text({ action: 'search', query: 'mail' });
  expect(text).toContain('2 of 2');
  expect(text).toContain(' 2024-05-01 feat: send mail');
  expect(await own.text({ action: 'search', query: 'mail', since: '1y' })).toContain('1 of 1');
  expect(await own.text({ action: 'search', query: 'orders' })).toContain('period: 12 months');
});

test('of enough commits of the last year those before it are told only where one fits the words much better', async () => {
  const history = testRepository();
  onTestFinished(() => history.remove());
  const before = (message: string): string =>
    testGit(history.path, ['commit', '--quiet', '--allow-empty', '-m', message], '2024-05-01T00:00:00Z');
  before('refactor: share settings between lanes of a track');
  before('feat: read settings');
  let commit = '';
  for (let lane = 0; lane < 20; lane += 1) {
    history.commit({ message: `feat: add settings for lanes ${lane}` });
    commit = history.commit({ message: `fix: paint track ${lane}` });
  }
  const own = await openCommitTool({ gitDir: history.git('rev-parse', '--absolute-git-dir'), commit });
  onTestFinished(() => own.close());

  // Those of the year have two of the three words.
  const all = await own.text({ action: 'search', query: 'settings of lanes of a track', limit: 1 });
  expect(all).toContain(' 2024-05-01 refactor: share settings between lanes');
  expect(all).toContain('1 of 42');
  // A shorter subject fits a little better.
  expect(await own.text({ action: 'search', query: 'settings', limit: 1 })).toContain('1 of 20');
});
