import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { shardInput } from '../../testing/code-shard.ts';
import {
  openCommitTool,
  openToolAndPartial,
  type TestCommitTool,
  type ToolAndPartial,
} from '../../testing/commit-tool.ts';
import { testFolder, testRepository, type TestRepository } from '../../testing/git.ts';
import { FileFacts, type FileRequest } from './file-facts.ts';

const FIRST = 'First Author <first@example.org>';
const SECOND = 'Second Author <second@example.org>';
const BOT = 'renovate[bot] <bot@example.org>';
const CART = ['export function add() {', '  round();', '}', '', 'export function sum() {', '  return 1;', '}'];

let shop: TestRepository;
let tools: ToolAndPartial;
let tool: TestCommitTool;
let poor: TestCommitTool;
const ids: string[] = [];

const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
const request = (path: string): FileRequest => ({
  caller: { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read'] },
  signal: new AbortController().signal,
  path,
});

beforeAll(async () => {
  shop = testRepository();
  const commit = (...change: Parameters<TestRepository['commit']>): number => ids.push(shop.commit(...change));
  commit({ files: { 'old.ts': text(CART) }, message: 'Add a cart', author: FIRST });
  commit({ files: { 'old.ts': undefined, 'src/cart.ts': text(CART) }, message: 'Move the cart', author: FIRST });
  const why = ['export function add() {', '  // WHY: cents', '  cents();', '}', ...CART.slice(3)];
  commit({
    files: { 'src/cart.ts': text(why), CODEOWNERS: '/src/ second@example.org\n' },
    message:
      'Add cents\n\nThe sums were wrong (#12).\n\nThis counts in cents, because halves of cents were lost.\n\nReviewed-by: First Author <first@example.org>',
    author: SECOND,
  });
  commit({ files: { 'src/cart.ts': text([...why, '// end']) }, message: 'Update', author: BOT });
  commit({ files: { 'src/mail.ts': 'send();\n' }, message: 'Add mails', author: SECOND });
  const code = shardInput([
    {
      path: 'src/cart.ts',
      text: text([...why, '// end']),
      symbols: [
        { qualified: 'add', kind: 'function', line: 1, end: 4 },
        { qualified: 'sum', kind: 'function', line: 6, end: 8 },
      ],
    },
    { path: 'src/mail.ts', text: 'send();\n' },
  ]);
  tools = await openToolAndPartial(shop, ids.at(-1) ?? '', code);
  ({ tool, poor } = tools);
});

afterAll(() => tools.remove());

const handle = (at: number): string => `c:${(ids[at] ?? '').slice(0, 7)}`;

test('ownership joins lines, commits through renames, reviewers and CODEOWNERS; programs are nobody', async () => {
  const ownership = await new FileFacts(tool.parts).ownership(request('src/cart.ts'));

  expect(ownership.owners).toEqual([
    expect.objectContaining({
      author: 'First Author',
      lines: 6,
      commits: 2,
      linesPercent: 75,
      ranges: [
        [1, 1],
        [4, 8],
      ],
    }),
    expect.objectContaining({ author: 'Second Author', lines: 2, commits: 1, linesPercent: 25, ranges: [[2, 3]] }),
  ]);
  expect(ownership.owners[0]?.decayedPercent).toBeCloseTo(66.7, 0);
  expect(ownership).toMatchObject({
    busFactor: 1,
    reviewers: [{ name: 'First Author', reviews: 1 }],
    codeowners: { file: 'CODEOWNERS', line: 1, owners: ['second@example.org'] },
    agrees: false,
    gaps: [],
  });
  expect(ownership.likelyNext.map(({ author }) => author)).toEqual(['Second Author', 'First Author']);
});

test('without contents ownership is that of the commits, and the answer says so', async () => {
  const ownership = await new FileFacts(poor.parts).ownership(request('src/cart.ts'));

  expect(ownership.gaps).toEqual([expect.stringContaining('git cannot say')]);
  expect(ownership.owners.map(({ author, lines, commits }) => [author, lines, commits])).toEqual([
    ['First Author', 0, 2],
    ['Second Author', 0, 1],
  ]);
  expect(ownership.busFactor).toBe(1);
});

test('rationale gives each symbol the commits that wrote it, their issues and comments, newest first', async () => {
  const { ranges, gaps } = await new FileFacts(tool.parts).rationale(request('./src/cart.ts'));

  expect(gaps).toEqual([]);
  expect(ranges.map(({ start, end, symbol }) => [start, end, symbol])).toEqual([
    [1, 4, 'add'],
    [6, 8, 'sum'],
  ]);
  expect(ranges[0]?.reasons.map(({ kind, id, confidence }) => [kind, id, confidence])).toEqual([
    ['comment', 'src/cart.ts:2', 0.9],
    ['commit', handle(2), 0.8],
    ['issue', '#12', 0.5],
    ['commit', handle(0), 0.3],
  ]);
  expect(ranges[0]?.reasons[1]?.text).toBe('Add cents\nThis counts in cents, because halves of cents were lost.');
  expect(ranges[1]?.reasons.map(({ id }) => id)).toEqual([handle(0)]);
});

test('asked for lines, rationale follows them through all commits that changed them', async () => {
  const facts = new FileFacts(tool.parts);

  const { ranges } = await facts.rationale({ ...request('src/cart.ts'), lines: { start: 3, end: 3 } });

  expect(ranges[0]?.reasons.filter(({ kind }) => kind === 'commit').map(({ id }) => id)).toEqual([
    handle(2),
    handle(0),
  ]);
  await expect(facts.rationale({ ...request('src/cart.ts'), lines: { start: 30, end: 31 } })).rejects.toMatchObject({
    code: 'bad_argument',
  });
});

test('reasons of other parts of the product stand among the others by their date', async () => {
  const time = Date.UTC(2027, 0, 1) / 1000;
  const requests: unknown[] = [];
  const facts = new FileFacts(tool.parts, [
    async ({ caller, repositoryId, path }) => {
      requests.push([caller.accountId, repositoryId, path]);
      return [
        { kind: 'decision', id: 'dec:1', text: 'Count in cents', confidence: 1, time, line: 6 },
        { kind: 'decision', id: 'dec:2', text: 'Of other lines', confidence: 1, time, line: 9 },
        { kind: 'plan', id: 'plan:whole', text: 'Of the whole file', confidence: 0.5, time: time - 1 },
      ];
    },
  ]);

  const { ranges } = await facts.rationale({ ...request('src/cart.ts'), lines: { start: 6, end: 8 } });

  expect(ranges[0]?.reasons.map(({ id }) => id)).toEqual(['dec:1', 'plan:whole', handle(0)]);
  expect(requests).toEqual([['a', 'shop', 'src/cart.ts']]);
});

test('a file that the commit does not have is unknown', async () => {
  const facts = new FileFacts(tool.parts);

  await expect(facts.ownership(request('old.ts'))).rejects.toMatchObject({ code: 'unknown_id' });
  await expect(facts.rationale(request('src'))).rejects.toMatchObject({ code: 'unknown_id' });
});

test('of a shallow clone every answer says where its history is cut', async () => {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  shop.git('clone', '--quiet', '--bare', '--depth=2', `file://${shop.path}`, join(folder, 'shallow'));
  const cut = await openCommitTool({ gitDir: join(folder, 'shallow'), commit: ids.at(-1) ?? '' });
  onTestFinished(() => cut.close());

  const { busFactor, gaps } = await new FileFacts(cut.parts).ownership(request('src/mail.ts'));
  const searched = await cut.text({ action: 'search', query: 'nothingofthekind' });

  expect(busFactor).toBe(1);
  expect(gaps).toEqual([expect.stringContaining('The history is cut at 2 commits (a shallow clone)')]);
  expect(searched).toContain('partial (history cut at 2 commits)');
  expect(searched).not.toContain('whole history');
});
