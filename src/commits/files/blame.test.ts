import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openObjects } from '../../platform/git/git-objects.ts';
import { testRepository } from '../../testing/git.ts';
import { blame, ignoredRevisions, lineHistory } from './blame.ts';

const SECOND = 'Second Author <second@example.org>';

test('commits that .git-blame-ignore-revs lists wrote no line, whatever else stands in it', async () => {
  const shop = testRepository();
  onTestFinished(() => shop.remove());
  shop.commit({ files: { 'a.ts': "send('a');\nsend('b');\n" } });
  const formatted = shop.commit({ files: { 'a.ts': 'send("a");\nsend("b");\n' }, author: SECOND });
  const unknown = 'f'.repeat(40);
  const list = `# formatting\n${formatted} # quotes\n${unknown}\nnot an id\n\n`;
  const commit = shop.commit({ files: { '.git-blame-ignore-revs': list } });
  await using objects = await openObjects(join(shop.path, '.git'));

  const ignored = await ignoredRevisions(objects, commit);
  const authors = async (hidden: readonly string[]): Promise<unknown> =>
    (await blame(objects, { commit, path: 'a.ts', ignored: hidden }))?.map(({ author, end }) => [author, end]);

  expect(ignored).toEqual([formatted]);
  expect(await authors([])).toEqual([['Second Author', 2]]);
  expect(await authors(ignored)).toEqual([['First Author', 2]]);
});

test('without such a file nothing is ignored', async () => {
  const shop = testRepository([{ files: { 'a.ts': 'a\n' } }]);
  onTestFinished(() => shop.remove());
  await using objects = await openObjects(join(shop.path, '.git'));

  expect(await ignoredRevisions(objects, shop.git('rev-parse', 'HEAD'))).toEqual([]);
});

test('lines are followed through renames', async () => {
  const shop = testRepository();
  onTestFinished(() => shop.remove());
  const first = shop.commit({ files: { 'a.ts': 'one();\ntwo();\nthree();\n' } });
  shop.commit({ files: { 'a.ts': undefined, 'src/b.ts': 'one();\ntwo();\nthree();\n' } });
  const last = shop.commit({ files: { 'src/b.ts': 'one();\n2();\nthree();\n' } });
  await using objects = await openObjects(join(shop.path, '.git'));

  expect(await lineHistory(objects, { commit: last, path: 'src/b.ts', start: 2, end: 2 })).toEqual([last, first]);
});
