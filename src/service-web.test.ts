import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { OpenService } from './cli/command.ts';
import { readConfig } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { openService } from './service.ts';
import { testFolder, testRepository } from './testing/git.ts';

const MAIL =
  'export function sendMail(to: string): string {\n  return to;\n}\nexport const subject = sendMail("ada");\n';

const dataDir = testFolder();
const shop = testRepository([{ files: { 'mail.ts': MAIL, 'large.ts': `// ${'words '.repeat(20)}\n`.repeat(10_000) } }]);
const stock = testRepository([{ files: { 'stock.ts': 'export class MailStock {}\n' } }]);
let service: OpenService;
let cookie: string;

/** Sends as the owner in the browser. */
async function get<Answer>(path: string): Promise<{ status: number; answer: Answer }> {
  const response = await service.request(`/app/api/${path}`, { headers: { cookie } });
  return { status: response.status, answer: (await response.json()) as Answer };
}

async function addIndexed(url: string, name: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await service.request('/v1/repositories', { method: 'POST', headers, body: JSON.stringify({ url, name }) });
  await expect.poll(async () => (await get<{ status: string }>(`repositories/${name}`)).answer.status).toBe('ready');
}

beforeAll(async () => {
  const config = readConfig({
    SVC_DATA_DIR: dataDir,
    SVC_LOG_LEVEL: 'silent',
    SVC_EXTRACT_PROCESSES: '1',
    SVC_EXACT_PASS: 'off',
    SVC_ENCODER: 'off',
  });
  const context = { log: createLog('silent'), version: '0.0.0', now: () => new Date() };
  service = await openService(config, { serve: false, work: true }, context);
  const made = await service.request('/v1/login-link', { method: 'POST' });
  const { url } = (await made.json()) as { url: string };
  const signedIn = await service.request('/app/api/sign-in/link', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token: url.split('#token=')[1] }),
  });
  cookie = (signedIn.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
});
afterAll(async () => {
  await service.close();
  shop.remove();
  stock.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

interface SearchPage {
  total: number;
  rows: { repo: string; path: string; line: number; text: string; symbol?: string }[];
  next: string | null;
  notes: string[];
  indexes: { repo: string; state: string; commit: string }[];
  call: { name: string; arguments: Record<string, unknown> };
}

test('people search, page by page, what clients find, and see the same question as a call', async () => {
  const empty = await get<{ error: { code: string } }>('search?q=mail');
  await addIndexed(shop.path, 'shop');
  const words = await get<SearchPage>('search?q=send+mail&limit=1');
  const next = await get<SearchPage>(`search?q=send+mail&limit=1&cursor=${words.answer.next}`);
  const symbols = await get<SearchPage>('search?q=sendMail&mode=symbols&kinds=function&path=mail.ts&tests=exclude');
  const text = await get<SearchPage>('search?q=subject|sendMail&mode=text');
  const none = await get<SearchPage>('search?q=nothingLikeThis&mode=symbols&kinds=class');

  expect([empty.status, empty.answer.error.code]).toEqual([409, 'conflict']);
  const row = { repo: 'shop', path: 'mail.ts', line: 1, text: 'export function sendMail(to: string): string' };
  expect(words.answer).toMatchObject({ rows: [{ ...row, symbol: 'sendMail' }], notes: [] });
  expect(words.answer.call).toEqual({
    name: 'code-tool',
    arguments: { action: 'semantic_search', query: 'send mail', limit: 1 },
  });
  expect(next.answer.rows).toHaveLength(1);
  expect(next.answer.rows[0]).not.toEqual(words.answer.rows[0]);
  expect(symbols.answer.rows).toMatchObject([{ path: 'mail.ts', symbol: 'sendMail', exported: true, refs: 1 }]);
  expect(symbols.answer.call.arguments).toEqual({
    action: 'search_symbols',
    query: 'sendMail',
    path: 'mail.ts',
    kind: ['function'],
    tests: 'exclude',
  });
  expect(text.answer.rows.map(({ line }) => line)).toEqual([1, 4]);
  expect([none.answer.total, none.answer.notes.length > 0]).toEqual([0, true]);
  expect(words.answer.indexes).toMatchObject([{ repo: 'shop', commit: shop.git('rev-parse', 'HEAD') }]);
});

test('what the index covers is told, with the files that could not be read whole', async () => {
  const summary = await get<Record<string, unknown>>('repositories/shop/files-summary');

  expect(summary.answer).toMatchObject({
    files: 2,
    languages: { TypeScript: 1 },
    unparsed: 1,
    unparsed_files: [{ path: 'large.ts', reason: 'larger than 1 MB: searched as text, not parsed' }],
  });
});

test('over several repositories rows name theirs, and the call asks for all', async () => {
  await addIndexed(stock.path, 'stock');

  const all = await get<SearchPage>('search?q=mail&mode=symbols');
  const single = await get<SearchPage>('search?q=mail&mode=symbols&repo=stock');

  expect(new Set(all.answer.rows.map(({ repo }) => repo))).toEqual(new Set(['shop', 'stock']));
  expect(all.answer.call.arguments).toMatchObject({ repo: '*' });
  expect(single.answer.rows.map(({ repo }) => repo)).toEqual(['stock']);
  expect(single.answer.call.arguments).toMatchObject({ repo: 'stock' });
});

const at = (page: string, repo = 'shop'): ReturnType<typeof get<Record<string, unknown>>> =>
  get(`repositories/${repo}/${page}`);

test('people see the history that clients ask for: hotspots, coupling, changelog, commits, owners', async () => {
  const sha = shop.git('rev-parse', 'HEAD');

  const [hotspots, coupling, changelog, commits, refs, files, owners, ownership, blame, commit, unknown] =
    await Promise.all([
      at('history/hotspots'),
      at('history/coupling?path=mail.ts'),
      at('history/changelog?since=2020-01-01'),
      at('history/commits?types=chore,feat&limit=1'),
      at('history/refs'),
      at('history/files?query=MAIL'),
      at('history/owners?path=mail.ts'),
      at('history/ownership'),
      at('history/blame?path=mail.ts'),
      at(`commits/${sha.slice(0, 8)}`),
      at('commits/deadbeef'),
    ]);

  expect(hotspots.answer).toMatchObject({ total: 1, next: null, rows: [{ path: 'mail.ts', revisions: 1 }] });
  expect(coupling.answer).toMatchObject({ rows: [{ a: 'mail.ts', b: 'large.ts', shared: 1 }] });
  expect(changelog.answer).toMatchObject({ notes: expect.arrayContaining([expect.stringContaining('period: 2020')]) });
  expect(commits.status).toBe(200);
  expect(refs.answer).toEqual({ branch: 'main', commit: sha, tags: [] });
  expect(files.answer).toEqual({ paths: ['mail.ts'] });
  expect(owners.answer).toMatchObject({ path: 'mail.ts', bus_factor: 1, owners: [{ lines: 4, lines_pct: 100 }] });
  expect(ownership.answer).toMatchObject({
    commit: sha,
    people: ['First Author'],
    files: expect.arrayContaining([{ path: 'mail.ts', lines: 4, bus_factor: 1, owner: 0, owner_pct: 100 }]),
  });
  expect(blame.answer).toMatchObject({ commit: sha, ranges: [{ start: 1, end: 4, sha }] });
  expect(commit.answer).toMatchObject({ sha, files_total: 2, symbols: expect.any(Array) });
  expect(unknown.status).toBe(404);
});

test('people read a file as a commit has it, and what its names mean', async () => {
  const commit = shop.git('rev-parse', 'HEAD');

  const [root, file, large, names, gone, unknownRef, noRepository] = await Promise.all([
    at('content'),
    at(`content?path=/mail.ts&ref=${commit.slice(0, 12)}`),
    at('content?path=large.ts'),
    at('names?path=mail.ts&ref=main'),
    at('content?path=mail.tsx'),
    at('content?path=mail.ts&ref=nowhere'),
    get<Record<string, unknown>>('repositories/nowhere/content?path=mail.ts'),
  ]);

  expect(root.answer).toMatchObject({
    kind: 'folder',
    commit,
    indexed_commit: commit,
    entries: [
      { name: 'large.ts', kind: 'file' },
      { name: 'mail.ts', size_bytes: MAIL.length },
    ],
    readme: null,
  });
  expect(file.answer).toMatchObject({ kind: 'file', path: 'mail.ts', commit, text: MAIL, left_out: null });
  expect(large.answer).toMatchObject({ kind: 'file', text: null, left_out: 'Larger than 1 MB.' });
  expect(names.answer).toMatchObject({
    commit,
    symbols: [{ id: 'sym:sendMail@mail.ts', kind: 'function', line: 1, refs: 1 }],
    places: [{ line: 4, column: 23, symbol: 0, grade: 'resolved' }],
    defined: [
      { name: 'sendMail', line: 1, end: 3, column: 16, depth: 0 },
      { name: 'subject', line: 4, column: 13 },
    ],
    is_cut: false,
  });
  expect([gone.status, unknownRef.status, noRepository.status]).toEqual([404, 404, 404]);
});

test.each([
  '..',
  '../..',
  'src/../../x',
  '../../etc/passwd',
  '/etc/passwd',
  'a//b',
  '.git/config',
  ':(glob)*',
  ':!mail.ts',
  '-h',
])('a path that leads out of a repository, or means something to git, is of no file: %s', async (path) => {
  const [content, names] = await Promise.all([
    at(`content?path=${encodeURIComponent(path)}`),
    at(`names?path=${encodeURIComponent(path)}`),
  ]);

  expect(content).toMatchObject({ status: 404, answer: { error: { code: 'not_found' } } });
  expect(names).toMatchObject({ answer: { symbols: [], places: [], defined: [] } });
});

/** Commits of all repositories, as REST answers them. */
async function searchAll(args: object): Promise<{ total: number; notes: string[]; error?: { code: string } }> {
  const body = JSON.stringify({ action: 'search', repo: '*', format: 'json', ...args });
  const headers = { 'content-type': 'application/json' };
  return (await service.request('/v1/tools/commit-tool', { method: 'POST', headers, body })).json() as never;
}

test('a ref that one of several repositories lacks leaves that one out of the answer, and says so', async () => {
  const both = await searchAll({});
  const atHead = await searchAll({ until: shop.git('rev-parse', 'HEAD') });
  const neither = await searchAll({ until: 'nowhere' });

  expect([both.total, atHead.total]).toEqual([2, 1]);
  expect(atHead.notes).toContainEqual(expect.stringMatching(/^left out: stock has no commit, tag or branch/));
  expect(neither.error?.code).toBe('not_found');
});

test('files with syntax errors are told in answers, as freshness and on the page, with their lines', async () => {
  const files = {
    'lost.kt': 'fun one() = 1\n\nclass Two( {\n  fun three(a: Int {\n    return a\n  }\n}\n',
    'lost.ts': 'export function whole() {\n  return ((;\n}\n',
    'kept.go': 'package a\n\nfunc One() int { return 1 + ) }\n',
    'old.dart': 'int four() => 4;\n',
  };
  const broken = testRepository([{ files }]);
  onTestFinished(() => broken.remove());
  await addIndexed(broken.path, 'broken');
  const body = JSON.stringify({ action: 'definition', repo: 'broken', query: 'one', format: 'json' });
  const headers = { 'content-type': 'application/json' };

  const answer = await service.request('/v1/tools/code-tool', { method: 'POST', headers, body });
  const page = await get<Record<string, unknown>>('repositories/broken');
  const summary = await get<Record<string, unknown>>('repositories/broken/files-summary');

  const lacks = 'partial (2 files with syntax errors, 1 file unparsed)';
  const gaps = [
    'Not fully read because of syntax errors: lost.kt (lines 3-5), lost.ts (lines 1-2).',
    'Not parsed: old.dart (no parser for Dart: searched as text).',
  ];
  expect(await answer.json()).toMatchObject({ index: { state: 'partial', unparsed: 3, gaps } });
  expect(page.answer).toMatchObject({ freshness: expect.stringContaining(lacks) as string, unparsed: 3, gaps });
  expect(summary.answer).toMatchObject({
    files: 4,
    unparsed: 3,
    unparsed_files: [
      { path: 'lost.kt', reason: 'syntax errors in lines 3-5' },
      { path: 'lost.ts', reason: 'syntax errors in lines 1-2' },
      { path: 'old.dart', reason: 'no parser for Dart: searched as text' },
    ],
  });
});

test('a file of an older commit is read as it was, also when it has been removed since', async () => {
  const moved = testRepository([
    { files: { 'docs/readme.md': '# Old\n', 'docs/a.bin': 'a\u0000b', 'src/old.ts': 'export const old = 1;\n' } },
    { files: { 'docs/readme.md': '# New\n', 'src/old.ts': undefined } },
  ]);
  onTestFinished(() => moved.remove());
  await addIndexed(moved.path, 'moved');
  const [old, now] = ['HEAD~1', 'HEAD'].map((name) => moved.git('rev-parse', name));

  const before = await at(`content?path=src/old.ts&ref=${old}`, 'moved');
  const after = await at('content?path=src/old.ts', 'moved');
  const folder = await at(`content?path=docs/&ref=HEAD~1`, 'moved');
  const binary = await at('content?path=docs/a.bin', 'moved');

  expect(before.answer).toMatchObject({ commit: old, indexed_commit: now, text: 'export const old = 1;\n' });
  expect(after.status).toBe(404);
  expect(folder.answer).toMatchObject({ commit: old, readme: { name: 'readme.md', text: '# Old\n' } });
  expect(binary.answer).toMatchObject({ text: null, left_out: 'Binary.' });
});
