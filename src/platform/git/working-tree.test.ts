import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder, type TestCommit, testGit, type TestRepository, testRepository } from '../../testing/git.ts';
import { locateRepository } from './git-refs.ts';
import { WorkingTree } from './working-tree.ts';

async function openTree(
  files: TestCommit['files'] = {},
): Promise<{ shop: TestRepository; tree: WorkingTree; head: string }> {
  const shop = testRepository([{ files }]);
  onTestFinished(() => shop.remove());
  return { shop, tree: await treeOf(shop.path), head: shop.git('rev-parse', 'HEAD') };
}

async function treeOf(path: string): Promise<WorkingTree> {
  const tree = await WorkingTree.open(await locateRepository(path));
  onTestFinished(() => tree.close());
  return tree;
}

const names = (paths: readonly Buffer[]): string[] => paths.map(String).toSorted();

/** Everything below `.git` with its content and the times of files: what a trace would change. */
function stateOf(path: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(join(path, '.git'), { recursive: true, encoding: 'utf8' }).toSorted()) {
    const state = statSync(join(path, '.git', name), { bigint: true });
    hash.update(`${name} ${state.mtimeNs} ${state.ctimeNs}\n`);
    if (state.isFile()) hash.update(readFileSync(join(path, '.git', name)));
  }
  return hash.digest('hex');
}

test('a snapshot has what is staged, changed, new and gone, and nothing of it touches the repository', async () => {
  const { shop, tree, head } = await openTree({
    a: '1',
    b: '1',
    c: '1',
    'd/e': '1',
    same: '1',
    '.gitignore': 'ignored\n',
  });
  writeFileSync(join(shop.path, 'a'), 'staged');
  shop.git('add', 'a');
  writeFileSync(join(shop.path, 'b'), 'changed');
  rmSync(join(shop.path, 'c'));
  rmSync(join(shop.path, 'd'), { recursive: true });
  writeFileSync(join(shop.path, 'd'), 'a file in the place of a folder');
  mkdirSync(join(shop.path, 'c'));
  for (const name of ['c/in a folder "ü"', 'ignored']) writeFileSync(join(shop.path, name), 'new');
  const before = stateOf(shop.path);

  const changed = await tree.changed(head);
  const snapshot = await tree.snapshot(head, changed);

  expect(names(changed)).toEqual(['a', 'b', 'c', 'c/in a folder "ü"', 'd', 'd/e']);
  const git = (...args: string[]): string => testGit(snapshot?.gitDir ?? '', args);
  expect(
    git('-c', 'core.quotePath=false', 'ls-tree', '-r', '-z', '--name-only', snapshot?.commit ?? '')
      .split('\0')
      .filter(Boolean),
  ).toEqual(['.gitignore', 'a', 'b', 'c/in a folder "ü"', 'd', 'same']);
  expect(git('show', `${snapshot?.commit}:a`)).toBe('staged');
  expect(git('rev-parse', `${snapshot?.commit}^`)).toBe(head);
  expect(stateOf(shop.path)).toBe(before);
});

test('the same state is the same commit, also for another process; another content is another', async () => {
  const { shop, tree, head } = await openTree({ a: '1' });
  writeFileSync(join(shop.path, 'a'), '2');
  const other = await treeOf(shop.path);
  const of = async (workingTree: WorkingTree): Promise<string | undefined> =>
    (await workingTree.snapshot(head, await workingTree.changed(head)))?.commit;

  const first = await of(tree);
  expect([await of(tree), await of(other)]).toEqual([first, first]);
  writeFileSync(join(shop.path, 'a'), '3');
  expect(await of(tree)).not.toBe(first);
});

test('filters of the repository do not run, and its own list of ignored files counts', async () => {
  const { shop, tree, head } = await openTree({ a: '1', '.gitignore': 'trace\n', '.gitattributes': '* filter=evil\n' });
  const trace = join(shop.path, 'trace');
  shop.git('config', 'filter.evil.clean', `touch ${trace}; cat`);
  for (const folder of ['new', '.git/info']) mkdirSync(join(shop.path, folder));
  for (const name of ['a', 'new/one', 'new/two', '.git/info/exclude'])
    writeFileSync(join(shop.path, name), 'new/two\n');

  const changed = await tree.changed(head);
  await tree.snapshot(head, changed);

  expect(names(changed)).toEqual(['a', 'new/one']);
  expect(existsSync(trace)).toBe(false);
});

test('links, pipes, huge files and those that may not be read stay as in the commit', async () => {
  const { shop, tree, head } = await openTree({ link: 'text', huge: '1', secret: '1', a: '1' });
  rmSync(join(shop.path, 'link'));
  symlinkSync('/etc/passwd', join(shop.path, 'link'));
  writeFileSync(join(shop.path, 'huge'), Buffer.alloc(3_000_000));
  writeFileSync(join(shop.path, 'a'), '2');
  rmSync(join(shop.path, 'secret'));
  execFileSync('mkfifo', [join(shop.path, 'secret')]);
  writeFileSync(join(shop.path, 'closed'), '1');
  chmodSync(join(shop.path, 'closed'), 0);

  const snapshot = await tree.snapshot(head, await tree.changed(head));

  const changes = testGit(snapshot?.gitDir ?? '', ['diff', '--name-only', head, snapshot?.commit ?? '']).split('\n');
  // Who is root may read everything.
  expect(changes.filter((name) => name !== 'closed')).toEqual(['a']);
});

test('more files than anybody works on make no snapshot', async () => {
  const { tree, head } = await openTree({ a: '1' });
  const many = Array.from({ length: 2_001 }, (_, at) => Buffer.from(`new${at}`));

  expect(await tree.snapshot(head, many)).toBeUndefined();
});

test('a worktree has changes of its own', async () => {
  const { shop } = await openTree({ a: '1' });
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'tree');
  shop.git('worktree', 'add', '--quiet', path);
  writeFileSync(join(shop.path, 'new'), '');
  writeFileSync(join(path, 'a'), '2');

  const tree = await treeOf(path);

  expect(names(await tree.changed(shop.git('rev-parse', 'HEAD')))).toEqual(['a']);
});
