import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCommitTool, type TestCommitTool } from '../testing/commit-tool.ts';
import { testGit, testRepository } from '../testing/git.ts';

/** A commit of `data` bytes as `git fast-import` reads it: one process makes them all. */
function imported(at: number): string {
  const [message, text] = [`fix: mail ${at}`, `mail(${at});\n`];
  return [
    'commit refs/heads/main',
    `committer First Author <first@example.org> ${1_767_225_600 + at} +0000`,
    `data ${message.length}`,
    message,
    `M 100644 inline src/mail-${at}.ts`,
    `data ${text.length}`,
    text,
  ].join('\n');
}

async function toolOver(commits: number, contentLimitMs?: number): Promise<TestCommitTool> {
  const shop = testRepository();
  const input = Array.from({ length: commits }, (_, at) => imported(at)).join('\n');
  testGit(shop.path, ['fast-import', '--quiet', '--force'], undefined, input);
  const commit = shop.git('rev-parse', 'refs/heads/main');
  const gitDir = join(shop.path, '.git');
  const tool = await openCommitTool({ gitDir, commit, ...(contentLimitMs !== undefined && { contentLimitMs }) });
  onTestFinished(async () => {
    await tool.close();
    shop.remove();
  });
  return tool;
}

test('a search by words that ranks the best 200 alone says that there are more', async () => {
  const tool = await toolOver(201);

  const text = await tool.text({ action: 'search', query: 'mail', limit: 1 });
  const all = await tool.text({ action: 'search', limit: 1 });

  expect(text.split('\n')[0]).toContain(' · 1 of at least 200 · ');
  expect(text).toContain('only the best 200 are ranked');
  expect(await tool.json({ action: 'search', query: 'mail', limit: 1 })).toMatchObject({ total: 200, at_least: true });
  expect(all.split('\n')[0]).toContain(' · 1 of 201 · ');
});

test('a search of contents that ran out of time gives no exact total', async () => {
  const late = await toolOver(2, 0);

  const text = await late.text({ action: 'search', query: '+mail(1)' });

  expect(text.split('\n')[0]).toContain(' · 0 of at least 0');
  expect(text).toContain('stopped after 0 commits: narrow by path, author or a shorter period');
  expect(await late.json({ action: 'search', query: '+mail(1)' })).toMatchObject({ total: 0, at_least: true });
});

test('a search of contents that came to its end gives an exact total', async () => {
  const tool = await toolOver(2);

  const text = await tool.text({ action: 'search', query: '+mail(1)' });

  expect(text.split('\n')[0]).toMatch(/ · 1 of 1$/);
});
