import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { shardInput } from '../../testing/code-shard.ts';
import { openCommitTool } from '../../testing/commit-tool.ts';
import { testRepository } from '../../testing/git.ts';

const SEND = 'export function send() {}\n';
const APP = "import { send } from './send.ts';\nsend();\n";

test('about a path come files that use it too, though no commit changed both', async () => {
  const shop = testRepository();
  onTestFinished(() => shop.remove());
  shop.commit({ files: { 'src/send.ts': SEND, 'README.md': 'Sends mails.\n' }, message: 'feat: send mails' });
  shop.commit({ files: { 'src/app.ts': APP }, message: 'feat: send a mail at the start' });
  const commit = shop.commit({ files: { 'src/alone.ts': 'alone();\n' }, message: 'feat: stand alone' });
  const code = shardInput([
    { path: 'src/alone.ts', text: 'alone();\n' },
    { path: 'src/app.ts', text: APP, uses: [{ name: 'send', line: 2, use: 'call', target: 'send@src/send.ts' }] },
    { path: 'src/send.ts', text: SEND, symbols: [{ qualified: 'send', kind: 'function', line: 1, end: 1 }] },
  ]);
  const tool = await openCommitTool({ gitDir: join(shop.path, '.git'), commit }, code);
  onTestFinished(() => tool.close());

  const { rows } = await tool.json({ action: 'coupling', path: 'src/send.ts' });
  const text = await tool.text({ action: 'coupling', path: 'src/send.ts' });
  const folder = await tool.json({ action: 'coupling', path: 'src' });

  expect(rows).toEqual([
    expect.objectContaining({ b: 'README.md', shared: 1, degree_pct: 100, linked: false }),
    expect.objectContaining({ b: 'src/app.ts', shared: 0, degree_pct: 0, linked: true, revisions_b: 1 }),
  ]);
  expect(text).toContain('0% src/app.ts  0 shared of 1 and 1, one uses the other');
  expect(folder['rows']).toEqual([expect.objectContaining({ a: 'src/send.ts', b: 'README.md', linked: false })]);
});

test('of a file without commits in the period nothing is listed, whatever uses it', async () => {
  const shop = testRepository();
  onTestFinished(() => shop.remove());
  shop.commit({ files: { 'src/send.ts': SEND }, message: 'feat: send mails' });
  shop.commit({ files: { 'src/app.ts': APP }, message: 'feat: send a mail at the start' });
  const commit = shop.commit({ files: { 'src/app.ts': `${APP}send();\n` }, message: 'feat: send twice' });
  const code = shardInput([
    { path: 'src/app.ts', text: APP, uses: [{ name: 'send', line: 2, use: 'call', target: 'send@src/send.ts' }] },
    { path: 'src/send.ts', text: SEND, symbols: [{ qualified: 'send', kind: 'function', line: 1, end: 1 }] },
  ]);
  const tool = await openCommitTool({ gitDir: join(shop.path, '.git'), commit }, code);
  onTestFinished(() => tool.close());
  const call = { action: 'coupling', path: 'src/send.ts', since: 'HEAD~1' };

  const text = await tool.text(call);

  expect((await tool.json(call))['rows']).toEqual([]);
  expect(text).toContain('no commit of this period changed src/send.ts with another file');
  expect(text).not.toContain('0 shared');
});

test('a path that the code does not know is answered from the history alone', async () => {
  const shop = testRepository();
  onTestFinished(() => shop.remove());
  const commit = shop.commit({ files: { 'a.md': 'A\n', 'b.md': 'B\n' }, message: 'docs: explain' });
  const tool = await openCommitTool({ gitDir: join(shop.path, '.git'), commit }, shardInput([]));
  onTestFinished(() => tool.close());

  const { rows } = await tool.json({ action: 'coupling', path: 'a.md' });

  expect(rows).toEqual([expect.objectContaining({ a: 'a.md', b: 'b.md', shared: 1, linked: false })]);
});

test('what a release changes does not change together, and releases are counted as left out', async () => {
  const shop = testRepository();
  onTestFinished(() => shop.remove());
  shop.commit({ files: { 'a.json': '1', 'b.json': '1' }, message: 'feat: two packages' });
  shop.commit({ files: { 'a.json': '2', 'b.json': '2' }, message: 'v1.2.0' });
  shop.commit({ files: { 'a.json': '3', 'b.json': '3' }, message: 'Version Packages' });
  const commit = shop.commit({ files: { 'a.json': '4', 'b.json': '4' }, message: 'Merge two options into one' });
  const tool = await openCommitTool({ gitDir: join(shop.path, '.git'), commit }, shardInput([]));
  onTestFinished(() => tool.close());

  const { rows } = await tool.json({ action: 'coupling', path: 'a.json' });

  expect(rows).toEqual([expect.objectContaining({ shared: 2, revisions_a: 2, revisions_b: 2 })]);
  expect(await tool.text({ action: 'coupling' })).toContain('left out: 2 commits that make a release');
});
