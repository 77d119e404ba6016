import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCommitTool, type TestCommitTool } from '../../testing/commit-tool.ts';
import { testRepository, type TestRepository } from '../../testing/git.ts';

let shop: TestRepository;
let tool: TestCommitTool;

beforeAll(async () => {
  shop = testRepository();
  const write = (name: string, message: string): string =>
    shop.commit({ message, files: { [`packages/${name}/package.json`]: '{}\n', [`packages/${name}/a.ts`]: message } });
  write('list', 'feat: begin lists');
  write('mail', 'feat: begin mails');
  shop.git('tag', '@shop/list@1.0.0');
  shop.git('tag', '@shop/mail@1.0.0');
  write('list', 'feat: sort lists');
  write('mail', 'fix: send mails');
  shop.git('tag', '@shop/list@1.1.0');
  write('list', 'fix: an empty list');
  tool = await openCommitTool({ gitDir: join(shop.path, '.git'), commit: shop.git('rev-parse', 'HEAD') });
});

afterAll(async () => {
  await tool.close();
  shop.remove();
});

const changelogOf = async (args: object): Promise<unknown[]> => {
  const { rows } = await tool.json({ action: 'changelog', ...args });
  return (rows as { text: string }[]).map(({ text }) => text);
};

test('query is a range of refs, whose ends may be left out', async () => {
  const whole = { path: '.' };

  expect(await changelogOf({ ...whole, query: '@shop/list@1.0.0..@shop/list@1.1.0' })).toEqual([
    'Sort lists',
    'Send mails',
  ]);
  expect(await changelogOf({ ...whole, query: 'HEAD~1..' })).toEqual(['An empty list']);
  expect(await changelogOf({ ...whole, query: '..@shop/list@1.1.0' })).toEqual(['Sort lists', 'Send mails']);
});

test('the tag of one package of a workspace brings that package, and the answer says so', async () => {
  expect(await changelogOf({ until: '@shop/list@1.1.0' })).toEqual(['Sort lists']);
  expect(await changelogOf({ query: '@shop/mail@1.0.0..HEAD' })).toEqual(['Send mails']);
  expect(await changelogOf({ until: '@shop/list@1.1.0', path: 'packages/mail' })).toEqual(['Send mails']);
  expect(await tool.text({ action: 'changelog', until: '@shop/list@1.1.0' })).toContain(
    'only changes below packages/list/, the package that the tag names; path="." brings all',
  );
});

test('a query that is no range, or stands beside one, is refused with what to send', async () => {
  await expect(changelogOf({ query: 'lists' })).rejects.toMatchObject({
    code: 'bad_argument',
    fix: expect.stringContaining('changelog query="v1.0.0..v2.0.0"'),
  });
  await expect(changelogOf({ query: 'HEAD~1..HEAD', since: '30d' })).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(changelogOf({ query: '@shop/list@1.2..HEAD' })).rejects.toMatchObject({ code: 'unknown_id' });
});

test('of two tags of one commit the one that the call names stands above its changes', async () => {
  const app = testRepository();
  app.commit({ message: 'feat: begin', files: { 'a.ts': '1' } });
  app.git('tag', '1.0.0');
  app.git('tag', 'v1.0.0');
  app.commit({ message: 'feat: go on', files: { 'a.ts': '2' } });
  app.git('tag', '1.1.0');
  app.git('tag', 'v1.1.0');
  const appTool = await openCommitTool({ gitDir: join(app.path, '.git'), commit: app.git('rev-parse', 'HEAD') });
  const heading = async (query: string): Promise<unknown> => {
    const { rows } = await appTool.json({ action: 'changelog', query });
    return (rows as { version: string }[]).map(({ version }) => version);
  };

  expect(await heading('1.0.0..1.1.0')).toEqual(['1.1.0']);
  expect(await heading('v1.0.0..v1.1.0')).toEqual(['v1.1.0']);
  await appTool.close();
  app.remove();
});
