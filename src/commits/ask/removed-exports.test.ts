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
import { writeHistory } from '../mine/mine.ts';
import { hasRemovedExports, writeRemovedExports } from '../removals/removals.ts';

const INDEX = "export * from './send.ts';\nexport { deliver } from './deliver.ts';\n";
const DELIVER = 'export function deliver() {}\nexport function helper() {}\n';
const functions = (...names: string[]): string => names.map((name) => `export function ${name}() {}\n`).join('');

let shop: TestRepository;
let tools: ToolAndPartial;
let tool: TestCommitTool;
let poor: TestCommitTool;
/** Right after the index run. */
let early: TestCommitTool;
const ids: Record<string, string> = {};

beforeAll(async () => {
  shop = testRepository();
  const commit = (name: string, message: string, files: Record<string, string | undefined>): void => {
    ids[name] = shop.commit({ message, files });
  };
  const manifest = '{"name": "mail", "main": "src/index.ts"}\n';
  const send = (...names: string[]): Record<string, string> => ({ 'src/send.ts': functions(...names) });
  commit('begin', 'feat: begin', {
    'package.json': manifest,
    'src/index.ts': INDEX,
    'src/deliver.ts': DELIVER,
    ...send('send', 'retry', 'sendAll'),
  });
  shop.git('tag', 'v1.0.0');
  commit('lost', 'refactor: simplify the sender', {
    ...send('send', 'sendAll'),
    // What a file imports under the name of what went is not it.
    'src/app.ts': "import { retry } from 'tries';\nretry();\n",
  });
  commit('unseen', 'refactor: drop the helper', { 'src/deliver.ts': 'export function deliver() {}\n' });
  commit('moved', 'refactor: send all from the index', {
    'src/index.ts': INDEX + functions('sendAll'),
    ...send('send'),
  });
  const handingOn = (...lines: string[]): Record<string, string> => ({
    'src/index.ts': `export * from './send.ts';\n${lines.join('\n')}\n${functions('sendAll')}`,
  });
  const [named, whole] = ["export { deliver } from './deliver.ts';", "export * from './deliver.ts';"];
  commit('twice', 'refactor: hand on deliveries', handingOn(named, whole));
  commit('whole', 'refactor: hand on deliveries once', handingOn(whole));
  commit('named', 'refactor: hand on deliveries by name', handingOn(named));
  commit('told', 'feat!: deliver no more', { 'src/index.ts': INDEX.split('\n')[0] + '\n' + functions('sendAll') });
  commit('new', 'feat: send later', send('send', 'later'));
  commit('short', 'refactor: send at once', send('send'));
  commit('changed', 'fix: send to somebody', {
    'src/send.ts': 'export function send(to: string) {\n  return to;\n}\n',
  });
  const head = { commit: ids['changed'] ?? '' };
  const code = shardInput([
    { path: 'package.json', text: manifest },
    { path: 'src/index.ts', text: `${INDEX.split('\n')[0]}\n${functions('sendAll')}` },
    { path: 'src/send.ts', text: functions('send') },
    { path: 'src/deliver.ts', text: 'export function deliver() {}\n' },
  ]);
  tools = await openToolAndPartial(shop, head.commit, code);
  ({ tool, poor } = tools);
  early = await openCommitTool({ gitDir: join(shop.path, '.git'), ...head, isNew: true }, code);
});
afterAll(async () => {
  await early.close();
  await tools.remove();
});

const rows = async (args: object): Promise<Record<string, unknown>[]> =>
  (await tool.json({ ...args }))['rows'] as Record<string, unknown>[];

test('exports that a commit took from the interface of a package make it breaking, moved and internal ones do not', async () => {
  const classified = await rows({ action: 'classify' });

  const breaking = classified.filter((row) => row['breaking'] === true);
  expect(breaking.map((row) => [row['sha'], row['breaking_by'], row['removed_exports']])).toEqual(
    expect.arrayContaining([
      [ids['lost'], ['removed_export'], [{ path: 'src/send.ts', name: 'retry' }]],
      [ids['told'], ['prefix', 'removed_export'], [{ path: 'src/index.ts', name: 'deliver' }]],
      [ids['short'], ['removed_export'], [{ path: 'src/send.ts', name: 'later' }]],
    ]),
  );
  expect(breaking).toHaveLength(3);
});

test('a changelog tells what was removed, without what came and went between the versions', async () => {
  const text = await tool.text({ action: 'changelog', since: 'v1.0.0' });

  expect(text.split('\n').slice(1, 5)).toEqual([
    '## [Unreleased]',
    '### Breaking changes',
    ` - Deliver no more; removed: deliver (${(ids['told'] ?? '').slice(0, 7)})`,
    ` - Simplify the sender; removed: retry (${(ids['lost'] ?? '').slice(0, 7)})`,
  ]);
  expect(text).not.toContain('removed: later');
});

test('a commit is shown with the exports it removed', async () => {
  expect(await tool.text({ action: 'show', query: ids['lost'] })).toContain('removes the export retry of src/send.ts');
});

test('a clone without contents says that removed exports are not known', async () => {
  expect(await poor.text({ action: 'changelog', since: 'v1.0.0' })).toContain(
    'removed exports of 9 commits are unknown: file contents are missing',
  );
});

test('before removed exports were looked for each answer says so, and is the same each time', async () => {
  const changelog = await early.text({ action: 'changelog', since: 'v1.0.0' });
  const again = await early.text({ action: 'changelog', since: 'v1.0.0' });
  const commit = await early.text({ action: 'show', query: ids['lost'] });
  const classes = await early.json({ action: 'classify' });

  expect(again).toBe(changelog);
  expect(changelog).toContain('removed exports of 10 commits are not known yet');
  expect(changelog).not.toContain('removed: retry');
  expect(commit).toContain('removed exports of 1 commit are not known yet');
  expect(classes['notes']).toContainEqual(expect.stringContaining('removed exports of 11 commits are not known yet'));
});

test('a commit is looked into once: in steps, the newest first, and after new commits only these', async () => {
  const folder = testFolder();
  const own = testRepository();
  onTestFinished(() => {
    own.remove();
    rmSync(folder, { recursive: true });
  });
  const gitDir = join(own.path, '.git');
  const { signal } = new AbortController();
  let commit = '';
  const lose = (...names: string[]): void => {
    commit = own.commit({ message: names.join(' '), files: { 'src/send.ts': functions(...names) } });
  };
  lose('a', 'b', 'c', 'd');
  lose('a', 'b', 'c');
  lose('a', 'b');
  const file = (name: string): string => join(folder, name);
  const run = { signal, onProgress: () => undefined };
  const look = (from: string, to: string, most: number): ReturnType<typeof writeRemovedExports> =>
    writeRemovedExports(
      { gitDir, historyFile: file(from), targetFile: file(to), offered: ['src/send.ts'], most },
      signal,
    );

  await writeHistory({ gitDir, commit, targetFile: file('first') }, run);
  expect(await look('first', 'half', 1)).toEqual({ looked: 1, remaining: 1 });
  expect(hasRemovedExports(file('half'))).toBe(false);
  expect(await look('half', 'whole', 10)).toEqual({ looked: 1, remaining: 0 });
  expect(hasRemovedExports(file('whole'))).toBe(true);
  lose('a');
  await writeHistory({ gitDir, commit, targetFile: file('second'), previousFile: file('whole') }, run);
  expect(hasRemovedExports(file('second'))).toBe(false);
  expect(await look('second', 'done', 10)).toEqual({ looked: 1, remaining: 0 });
  expect(await look('done', 'same', 10)).toEqual({ looked: 0, remaining: 0 });
});
