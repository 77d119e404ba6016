import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKeys, type Keys } from '../keys/keys.ts';
import { testAccount } from '../testing/account.ts';
import { shardInput } from '../testing/code-shard.ts';
import { openCommitTool, type TestCommitTool } from '../testing/commit-tool.ts';
import { testRepository, type TestRepository } from '../testing/git.ts';
import { startService, type TestService } from '../testing/http.ts';
import { FileFacts } from './files/file-facts.ts';
import { fileFactRoutes } from './routes.ts';

let shop: TestRepository;
let tool: TestCommitTool;
let keys: Keys;
let service: TestService;
const secrets = { read: '', 'decisions:write': '' };

beforeAll(async () => {
  shop = testRepository([{ files: { 'src/a.ts': 'send();\n' }, message: 'Send, because nobody did (#3)' }]);
  const commit = shop.git('rev-parse', 'HEAD');
  const code = shardInput([{ path: 'src/a.ts', text: 'send();\n' }]);
  tool = await openCommitTool({ gitDir: join(shop.path, '.git'), commit }, code);
  const { database, accountId, productId, actor } = await testAccount();
  keys = await openKeys(database, () => new Date(), {
    onFault: (error) => {
      throw error;
    },
  });
  for (const scope of ['read', 'decisions:write'] as const) {
    const made = await keys.createKey({ accountId, product: productId, name: scope, scopes: [scope], actor });
    secrets[scope] = made.secret;
  }
  service = await startService({ operations: [], gate: keys, routes: [fileFactRoutes(new FileFacts(tool.parts))] });
});
afterAll(async () => {
  await service.close();
  await keys.close();
  await tool.close();
  shop.remove();
});

const get = (artifact: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.url}/v1/artifacts/${artifact}`, { headers: { 'x-api-key': secrets.read, ...headers } });

test('ownership is one snake_case document', async () => {
  const answer = await get('ownership?path=src/a.ts');

  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    path: 'src/a.ts',
    repo: 'shop',
    ref: 'main',
    commit: shop.git('rev-parse', 'HEAD'),
    index: { state: 'fresh', behind: 0, gaps: [] },
    bus_factor: 1,
    owners: [
      {
        author: 'First Author',
        email: 'first@example.org',
        lines: 1,
        lines_pct: 100,
        commits: 1,
        commits_decayed_pct: 100,
        last: '2026-01-01',
        ranges: [[1, 1]],
      },
    ],
    reviewers: [],
    likely_next: [
      {
        author: 'First Author',
        email: 'first@example.org',
        score: 1,
        file: 1,
        folder: 1,
        repository: 1,
        idle_days: 0,
      },
    ],
    codeowners: null,
    notes: [],
  });
});

test('rationale gives the reasons of each range', async () => {
  const answer = await get('rationale?path=src/a.ts&lines=1');

  expect(await answer.json()).toMatchObject({
    path: 'src/a.ts',
    ranges: [
      {
        start: 1,
        end: 1,
        reasons: [
          { kind: 'commit', text: 'Send, because nobody did (#3)', confidence: 0.5, date: '2026-01-01' },
          { kind: 'issue', id: '#3', date: '2026-01-01' },
        ],
      },
    ],
  });
});

test('an answer that the client has is not sent again', async () => {
  const etag = (await get('ownership?path=src/a.ts')).headers.get('etag') ?? '';
  const again = await get('ownership?path=src/a.ts', { 'if-none-match': `"other", ${etag}` });
  const other = await get('rationale?path=src/a.ts', { 'if-none-match': etag });

  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  expect(other.status).toBe(200);
});

test.each([
  ['ownership?path=none.ts', 404, 'not_found'],
  ['ownership', 400, 'bad_argument'],
  ['rationale?path=src/a.ts&lines=9-2', 400, 'bad_argument'],
  ['rationale?path=src/a.ts&lines=x', 400, 'bad_argument'],
])('a faulty request is told what to do: %s', async (artifact, status, code) => {
  const answer = await get(artifact);

  expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([status, code]);
});

test('a key that may not read gets nothing', async () => {
  expect((await get('ownership?path=src/a.ts', { 'x-api-key': secrets['decisions:write'] })).status).toBe(403);
});
