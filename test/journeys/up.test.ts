import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testGit, type TestRepository, testRepository } from '../../src/testing/git.ts';
import { connectClient, textOf } from '../../src/testing/mcp-client.ts';
import { openRawStream } from '../../src/testing/raw-stream.ts';
import {
  CALLED_AS,
  eventually,
  isAlive,
  serverFile,
  startSvc,
  svc,
  svcJson,
  temporaryFolder,
} from './service-process.ts';

const KEY = /svc_live_[0-9A-Za-z]{49}/;

const FILES = {
  'src/mail.ts': 'export function sendMail(to: string): boolean {\n  return to.includes("@");\n}\n',
  'src/order.ts':
    'import { sendMail } from "./mail.ts";\n\nexport const order = (): boolean => sendMail("first@example.org");\n',
};

/** A repository that is removed after the test. */
function shop(files: Record<string, string> = FILES): TestRepository {
  const repository = testRepository([{ files }]);
  onTestFinished(() => repository.remove());
  return repository;
}

test('a first start serves, indexes the checkout and shows a key once; a second one keeps both', async () => {
  const { path } = shop();
  const dataDir = join(path, '.svc-data');
  const args = ['up', '--data-dir', dataDir];

  const first = await startSvc(args, { cwd: path });
  await first.until(/ ready · 2 files, 2 symbols · TypeScript 100% · parsed 2, reused 0, read 1 commit/);

  // What to try is shown once it works, with a symbol that the repository uses.
  await first.until(/Then ask your client: "Where is sendMail used\?"/);

  const [key = ''] = KEY.exec(first.out()) ?? [];
  expect(first.out().split(/API key, shown only once/)).toHaveLength(2);
  // It reports from the first line on, in plain words only: SVC_LOG is not json.
  expect(first.err()).toMatch(/^Opening the database in \S+ …\n/);
  expect(first.err()).not.toMatch(/^\{/m);
  for (const entry of [
    `claude mcp add --transport sse svc ${first.url}/v1/mcp/sse --header "Authorization: Bearer ${key}"`,
    `{"mcpServers":{"svc":{"url":"${first.url}/v1/mcp/sse","headers":{"Authorization":"Bearer ${key}"}}}}`,
    `"servers":{"svc":{"type":"sse","url":"${first.url}/v1/mcp/sse","headers":{"Authorization":"Bearer \${input:svc-api-key}"}}}}`,
    `{"mcpServers":{"svc":{"serverUrl":"${first.url}/v1/mcp/sse","headers":{"Authorization":"Bearer ${key}"}}}}`,
  ])
    expect(first.out()).toContain(entry);
  expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  const stream = await openRawStream(first.url, key);
  expect(await stream.endpoint()).toMatch(/^\/v1\/mcp\/sse\?sessionId=/);
  stream.cut();
  const client = await connectClient('v1 sse', first.url, key);
  const answer = await client.callTool({ name: 'code-tool', arguments: { action: 'usages', symbol: 'sendMail' } });
  expect(textOf(answer)).toMatch(/^code-tool usages sendMail · \S+@[0-9a-f]{7} main (fresh|exact pending)/);
  expect(textOf(answer)).toContain('src/order.ts');
  await client.close();
  // What was printed still answers when it is no longer clear which repository is meant.
  await svcJson(['repo', 'add', shop().path, '--name', 'other', '--wait', '--data-dir', dataDir], { cwd: path });
  const [, address = '', body = ''] = / (\S+\/v1\/tools\/code-tool) -d '(.*)'\n/.exec(first.out()) ?? [];
  const response = await fetch(address, { method: 'POST', body, headers: { 'X-API-Key': key } });
  expect({ status: response.status, text: await response.text() }).toEqual({
    status: 200,
    text: expect.stringContaining('src/order.ts'),
  });
  await svcJson(['repo', 'remove', 'other', '--data-dir', dataDir], { cwd: path });
  // The data is in the checkout and is no change of it.
  expect(testGit(path, ['status', '--porcelain'])).toBe('');

  expect(await first.end('SIGTERM')).toBe(0);
  expect(existsSync(join(dataDir, 'server.json'))).toBe(false);

  // From a folder below the top, where the same repository is meant.
  const second = await startSvc(args, { cwd: join(path, 'src') });
  await second.until(/ ready · 2 files, 2 symbols · TypeScript 100% · parsed 0, reused 2\b/);
  expect(second.out()).not.toMatch(KEY);
  expect(second.out()).toContain('Earlier API keys still work');
  const listed = await fetch(`${second.url}/v1/repositories`, { headers: { 'X-API-Key': key } });
  expect(((await listed.json()) as { repositories: unknown[] }).repositories).toHaveLength(1);
  expect(await second.end('SIGINT')).toBe(0);
});

test('several sources at once: a folder, a file address; a bad one is refused before anything is made', async () => {
  const [app, library] = [shop(), shop({ 'lib.py': 'def total():\n    return 1\n' })];
  const dataDir = join(temporaryFolder(), 'data');

  const refused = await svc(['up', app.path, '/nowhere/shop', '--data-dir', dataDir], { cwd: app.path });
  expect(refused).toEqual({
    code: 1,
    out: '',
    err: 'svc: There is no folder /nowhere/shop. Check the path; a relative one is taken from where the command was typed.\n',
  });
  expect(existsSync(dataDir)).toBe(false);

  const args = ['up', app.path, `file://${library.path}`, '--data-dir', dataDir, '--json'];
  const service = await startSvc(args, { cwd: '/' });
  await service.until(/ ready [\s\S]* ready /);
  const welcome = JSON.parse(service.out()) as Record<string, unknown>;
  expect(welcome).toMatchObject({ url: service.url, mcp_url: `${service.url}/v1/mcp/sse`, database: 'embedded' });
  expect(welcome['key']).toMatch(KEY);
  const again = await svc(args, { cwd: '/' });
  expect(again.code).toBe(1);
  expect(again.err).toBe(
    `Opening the database in ${dataDir} …\nsvc: The data folder ${dataDir} is in use by another process. Stop the other process (${CALLED_AS} up, ${CALLED_AS} serve), ` +
      'or call it over HTTP, or choose another folder with SVC_DATA_DIR.\n',
  );
});

test('a port that is taken is one sentence, the next start is a first start, and Ctrl+C ends it in order', async () => {
  const { path } = shop();
  const dataDir = join(temporaryFolder(), 'data');
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as { port: number };

  const failed = await svc(['up', '--data-dir', dataDir, '--port', String(port)], { cwd: path });

  expect(failed).toEqual({
    code: 1,
    out: '',
    err: `svc: Another program already uses port ${port} on 127.0.0.1. Stop that program, or choose another port, for example SVC_PORT=${port + 1}.\n`,
  });
  expect(existsSync(dataDir)).toBe(false);
  const service = await startSvc(['up', '--data-dir', dataDir], { cwd: path });
  await service.until(KEY);

  // It reaches everything in the terminal.
  const press = (): boolean => process.kill(-(service.launcher.pid ?? 0), 'SIGINT');
  const closed = once(service.launcher, 'close') as Promise<[number | null]>;
  press();
  await service.until(/Stopping/);
  // Again while it closes, as an impatient person does.
  press();
  const [code] = await closed;

  expect(code).toBe(0);
  expect(service.err()).toContain('Stopping (SIGINT): finishing running work.');
  expect(existsSync(join(dataDir, 'server.json'))).toBe(false);
  expect(isAlive(service.pid)).toBe(false);
});

test('what keeps a start from working is one sentence, exit code 1, and nothing made', async () => {
  const folder = temporaryFolder();
  const { path } = shop();
  const empty = testRepository();
  onTestFinished(() => empty.remove());
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'plain'));
  const cases: [string[], string, Record<string, string>, RegExp][] = [
    [['up'], join(folder, 'plain'), {}, /^svc: \S+plain is not in a git repository\. Use a folder inside .+\n$/],
    [['up'], empty.path, {}, /^svc: \S+ has no commits yet\. Make a first commit, .+\n$/],
    [
      ['up', '--data-dir', join(folder, 'file/x')],
      path,
      {},
      /^Opening .+\nsvc: The data folder \S+ cannot be written\. .+\n$/,
    ],
    [['up'], path, { SVC_PORT: 'abc' }, /^svc: SVC_PORT is "abc", which is not valid\. Use a whole number .+\n$/],
    [['worker'], path, {}, /^svc: .+ needs? a PostgreSQL server\. Set DATABASE_URL, .+\n$/],
    [['serve', '--no-work'], path, {}, /^svc: .+ needs? a PostgreSQL server\. Set DATABASE_URL, .+\n$/],
    [['backup', join(folder, 'out.tar.zst')], path, {}, /^svc: There is no data in \S+\. Set the data folder .+\n$/],
  ];

  const results = await Promise.all(cases.map(([args, cwd, env]) => svc(args, { cwd, env })));

  for (const [index, [, , , sentence]] of cases.entries()) {
    expect(results[index]).toEqual({ code: 1, out: '', err: expect.stringMatching(sentence) });
  }
  expect(readdirSync(folder).toSorted()).toEqual(['file', 'plain']);
  expect([...readdirSync(join(folder, 'plain')), ...readdirSync(empty.path)]).toEqual(['.git']);
  expect(readdirSync(path).toSorted()).toEqual(['.git', 'src']);
  const unknown = await svc(['up', '--bogus'], { cwd: path });
  expect(unknown.code).toBe(2);
  expect(unknown.err).toMatch(/^error: unknown option '--bogus'\n/);
});

test('tables that are damaged are one sentence', async () => {
  const folder = temporaryFolder();
  await svcJson(['key', 'create', '--name', 'one', '--data-dir', folder], { cwd: folder });
  const tables = join(folder, 'postgres/base/5');
  for (const name of readdirSync(tables)) if (Number(name) >= 16_384) truncateSync(join(tables, name), 100);

  const result = await svc(['key', 'list', '--data-dir', folder], { cwd: folder });

  const sentence = /^svc: The database .*(is damaged).*svc\.mjs restore`.*\n$/;
  expect(result).toEqual({ code: 1, out: '', err: expect.stringMatching(sentence) });
});

test('output that nobody reads to its end is no failure', async () => {
  const launcher = join(import.meta.dirname, '../../bin/svc.mjs');
  const child = spawn(process.execPath, [launcher, 'doctor'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let err = '';
  child.stderr.on('data', (part: Buffer) => (err += part.toString()));

  const [code] = (await once(child, 'close')) as [number | null];

  expect({ code, err }).toEqual({ code: 0, err: '' });
});

test('a service on new data starts small, tells only its user where it is, and ends when its launcher was killed', async () => {
  const { path } = shop();
  const dataDir = join(temporaryFolder(), 'data');
  const service = await startSvc(['serve', '--data-dir', dataDir, '--json'], { cwd: path });

  expect(JSON.parse(service.out())).toEqual({ url: service.url });
  expect(peakMegabytes(service.pid)).toBeLessThan(400);
  expect(serverFile(dataDir).url).toBe(service.url);
  expect(statSync(join(dataDir, 'server.json')).mode & 0o777).toBe(0o600);

  service.launcher.kill('SIGKILL');
  await eventually(() => !isAlive(service.pid));

  expect(existsSync(join(dataDir, 'server.json'))).toBe(false);
});

/** The most memory that a process ever held. 0 where the system does not tell. */
function peakMegabytes(pid: number): number {
  const file = `/proc/${pid}/status`;
  const peak = existsSync(file) ? /VmHWM:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  return Number(peak ?? 0) / 1024;
}
