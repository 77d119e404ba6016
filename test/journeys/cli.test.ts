import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { type RepositoryJson } from '../../src/cli/repo.ts';
import { describeConfig, readConfig } from '../../src/platform/config.ts';
import { testRepository } from '../../src/testing/git.ts';
import { connectOver, textOf } from '../../src/testing/mcp-client.ts';
import { limitJourney } from './limit-commands.ts';
import { questionJourney } from './question-commands.ts';
import { CALLED_AS, type CommandOptions, startSvc, svc, svcJson, temporaryFolder } from './service-process.ts';

const KEY = /^svc_live_[0-9A-Za-z]{49}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Two commits, the first one tagged `v1`; removed after the test. */
function shop() {
  const repository = testRepository([{ files: { 'a.ts': 'export const first = 1;\n' } }]);
  onTestFinished(() => repository.remove());
  repository.git('tag', 'v1');
  repository.commit({ files: { 'b.ts': 'export const second = 2;\n' } });
  return repository;
}

/** Commands of scripts about keys. */
async function keyJourney(dataDir: string, options: CommandOptions): Promise<void> {
  const key = <Document>(...args: string[]): Promise<Document> =>
    svcJson<Document>(['key', ...args, '--data-dir', dataDir], options);

  const made = await key<Record<string, unknown>>('create', '--name', 'ci', '--expires', '30d', '--scopes', 'read');

  expect(made).toEqual({
    id: expect.stringMatching(UUID),
    name: 'ci',
    key: expect.stringMatching(KEY),
    prefix: 'svc_****',
    expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    scopes: ['read'],
    product: 'default',
  });
  const { keys } = await key<{ keys: Record<string, unknown>[] }>('list');
  expect(keys.find(({ id }) => id === made['id'])).toMatchObject({ name: 'ci', prefix: 'svc_****', status: 'active' });
  expect(JSON.stringify(keys)).not.toContain('svc_live_');
  const again = await key<Record<string, unknown>>('regenerate', 'ci');
  expect(again).toEqual({ ...made, key: expect.stringMatching(KEY), grace_ends_at: null });
  const [day, wrong] = ['24h', '2h'].map((grace) => ['regenerate', 'ci', '--grace', grace]);
  expect(await key(...(day ?? []))).toMatchObject({ grace_ends_at: expect.stringMatching(/Z$/) });
  expect(await key('end-grace', 'ci')).toEqual({ id: made['id'], name: 'ci', ended: true });
  expect(await key('end-grace', 'ci')).toMatchObject({ ended: false });
  await expect(key(...(wrong ?? []))).rejects.toThrow(/none.*1h.*24h.*7d/);
  expect(again['key']).not.toBe(made['key']);
  await limitJourney(dataDir, options);
  expect(await key('delete', String(made['id']))).toEqual({ id: made['id'], name: 'ci', deleted: true });
  const missing = await svc(['key', 'delete', 'ci', '--data-dir', dataDir, '--json'], options);
  expect(missing).toMatchObject({ code: 1, out: '' });
  expect(missing.err).toContain(`svc: There is no API key "ci". List them with: ${CALLED_AS} key list\n`);
}

/** Commands of scripts about repositories. Leaves none. */
async function repositoryJourney(dataDir: string, options: CommandOptions): Promise<void> {
  const repository = shop();
  const repo = <Document = RepositoryJson>(...args: string[]): Promise<Document> =>
    svcJson<Document>(['repo', ...args, '--data-dir', dataDir], options);

  const added = await repo('add', repository.path, '--name', 'shop', '--wait');

  expect(added).toEqual({
    id: expect.stringMatching(UUID),
    name: 'shop',
    freshness: 'fresh',
    url: repository.path,
    default_branch: 'main',
    product: 'default',
    status: 'ready',
    commit: repository.git('rev-parse', 'HEAD'),
    indexed_at: expect.stringMatching(/^\d{4}-/),
    behind: 0,
    exact: null,
    fetched_at: null,
    fetch_error: null,
    fetch_result: null,
    files: 2,
    symbols: 2,
    languages: { TypeScript: 1 },
    error: null,
    ref: null,
    progress: null,
    unparsed: 0,
    gaps: [],
    last_run: {
      parsed: 2,
      reused: 0,
      failed: 0,
      seconds: expect.any(Number),
      history: { commits: 2, seconds: expect.any(Number) },
    },
  });
  const pinned = await repo('add', repository.path, '--name', 'shop-v1', '--ref', 'v1', '--wait');
  expect(pinned).toMatchObject({ commit: repository.git('rev-parse', 'v1'), ref: 'v1', files: 1, status: 'ready' });
  const twice = await svc(['repo', 'add', repository.path, '--data-dir', dataDir], options);
  expect(twice).toMatchObject({ code: 1, out: '' });
  expect(twice.err).toMatch(/svc: .+ already exists as "shop"\. .+\n$/);
  const taken = await svc(['repo', 'add', shop().path, '--name', 'shop', '--data-dir', dataDir], options);
  expect(taken.err).toMatch(/svc: The name "shop" is taken by .+ --name\.\n$/);
  repository.commit({ files: { 'c.ts': 'export const third = 3;\n' } });
  const behind = await repo<{ repositories: RepositoryJson[] }>('list');
  expect(behind.repositories.map(({ name, behind: count }) => [name, count])).toEqual([
    ['shop', 1],
    ['shop-v1', 0],
  ]);
  const indexed = await repo('index', 'shop', '--wait');
  expect(indexed).toMatchObject({ behind: 0, files: 3, last_run: { parsed: 1, reused: 2, failed: 0 } });
  await questionJourney(dataDir, repository.path);
  const file = (command: string, ...args: string[]): Promise<Record<string, unknown>> =>
    svcJson([command, ...args, '--data-dir', dataDir], options);
  expect(await file('ownership', join(repository.path, 'b.ts'))).toMatchObject({
    path: 'b.ts',
    repo: 'shop',
    bus_factor: 1,
    owners: [{ author: 'First Author', lines_pct: 100, commits_decayed_pct: 100, ranges: [[1, 1]] }],
  });
  expect(await file('ownership', 'HEAD~1..HEAD', '--repo', 'shop')).toEqual({
    range: 'HEAD~1..HEAD',
    reviewers: [{ name: 'First Author', files: 1 }],
  });
  expect(await file('rationale', 'b.ts:1', '--repo', 'shop')).toMatchObject({
    ranges: [{ start: 1, end: 1, reasons: [{ kind: 'commit', text: 'Add files' }] }],
  });
  rmSync(join(repository.path, '.git'), { recursive: true });
  const failed = await svc(['repo', 'index', added.id, '--wait', '--json', '--data-dir', dataDir], options);
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.out)).toMatchObject({ status: 'failed', error: { message: expect.any(String) }, files: 3 });
  expect(await repo('remove', 'shop')).toEqual({ id: added.id, name: 'shop', removed: true });
  expect(await repo('remove', pinned.id)).toEqual({ id: pinned.id, name: 'shop-v1', removed: true });
  expect(await repo('list')).toEqual({ repositories: [] });
  expect(readdirSync(join(dataDir, 'repositories'))).toEqual([]);
}

/** Commands of a person in a checkout whose service runs elsewhere: sign in with a key, fill `.svc/`, and keep it so. */
async function checkoutJourney(dataDir: string, url: string, options: CommandOptions): Promise<void> {
  const at = ['--data-dir', dataDir];
  const repository = shop();
  const added = await svcJson<RepositoryJson>(
    ['repo', 'add', repository.path, '--name', 'here', '--wait', ...at],
    options,
  );
  const { key } = await svcJson<{ key: string }>(['key', 'create', '--name', 'laptop', ...at], options);
  const away = { cwd: repository.path, env: { XDG_CONFIG_HOME: join(options.cwd, '.config') } };
  const wrong = await svc(['login', url, '--key', 'svc_live_wrong'], away);
  const lost = await svc(['sync'], away);
  expect([wrong.code, lost.code]).toEqual([1, 1]);
  expect(lost.err).toMatch(/No service runs here, .+ login <address>\./);
  expect(existsSync(join(repository.path, '.svc-data'))).toBe(false);

  expect(await svcJson(['login', url, '--key', key], away)).toEqual({ url, repositories: ['here'] });
  expect(await svcJson(['status'], away)).toMatchObject({ artifacts: 'none', files: [] });
  expect(await svcJson(['init', '--agents'], away)).toMatchObject({
    repo: 'here',
    commit: added.commit,
    agents: ['AGENTS.md'],
    written: expect.arrayContaining(['work-items.json']),
  });
  expect(await svcJson(['sync'], away)).toMatchObject({ behind: false, written: [] });
  expect(repository.git('status', '--porcelain')).toBe('?? AGENTS.md');
  const plan = join(options.cwd, 'plan.md');
  writeFileSync(plan, '# Shop\n\n- [ ] T1 Open\n');
  await svcJson(['plan', 'add', plan], { ...away, cwd: options.cwd });
  expect((await svc(['sync', '--check'], away)).code).toBe(3);
  expect(await svcJson(['status'], away)).toMatchObject({ artifacts: 'behind', repository: { name: 'here' } });
  expect(await svcJson(['sync'], away)).toMatchObject({
    written: expect.arrayContaining(['work-items.json', 'plans/shop.md']),
  });
  expect((await svc(['sync', '--check'], away)).code).toBe(0);
  const { work_items: items } = await svcJson<{ work_items: { id: string }[] }>(['work-item', 'list', '--ready'], away);
  const report = ['--status', 'doing', '--assignee', 'me'];
  expect(await svcJson(['work-item', 'set', items[0]?.id ?? '', ...report], away)).toMatchObject({ status: 'doing' });
  for (const _ of ['the first start makes a key', 'the next one uses it']) {
    const { PATH = '' } = process.env;
    const args = [join(import.meta.dirname, '../../bin/svc.mjs'), 'mcp', ...at];
    const link = { command: process.execPath, args, env: { PATH }, cwd: options.cwd, stderr: 'ignore' as const };
    const client = await connectOver(new StdioClientTransport(link));
    const { tools } = await client.listTools();
    const answer = await client.callTool({ name: 'code-tool', arguments: { action: 'outline', path: 'a.ts' } });
    await client.close();
    expect(tools.map(({ name }) => name)).toContain('search-tool');
    expect(textOf(answer)).toContain('const first');
  }
  const { keys } = await svcJson<{ keys: { name: string }[] }>(['key', 'list', ...at], options);
  expect(keys.filter(({ name }) => name === 'svc mcp').length).toBe(1);
  await svcJson(['key', 'delete', 'svc mcp', ...at], options);
  expect(await svcJson(['logout'], away)).toEqual({ forgotten: true });
  await svcJson(['repo', 'remove', 'here', ...at], options);
  await svcJson(['key', 'delete', 'laptop', ...at], options);
}

/** Follows a hint by hand where it is printed: a checkout, a link on the PATH, and any other folder. */
async function hintJourney(dataDir: string): Promise<void> {
  const root = join(import.meta.dirname, '../..');
  const bin = temporaryFolder();
  symlinkSync(join(root, 'bin/svc.mjs'), join(bin, 'svc'));
  // As on a machine whose `node` is the one that runs the tests.
  const PATH = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
  const type = async (line: string, cwd: string): Promise<string> => {
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd, env: { PATH, SVC_DATA_DIR: dataDir } });
    return stdout;
  };
  const places = [
    { typed: 'npm run -s svc --', cwd: root },
    { typed: 'svc', cwd: bin },
    { typed: CALLED_AS, cwd: bin },
  ];
  for (const { typed, cwd } of places) {
    const hint = /Add one with: (.+) add <file\.md>\n/.exec(await type(`${typed} plan list`, cwd))?.[1] ?? '';
    expect(hint).toBe(`${typed} plan`);
    expect(await type(`${hint} list --json`, cwd)).toBe('{"plans":[]}\n');
  }
}

test('repositories without a service: the commands open the data themselves', async () => {
  const cwd = temporaryFolder();
  const at = ['--data-dir', join(cwd, 'data')];
  const repository = shop();

  const added = await svcJson(['repo', 'add', repository.path, '--wait', ...at], { cwd });
  const text = await svc(['definition', 'b.ts:1:14', ...at], { cwd: repository.path });
  const removed = await svcJson(['repo', 'remove', basename(repository.path), ...at], { cwd });

  expect(added).toMatchObject({ status: 'ready', files: 2, symbols: 2, last_run: { history: { commits: 2 } } });
  expect(text.out).toMatch(/^code-tool definition b\.ts:1:13 · .+ fresh · 1 of 1\n/);
  expect(removed).toMatchObject({ removed: true });
  expect(text.err).toBe(`(no service runs; opened ${at[1]})\n`);
});

test('keys and repositories with a service: the commands ask it', async () => {
  const cwd = temporaryFolder();
  const dataDir = join(cwd, 'data');
  const service = await startSvc(['serve', '--data-dir', dataDir], { cwd });

  await keyJourney(dataDir, { cwd });
  await repositoryJourney(dataDir, { cwd });

  const { out, err } = await svc(['repo', 'list', '--data-dir', dataDir], { cwd });
  expect(out).toBe(`There are no repositories. Add one with: ${CALLED_AS} repo add <path-or-url>\n`);
  expect(err).toBe(`(the service at ${service.url})\n`);
  await hintJourney(dataDir);
  await checkoutJourney(dataDir, service.url, { cwd });
});

/**
 * Lists the files below a folder that others than its owner may read, change or enter. The engine gives its cache of the
 * catalogue a mode of its own; it cannot be reached, as its folders are closed.
 */
function openToOthers(folder: string): string[] {
  return ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].filter(
    (path) => !path.endsWith('pg_internal.init') && (lstatSync(join(folder, path)).mode & 0o077) !== 0,
  );
}

/** What `svc doctor` says of the data folder. */
async function dataFolderCheck(dataDir: string, options: CommandOptions): Promise<unknown> {
  const { out } = await svc(['doctor', '--json', '--data-dir', dataDir], options);
  return (JSON.parse(out) as { checks: { name: string }[] }).checks.find(({ name }) => name === 'data folder');
}

test('what a killed service leaves misleads no command, is for its user alone, and goes into an empty database', async () => {
  const cwd = temporaryFolder();
  const options = { cwd };
  const [from, to] = [join(cwd, 'from'), join(cwd, 'to')];
  mkdirSync(join(from, 'blobs'), { recursive: true });
  chmodSync(from, 0o755);
  chmodSync(join(from, 'blobs'), 0o755);
  const before = await dataFolderCheck(from, options);
  const source = await startSvc(['serve', '--data-dir', from], options);
  const file = join(cwd, 'guide.md');
  writeFileSync(file, '# Guide');
  await svcJson(['doc', 'add', file, '--data-dir', from], options);
  const made = await svcJson<{ id: string }>(['key', 'create', '--name', 'kept', '--data-dir', from], options);
  const added = await svcJson<RepositoryJson>(['repo', 'add', shop().path, '--wait', '--data-dir', from], options);
  const openWhileItRuns = openToOthers(from);
  process.kill(source.pid, 'SIGKILL');
  await once(source.launcher, 'close');

  const copy = join(cwd, 'copy.tar.zst');
  const out = await svcJson<{ tables: unknown[] }>(['backup', copy, '--data-dir', from], options);
  const back = await svcJson<{ tables: unknown[] }>(['restore', copy, '--data-dir', to], options);

  expect(before).toMatchObject({ state: 'problem', detail: expect.stringContaining('may enter') });
  expect(await dataFolderCheck(from, options)).toMatchObject({ state: 'ok' });
  expect(openWhileItRuns).toEqual([]);
  expect(back.tables).toEqual(out.tables);
  // Another service, of other data, has the port now, and the killed one still says that it is its own.
  expect(existsSync(join(from, 'server.json'))).toBe(true);
  const target = await startSvc(['serve', '--data-dir', to], { cwd, env: { SVC_PORT: new URL(source.url).port } });
  const old = await svc(['key', 'list', '--data-dir', from, '--json'], options);
  const { keys } = await svcJson<{ keys: { id: string }[] }>(['key', 'list', '--data-dir', to], options);
  expect(old).toEqual({ code: 0, out: `${JSON.stringify({ keys })}\n`, err: `(no service runs; opened ${from})\n` });
  expect(keys.map(({ id }) => id)).toEqual([made.id]);
  // The rows came, the index did not: it is built again from the repository.
  const built = await svcJson<RepositoryJson>(['repo', 'index', added.name, '--wait', '--data-dir', to], options);
  expect(built).toMatchObject({ id: added.id, status: 'ready', commit: added.commit, files: added.files });
  await target.end();
  expect(await svc(['restore', copy, '--data-dir', to], options)).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^svc: The table \w+ already has rows\. .+\n$/),
  });
});

test('doctor prints every setting and what it found, and changes nothing', async () => {
  const cwd = temporaryFolder();

  const { settings, checks } = await svcJson<{
    settings: { name: string; value: string; source: string; meaning: string }[];
    checks: { name: string; state: string }[];
  }>(['doctor'], { cwd });

  expect(settings.map(({ name }) => name)).toEqual(describeConfig(readConfig({})).map(({ name }) => name));
  expect(settings.find(({ name }) => name === 'SVC_PORT')).toMatchObject({ value: '0', source: 'env' });
  expect(checks.map(({ name, state }) => [name, state])).toEqual([
    ['Node.js', 'ok'],
    ['git', 'ok'],
    ['data folder', 'ok'],
    ['database', 'ok'],
    ['key of secrets', 'ok'],
    ['backup', 'ok'],
    ['service', 'ok'],
  ]);
  expect(readdirSync(cwd)).toEqual([]);
  const bad = await svc(['doctor'], { cwd, env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } });
  expect(bad.code).toBe(1);
  expect(bad.out).toMatch(/problem database: The PostgreSQL server of DATABASE_URL does not answer/);
});

test('the launcher says what is missing: dependencies, or a Node.js that can run it', async () => {
  const root = join(temporaryFolder(), 'checkout');
  const launcher = join(root, 'bin/svc.mjs');
  mkdirSync(join(root, 'src'), { recursive: true });
  cpSync(join(import.meta.dirname, '../../bin'), join(root, 'bin'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  // Asked first whether it can be done in the launcher's own process, then started.
  writeFileSync(
    join(root, 'src/main.ts'),
    'export const runHere = () => undefined; if (import.meta.main) process.stdout.write(process.versions.node);',
  );
  // A Node.js of another age: the launcher asks for its version first.
  writeFileSync(
    join(root, 'old.cjs'),
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.0.0" } });',
  );
  const launch = async (...flags: string[]): Promise<{ code: number | null; out: string; err: string }> => {
    const child = spawn(process.execPath, [...flags, launcher], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (part: Buffer) => (out += part.toString()));
    child.stderr.on('data', (part: Buffer) => (err += part.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, out, err };
  };

  const bare = await launch();
  mkdirSync(join(root, 'node_modules'));
  const old = await launch('--require', join(root, 'old.cjs'));
  const fitting = await launch();

  expect(bare).toEqual({ code: 1, out: '', err: 'svc: The dependencies are not installed. Run "npm ci" first.\n' });
  expect(old.code).toBe(1);
  expect(old.err).toMatch(
    /^svc: Node\.js 24\.7 or newer is needed; this is 20\.0\.0, and the copy that the lock file brings is not installed\. .+\n$/,
  );
  expect(fitting).toEqual({ code: 0, out: process.versions.node, err: '' });
});
