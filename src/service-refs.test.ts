import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenService } from './cli/command.ts';
import { readConfig } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { openService } from './service.ts';
import { testFolder, testRepository } from './testing/git.ts';

const MAIL = 'export function sendMail(to: string): string {\n  return to;\n}\n';
const USE = "import { sendMail } from './mail.ts';\n\nexport const sent = sendMail('first@example.org');\n";

const dataDir = testFolder();
const files = Object.fromEntries(
  Array.from({ length: 8 }, (_, at) => [`part${at}.ts`, `export const part = ${at};\n`]),
);
const shop = testRepository([{ files: { 'mail.ts': MAIL, 'use.ts': USE, ...files } }]);
let service: OpenService;

interface ToolAnswer {
  status: number;
  text: string;
  json: Record<string, unknown> & {
    next?: string;
    rows?: { path: string }[];
    index?: object;
    error?: { code: string; message: string; fix: string };
  };
}

async function ask(args: Record<string, unknown>, tool = 'code-tool'): Promise<ToolAnswer> {
  const body = JSON.stringify(args);
  const response = await service.request(`/v1/tools/${tool}`, { method: 'POST', body });
  const json = (await response.json()) as ToolAnswer['json'];
  return { status: response.status, json, text: JSON.stringify(json) };
}

const usages = (more: Record<string, unknown>): Promise<ToolAnswer> =>
  ask({ action: 'usages', query: 'sendMail', repo: 'shop', ...more });

const history = (args: Record<string, unknown>): Promise<ToolAnswer> => ask({ repo: 'shop', ...args }, 'commit-tool');

const compare = (query: string): Promise<ToolAnswer> =>
  ask({ action: 'compare', query, repo: 'mirror' }, 'commit-tool');

async function add(url: string, name: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { status } = await service.request('/v1/repositories', {
    method: 'POST',
    headers,
    body: JSON.stringify({ url, name }),
  });
  expect(status).toBe(201);
  await expect
    .poll(async () => {
      const { repositories } = (await (await service.request('/v1/repositories')).json()) as Repositories;
      return repositories.find((repository) => repository.name === name)?.status;
    })
    .toBe('ready');
}

interface Repositories {
  repositories: { name: string; status: string }[];
}

/** The shards of refs on the disk. */
const shards = (): string[] =>
  readdirSync(join(dataDir, 'repositories'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /refs\/[0-9a-f]{40}-[^/]+\.db$/.test(name),
  );

function open(): Promise<OpenService> {
  const config = readConfig({
    SVC_DATA_DIR: dataDir,
    SVC_LOG_LEVEL: 'silent',
    SVC_EXTRACT_PROCESSES: '1',
    SVC_EXACT_PASS: 'off',
    SVC_ENCODER: 'off',
    SVC_BACKGROUND_PRIORITY: '0',
  });
  const parts = { log: createLog('silent'), version: '0.0.0', now: () => new Date() };
  return openService(config, { serve: false, work: true }, parts);
}

beforeAll(async () => {
  shop.git('tag', 'v1');
  shop.git('tag', 'v1.0.0');
  shop.git('checkout', '--quiet', '--detach');
  shop.commit({ files: { 'mail.ts': MAIL.replace('return to', 'return to.trim()') }, message: 'fix: trim addresses' });
  shop.git('tag', 'v1.0.1');
  shop.commit({ files: { 'mail.ts': MAIL.replace('to;', "to || '';") }, message: 'feat: take no address' });
  shop.git('tag', 'v1.0.2');
  shop.git('checkout', '--quiet', '-b', 'feature/x', 'v1');
  shop.commit({ files: { 'retry.ts': USE.replace('sent', 'again'), 'use.ts': undefined } });
  shop.git('checkout', '--quiet', '-b', 'request');
  shop.commit({ files: { 'more.ts': USE.replace('sent', 'more') } });
  shop.git('update-ref', 'refs/pull/12/head', 'HEAD');
  shop.git('checkout', '--quiet', 'main');
  shop.git('branch', '--quiet', '-D', 'request');
  shop.commit({ files: { 'mail.ts': `${MAIL}export const subject = 1;\n` } });
  service = await open();
});
afterAll(async () => {
  await service.close();
  shop.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a branch, a tag and a commit answer with their own code, and say which', async () => {
  const commit = shop.git('rev-parse', 'feature/x');
  await add(shop.path, 'shop');
  await add(`file://${shop.path}`, 'mirror');

  const [branch, short, back] = await Promise.all([
    usages({ ref: 'feature/x' }),
    usages({ ref: commit.slice(0, 9) }),
    usages({ ref: 'feature/x~1' }),
  ]);
  const [tag, head] = await Promise.all([usages({ ref: 'v1' }), usages({ ref: 'HEAD' })]);

  expect(branch.json).toMatchObject({ ref: 'feature/x', commit, index: { state: 'fresh', behind: 0 } });
  const ofBranch = [
    { path: 'retry.ts', line: 1 },
    { path: 'retry.ts', line: 3 },
  ];
  expect(branch.json).toMatchObject({ rows: ofBranch });
  expect(short.json).toMatchObject({ commit, rows: ofBranch });
  for (const { json } of [back, tag, head])
    expect(json).toMatchObject({ rows: [{ path: 'use.ts' }, { path: 'use.ts' }] });
  expect(head.json).toMatchObject({ ref: 'HEAD', commit: shop.git('rev-parse', 'main') });
  // The branch and the commit are one run; the tag and the step back too; HEAD is what is served.
  expect(shards()).toHaveLength(2);
});

test('a pull request is fetched into the mirror of a remote repository, and followed', async () => {
  const first = await usages({ ref: '#12', repo: 'mirror' });
  const long = await usages({ ref: 'pull/12/head', repo: 'mirror' });

  expect(first.json).toMatchObject({ ref: '#12', commit: shop.git('rev-parse', 'refs/pull/12/head'), total: 4 });
  expect(long.json['commit']).toBe(first.json['commit']);
});

test('a branch that came after the last fetch is fetched by its name or by its commit', async () => {
  shop.git('branch', 'late', 'feature/x');
  shop.git('checkout', '--quiet', '-b', 'later', 'feature/x');
  const later = shop.commit({ files: { 'later.ts': USE.replace('sent', 'later') } });
  shop.git('checkout', '--quiet', 'main');

  expect((await usages({ ref: 'late', repo: 'mirror' })).json).toMatchObject({ total: 2 });
  const byId = await compare(`late..${later.slice(0, 10)}`);
  expect(byId.json.rows?.map(({ path }) => path)).toEqual(['later.ts', 'later.ts']);
});

test('commit-tool compares a pull request that was not fetched yet, and knows what does not exist', async () => {
  shop.git('update-ref', 'refs/pull/14/head', 'late');
  const compared = await compare('v1..#14');
  const unknown = await compare('v1..#15');

  expect(compared.json.rows?.map(({ path }) => path)).toEqual(['retry.ts', 'retry.ts', 'use.ts', 'use.ts']);
  expect(unknown.json.error).toMatchObject({ code: 'not_found', message: expect.stringContaining('"#15"') });
});

test('commit-tool answers for versions of a maintenance branch, which the indexed history lacks', async () => {
  const [alone, both] = await Promise.all([
    history({ action: 'changelog', until: 'v1.0.2' }),
    history({ action: 'changelog', query: 'v1.0.0..v1.0.2' }),
  ]);

  expect(alone.json.rows).toMatchObject([{ section: 'Added', text: 'Take no address', version: 'v1.0.2' }]);
  expect(both.json.rows).toMatchObject([
    { section: 'Added', version: 'v1.0.2' },
    { section: 'Fixed', text: 'Trim addresses', version: 'v1.0.1' },
  ]);
  expect(both.text).toContain('removed exports are looked for in the indexed history only');
  // What the indexed history has too is left out, whichever way that is said.
  for (const since of ['main', 'HEAD'])
    expect((await history({ action: 'search', since, until: 'v1.0.1' })).json.rows).toMatchObject([
      { subject: 'fix: trim addresses' },
    ]);
  expect((await history({ action: 'changelog', until: 'v9.9.9' })).json.error?.message).toContain('"v9.9.9"');
});

test('what names no commit is refused with what is near', async () => {
  const answers = [
    await usages({ ref: 'featur/x' }),
    await usages({ ref: '#13' }),
    await usages({ ref: '#13', repo: 'mirror' }),
    await usages({ ref: 'main~99' }),
    await usages({ ref: 'main..v1' }),
    await usages({ ref: 'main', repo: '*' }),
  ];

  expect(answers.map(({ json: { error } }) => [error?.code, error?.message, error?.fix])).toEqual([
    ['not_found', 'shop has no branch, tag, commit or pull request "featur/x".', expect.stringContaining('feature/x')],
    [
      'not_found',
      expect.stringContaining('"#13"'),
      expect.stringContaining('git fetch origin pull/13/head:refs/pull/13/head'),
    ],
    ['not_found', expect.stringContaining('"#13"'), expect.stringContaining('number of a pull request')],
    ['not_found', 'shop has no commit "main~99": there are not as many before it.', expect.any(String)],
    ['bad_argument', expect.stringContaining('"main..v1" cannot be the name'), expect.any(String)],
    [
      'bad_argument',
      expect.stringContaining('one repository, and this call matches 2'),
      expect.stringContaining('repo="mirror"'),
    ],
  ]);
});

test('a cursor holds for the commit it was given for', async () => {
  shop.git('branch', 'moving', 'feature/x');
  const first = await usages({ ref: 'moving', limit: 1 });
  const second = await usages({ ref: 'moving', limit: 1, cursor: first.json.next });
  const other = await usages({ ref: 'v1', limit: 1, cursor: first.json.next });
  shop.git('branch', '--quiet', '--force', 'moving', 'v1');
  const moved = await usages({ ref: 'moving', limit: 1, cursor: first.json.next });

  expect(second.json).toMatchObject({ total: 2, rows: [{ path: 'retry.ts', line: 3 }] });
  expect([other, moved].map(({ json }) => json.error?.message)).toEqual([
    expect.stringContaining('cursor'),
    expect.stringContaining('cursor'),
  ]);
});

test('what is not committed is part of the answer, until it is gone again', async () => {
  const head = shop.git('rev-parse', 'HEAD');
  const clean = await usages({});
  writeFileSync(join(shop.path, 'wip.ts'), USE.replace('sent', 'wip'));
  rmSync(join(shop.path, 'use.ts'));
  writeFileSync(join(shop.path, 'part0.ts'), 'export function part( {\nexport const wip = 1;\n');
  await expect.poll(async () => (await usages({})).json.rows?.[0]?.path).toBe('wip.ts');

  const wip = await usages({});
  const broken = await ask({ action: 'search_symbols', query: 'sendMail', repo: 'shop', format: 'text' });
  const atHead = await usages({ ref: 'HEAD' });
  shop.git('stash', '--quiet', '--include-untracked');
  await expect.poll(async () => (await usages({})).json.rows?.[0]?.path).toBe('use.ts');

  expect(clean.json).toMatchObject({
    commit: head,
    // The compiler pass may not have finished.
    index: { behind: 0 },
    rows: [{ path: 'use.ts' }, { path: 'use.ts' }],
  });
  expect(wip.json).toMatchObject({ commit: head, ref: 'main', total: 2, rows: [{ line: 1 }, { line: 3 }] });
  expect(wip.json['index']).toMatchObject({ state: 'partial', behind: 0, uncommitted: 3, has_uncommitted: true });
  expect(broken.text).toContain('part0.ts');
  expect(atHead.json).toMatchObject({ ref: 'HEAD', rows: [{ path: 'use.ts' }, { path: 'use.ts' }] });
});

test('a commit that no index run has seen yet is answered for', async () => {
  const commit = shop.commit({ files: { 'fresh.ts': USE.replace('sent', 'fresh') } });
  // A call that did not ask for the commit answers from what is served when the index takes longer than it waits.
  await expect.poll(async () => (await usages({})).json['commit']).toBe(commit);

  const { json } = await usages({});

  expect(json).toMatchObject({ commit, index: { state: 'fresh' }, total: 4 });
  expect(json.index).not.toHaveProperty('uncommitted');
});

test('the first call after an update makes the indexes of refs again that the version before had kept', async () => {
  const questions = [() => usages({ ref: 'feature/x' }), () => history({ action: 'changelog', until: 'v1.0.2' })];
  const before = await Promise.all(questions.map((question) => question()));
  await service.close();
  for (const name of shards()) {
    using db = new DatabaseSync(join(dataDir, 'repositories', name));
    db.exec("update meta set value = '1' where key = 'format_version'");
  }
  service = await open();

  const after = await Promise.all(questions.map((question) => question()));

  expect(before.map(({ status }) => status)).toEqual([200, 200]);
  expect(after.map(({ json }) => json.rows)).toEqual(before.map(({ json }) => json.rows));
});
