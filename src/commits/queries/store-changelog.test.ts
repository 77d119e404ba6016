import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openShard } from '../../indexes/shards/shards.ts';
import { testFolder, type TestRepository, testRepository } from '../../testing/git.ts';
import { HISTORY_FORMAT } from '../mine/history-schema.ts';
import { writeHistory } from '../mine/mine.ts';
import { type ChangelogPage, changelogEntries, packageOfTag, previousVersion } from './store-changelog.ts';
import { findCommits } from './store-range.ts';

interface Mined {
  changelog: (tag?: string) => ChangelogPage;
  before: (tag: string) => string | undefined;
  folder: (tag: string) => string | undefined;
}

/** Mines the history of the newest commit; with `beside` it holds that of this other commit too. */
async function mined(shop: TestRepository, beside?: string): Promise<Mined> {
  const folder = testFolder();
  const file = join(folder, 'history');
  const run = { signal: new AbortController().signal, onProgress: () => undefined };
  const gitDir = join(shop.path, '.git');
  const previousFile = join(folder, 'beside');
  if (beside !== undefined) await writeHistory({ gitDir, commit: beside, targetFile: previousFile }, run);
  const further = beside === undefined ? {} : { previousFile, keepsOtherLines: true };
  await writeHistory({ gitDir, commit: shop.git('rev-parse', 'HEAD'), targetFile: file, ...further }, run);
  const db = openShard(file, HISTORY_FORMAT);
  onTestFinished(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });
  return {
    changelog: (tag) => changelogEntries(db, { filter: { range: {} }, tag, types: [], removed: new Map() }),
    folder: (tag) => packageOfTag(db, { tag }),
    before: (tag) => previousVersion(db, { sha: findCommits(db, { name: tag })[0]?.sha ?? '', tag }),
  };
}

function source(): TestRepository {
  const shop = testRepository([{ files: { 'src/a.ts': '0\n' }, message: 'feat: begin' }]);
  onTestFinished(() => shop.remove());
  return shop;
}

test('the changelog of a line of history is the same where the shard holds another one', async () => {
  const shop = source();
  shop.git('tag', 'v1.0.0');
  shop.git('checkout', '--quiet', '-b', 'fix-it');
  shop.commit({ files: { 'src/b.ts': '1\n' }, message: 'feat: mend it for all' });
  // Both lines have it, each by a merge of its own.
  shop.git('checkout', '--quiet', '-b', '1.x', 'v1.0.0');
  shop.git('merge', '--quiet', '--no-ff', '-m', 'Merge pull request #8 from acme/fix-it\n\nMend the line', 'fix-it');
  shop.git('tag', 'v1.0.1');
  shop.commit({ files: { 'src/a.ts': '2\n' }, message: 'fix: only here' });
  shop.git('tag', 'v1.0.2');
  shop.git('checkout', '--quiet', 'main');
  shop.git(
    'merge',
    '--quiet',
    '--no-ff',
    '-m',
    'Merge pull request #7 from acme/fix-it\n\nMend the main line',
    'fix-it',
  );
  shop.git('tag', 'v2.0.0');
  const main = shop.git('rev-parse', 'HEAD');
  shop.git('checkout', '--quiet', '1.x');

  const [wide, alone] = [await mined(shop, main), await mined(shop)];

  expect(wide.changelog('v1.0.2')).toEqual(alone.changelog('v1.0.2'));
  expect(wide.changelog('v1.0.2').entries.map(({ version, references }) => [version, ...references])).toEqual([
    ['v1.0.2'],
    ['v1.0.1', '#8'],
    ['v1.0.0'],
  ]);
  expect([wide.before('v1.0.2'), wide.before('v1.0.1')]).toEqual(['v1.0.1', 'v1.0.0']);
});

test('each commit belongs to the first version that has it; pre-releases and other tags are none', async () => {
  const shop = source();
  shop.git('tag', 'v1.0.0');
  shop.commit({ files: { 'src/a.ts': '1\n' }, message: 'feat: one' });
  shop.git('tag', 'v1.1.0-rc.1');
  shop.git('tag', 'nightly');
  shop.commit({ files: { 'src/a.ts': '2\n' }, message: 'fix: two' });
  shop.git('tag', 'v1.1.0');
  shop.commit({ files: { 'src/a.ts': '3\n' }, message: 'fix: three' });

  const { changelog, before } = await mined(shop);

  expect(changelog().entries.map(({ text, version }) => [text, version])).toEqual([
    ['Three', ''],
    ['Two', 'v1.1.0'],
    ['One', 'v1.1.0'],
    ['Begin', 'v1.0.0'],
  ]);
  expect(changelog('v1.1.0-rc.1').entries.find(({ text }) => text === 'One')?.version).toBe('v1.1.0-rc.1');
  expect([before('v1.1.0'), before('v1.0.0')]).toEqual(['v1.0.0', undefined]);
});

test('of a project with many packages, the versions of the one that is asked for count', async () => {
  const shop = source();
  shop.git('tag', 'list@1.0.0');
  shop.commit({ files: { 'src/a.ts': '1\n' }, message: 'feat: one' });
  shop.git('tag', 'mail@3.0.0');
  shop.commit({ files: { 'src/a.ts': '2\n' }, message: 'feat: two' });
  shop.git('tag', 'list@1.1.0');

  const { before } = await mined(shop);

  expect(before('list@1.1.0')).toBe('list@1.0.0');
});

test('a tag names its package where the repository tags more than one', async () => {
  const shop = source();
  shop.commit({
    files: {
      'package.json': '{}\n',
      'packages/list/package.json': '{}\n',
      'packages/mail/package.json': '{}\n',
      'sdk/go/go.mod': 'module go\n',
      'libs/twice/package.json': '{}\n',
      'packages/twice/package.json': '{}\n',
    },
  });
  for (const tag of ['@shop/list@1.0.0', 'mail-v2.0.0', 'sdk/go/v1.1.0', 'v3.0.0', 'twice@1.0.0', 'other-1.0.0'])
    shop.git('tag', tag);
  const single = source();
  single.commit({ files: { 'list/package.json': '{}\n' } });
  single.git('tag', 'list-1.0.0');

  const { folder } = await mined(shop);
  const alone = await mined(single);

  expect(folder('@shop/list@1.0.0')).toBe('packages/list');
  expect(folder('mail-v2.0.0')).toBe('packages/mail');
  expect(folder('sdk/go/v1.1.0')).toBe('sdk/go');
  expect(['v3.0.0', 'twice@1.0.0', 'other-1.0.0', 'main'].map(folder)).toEqual(Array(4).fill(undefined));
  expect(alone.folder('list-1.0.0')).toBeUndefined();
});

test('commits of a branch carry the pull request of the innermost merge that names one', async () => {
  const shop = source();
  shop.git('checkout', '--quiet', '-b', 'lists');
  shop.commit({ files: { 'src/b.ts': '1\n' }, message: 'wip' });
  shop.git('checkout', '--quiet', '-b', 'deep');
  shop.commit({ files: { 'src/c.ts': '1\n' }, message: 'wip deep' });
  shop.git('checkout', '--quiet', 'lists');
  shop.git('merge', '--quiet', '--no-ff', '-m', 'Merge pull request #5 from x/deep', '-m', 'fix: deep lists', 'deep');
  shop.git('checkout', '--quiet', 'main');
  shop.commit({ files: { 'src/d.ts': '1\n' }, message: 'fix: on main' });
  shop.git(
    'merge',
    '--quiet',
    '--no-ff',
    '-m',
    'Merge pull request #4 from x/lists',
    '-m',
    'feat: sort lists',
    'lists',
  );

  const { changelog } = await mined(shop);

  const entryLines = changelog().entries.map(({ text, references }) => `${text} ${references.join()}`.trim());
  expect(entryLines.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    'Begin',
    'Deep lists #5',
    'On main',
    'Sort lists #4',
  ]);
});

const fragments = (names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`changelog/${name}`, 'text\n']));

test('a fragment that an earlier release took away was announced there', async () => {
  const shop = source();
  shop.commit({ files: fragments(['1.bugfix.rst']), message: 'one' });
  shop.commit({ files: fragments(['2.feature.rst']), message: 'two' });
  shop.commit({ files: fragments(['3.bugfix.rst']), message: 'three' });
  shop.commit({ files: { 'changelog/1.bugfix.rst': undefined }, message: 'Carry over the notes of 1.0.1' });
  shop.commit({
    files: { 'changelog/2.feature.rst': undefined, 'changelog/3.bugfix.rst': undefined },
    message: 'Prepare release 1.1.0',
  });
  shop.git('tag', '1.1.0');

  const { changelog } = await mined(shop);

  expect(changelog().entries.map(({ text }) => text)).toEqual(['Three', 'Two']);
});
