import { expect, onTestFinished, test } from 'vitest';
import { GitFailure } from '../../platform/git/git.ts';
import { openObjects } from '../../platform/git/git-objects.ts';
import { partialClone, testRepository } from '../../testing/git.ts';
import { countLines } from './count-lines.ts';

const { signal } = new AbortController();
const revision = (sha: string, name: string, oldName?: string) => ({ sha, name, oldName });

test('lines are counted over the revisions of a file, a rename with an edit as the edit', async () => {
  const ten = 'a line of ten\n'.repeat(10);
  const shop = testRepository([
    { files: { 'a.ts': ten, 'other.ts': '1\n' } },
    { files: { 'a.ts': undefined, 'src/a.ts': `${ten}more\n`, 'other.ts': '2\n' } },
    { files: { 'src/a.ts': ten } },
  ]);
  onTestFinished(() => shop.remove());
  const [first = '', second = '', third = ''] = shop.git('rev-list', '--reverse', 'HEAD').split('\n');
  await using objects = await openObjects(`${shop.path}/.git`);

  const files = [
    {
      path: 'src/a.ts',
      revisions: [revision(third, 'src/a.ts'), revision(second, 'src/a.ts', 'a.ts'), revision(first, 'a.ts')],
    },
    { path: 'other.ts', revisions: [revision(second, 'other.ts')] },
  ];
  expect(await countLines(objects, files, signal)).toEqual([12, 2]);
});

test('lines of binary and very large contents are not counted', async () => {
  const shop = testRepository([
    { files: { 'lock.yaml': 'a\nb\n', bin: Buffer.from([0, 1, 2]) } },
    { files: { 'lock.yaml': 'one line of a lock file\n'.repeat(25_000), bin: Buffer.from([0, 3]) } },
  ]);
  onTestFinished(() => shop.remove());
  const [first = '', second = ''] = shop.git('rev-list', '--reverse', 'HEAD').split('\n');
  await using objects = await openObjects(`${shop.path}/.git`);
  const revised = (path: string) => ({ path, revisions: [revision(second, path), revision(first, path)] });

  expect(await countLines(objects, [revised('lock.yaml'), revised('bin')], signal)).toEqual([2, 0]);
});

test('a history that was merged as a folder has its lines, which git knows without the folder', async () => {
  const shop = testRepository([{ files: { 'a.ts': '1\n' } }]);
  onTestFinished(() => shop.remove());
  const [first = ''] = shop.git('rev-list', 'HEAD').split('\n');
  await using objects = await openObjects(`${shop.path}/.git`);

  const files = [{ path: 'part/a.ts', revisions: [revision(first, 'part/a.ts')] }];
  expect(await countLines(objects, files, signal)).toEqual([1]);
});

test('missing contents are a failure of git', async () => {
  const shop = testRepository([{ files: { 'a.ts': '1\n' } }]);
  onTestFinished(() => shop.remove());
  const partial = partialClone(shop);
  onTestFinished(() => partial.remove());
  const [first = ''] = shop.git('rev-list', 'HEAD').split('\n');
  await using objects = await openObjects(partial.path);

  const files = [{ path: 'a.ts', revisions: [revision(first, 'a.ts')] }];
  await expect(countLines(objects, files, signal)).rejects.toBeInstanceOf(GitFailure);
});
