import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { partialClone, type TestRepository, testFolder, testRepository } from '../../testing/git.ts';
import { type GitObjects, decodePath, openObjects } from './git-objects.ts';
import { defaultBranch, listTags, locateRepository, refsSignature, resolveTip } from './git-refs.ts';
import { checkGit, GitFailure, localEnvironment, maskCredentials, runGit } from './git.ts';

const open: { remove?: () => void; close?: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const resource of open.splice(0)) {
    await resource.close?.();
    resource.remove?.();
  }
});

function repository(...changes: Parameters<typeof testRepository>): TestRepository {
  const made = testRepository(...changes);
  open.push(made);
  return made;
}

async function objectsOf(path: string): Promise<GitObjects> {
  const objects = await openObjects((await locateRepository(path)).gitDir);
  open.push(objects);
  return objects;
}

test('any folder of a checkout, a bare repository, a worktree and .git itself are found', async () => {
  const source = repository([{ files: { 'deep/down/a.ts': '1' } }]);
  const bare = repository();
  bare.git('clone', '--quiet', '--bare', source.path, join(bare.path, 'bare.git'));
  const worktree = join(bare.path, 'tree');
  source.git('worktree', 'add', '--quiet', worktree);

  expect(await locateRepository(join(source.path, 'deep/down'))).toEqual({
    gitDir: join(source.path, '.git'),
    root: source.path,
  });
  expect((await locateRepository(join(source.path, '.git'))).root).toBe(source.path);
  expect(await locateRepository(join(bare.path, 'bare.git'))).toEqual({
    gitDir: join(bare.path, 'bare.git'),
    root: join(bare.path, 'bare.git'),
  });
  const location = await locateRepository(worktree);
  expect(location.root).toBe(worktree);
  expect(await resolveTip(location.gitDir, 'it')).toEqual({ commit: source.git('rev-parse', 'HEAD'), branch: 'tree' });
  expect((await (await objectsOf(worktree)).listTree(source.git('rev-parse', 'HEAD'))).files).toHaveLength(1);
});

test('what is no repository is refused with the reason', async () => {
  const folder = testFolder();
  open.push({ remove: () => rmSync(folder, { recursive: true }) });
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'fake/.git'), { recursive: true });

  await expect(locateRepository(folder)).rejects.toThrow(/is not in a git repository/);
  await expect(locateRepository(join(folder, 'file'))).rejects.toThrow(/is a file/);
  await expect(locateRepository(join(folder, 'gone'))).rejects.toThrow(/There is no folder/);
  await expect(locateRepository(join(folder, 'fake'))).rejects.toThrow(/is not in a git repository/);
});

test.skipIf(process.getuid?.() === 0)('a folder without permission is refused as such', async () => {
  const source = repository([{ files: { a: '1' } }]);

  for (const folder of ['.git/objects', '.git', '.']) {
    chmodSync(join(source.path, folder), 0o000);
    await expect(locateRepository(source.path)).rejects.toThrow(/may not read/);
    chmodSync(join(source.path, folder), 0o700);
  }
});

test('the tip is HEAD, a branch, a tag or a commit, also when HEAD is detached', async () => {
  const source = repository();
  const first = source.commit({ files: { a: '1' } });
  source.git('tag', '-a', 'v1', '-m', 'one');
  source.git('branch', 'side');
  const second = source.commit({ files: { a: '2' } });
  const gitDir = join(source.path, '.git');

  expect(await resolveTip(gitDir, 'it')).toEqual({ commit: second, branch: 'main' });
  expect(await resolveTip(gitDir, 'it', 'side')).toEqual({ commit: first, branch: 'side' });
  expect(await resolveTip(gitDir, 'it', 'v1')).toEqual({ commit: first });
  expect(await resolveTip(gitDir, 'it', first.slice(0, 10))).toEqual({ commit: first });
  source.git('checkout', '--quiet', '--detach', first);
  expect(await resolveTip(gitDir, 'it')).toEqual({ commit: first });
  expect(await defaultBranch(gitDir)).toBeUndefined();
  expect(await listTags(gitDir)).toMatchObject([{ name: 'v1', target: first }]);
});

test('an empty repository, an unborn branch, a missing pin and a malformed pin each have their sentence', async () => {
  const source = repository();
  const gitDir = join(source.path, '.git');

  await expect(resolveTip(gitDir, 'shop')).rejects.toThrow('shop has no commits yet.');
  source.commit({ files: { a: '1' } });
  await expect(resolveTip(gitDir, 'shop', 'gone')).rejects.toMatchObject({
    code: 'bad_argument',
    message: 'shop has no branch, tag or commit "gone".',
    fix: 'Pin one that exists: main.',
  });
  source.git('symbolic-ref', 'HEAD', 'refs/heads/unborn');
  await expect(resolveTip(gitDir, 'shop')).rejects.toThrow('HEAD of shop points to "unborn", which has no commits.');
  for (const pin of ['--output=/tmp/x', 'a b', 'main~1', 'a..b', '@{u}', 'HEAD:a', '', 'a\nb'])
    await expect(resolveTip(gitDir, 'shop', pin)).rejects.toThrow(/cannot be the name of/);
});

test('the signature of the refs changes with each new commit, checkout and packing', async () => {
  const source = repository([{ files: { a: '1' } }]);
  const gitDir = join(source.path, '.git');
  const signatures = [refsSignature(gitDir)];

  expect(refsSignature(gitDir)).toBe(signatures[0]);
  source.commit({ files: { a: '2' } });
  signatures.push(refsSignature(gitDir));
  source.git('pack-refs', '--all');
  signatures.push(refsSignature(gitDir));
  source.git('checkout', '--quiet', '-b', 'other');
  signatures.push(refsSignature(gitDir));
  expect(new Set(signatures).size).toBe(4);
  const pinned = refsSignature(gitDir, 'main');
  source.commit({ files: { a: '3' } });
  expect(refsSignature(gitDir, 'main')).toBe(pinned);
  source.git('branch', '--force', 'main', 'other');
  expect(refsSignature(gitDir, 'main')).not.toBe(pinned);
});

test('a tree lists its files with sizes; links and submodules are told apart and odd names stay different', async () => {
  const source = repository();
  const odd = [Buffer.from('caf\xe9.ts', 'latin1'), Buffer.from('caf\xe8.ts', 'latin1')];
  mkdirSync(join(source.path, 'src'));
  for (const name of odd) writeFileSync(Buffer.concat([Buffer.from(`${source.path}/`), name]), 'x');
  symlinkSync('/etc/passwd', join(source.path, 'link'));
  writeFileSync(join(source.path, 'run.sh'), 'echo', { mode: 0o755 });
  writeFileSync(join(source.path, 'src/new\nline é.ts'), 'twelve bytes');
  source.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor`);
  mkdirSync(join(source.path, 'vendor'));
  const commit = source.commit();

  const tree = await (await objectsOf(source.path)).listTree(commit);

  expect(tree.links.map(({ path }) => path)).toEqual(['link']);
  expect(tree.files.map((file) => [file.path, file.sizeBytes, file.executable])).toEqual([
    ['caf\\xe8.ts', 1, false],
    ['caf\\xe9.ts', 1, false],
    ['run.sh', 4, true],
    ['src/new\nline é.ts', 12, false],
  ]);
  expect(tree.submodules).toEqual(['vendor']);
});

test('a small commit is listed once, and a clone that lacked contents again', async () => {
  const source = repository([{ files: { a: 'one' } }]);
  const partial = partialClone(source);
  open.push(partial);
  const commit = source.git('rev-parse', 'HEAD');
  const listed = await (await objectsOf(source.path)).listTree(commit);
  const lacking = await (await objectsOf(partial.path)).listTree(commit);

  partial.git('hash-object', '-w', join(source.path, 'a'));

  expect(await (await objectsOf(source.path)).listTree(commit)).toBe(listed);
  expect(lacking.files.map(({ sizeBytes }) => sizeBytes)).toEqual([-1]);
  expect((await (await objectsOf(partial.path)).listTree(commit)).files.map(({ sizeBytes }) => sizeBytes)).toEqual([3]);
});

test('contents come back byte for byte and in order, whatever their size', async () => {
  const source = repository();
  const contents = [
    Buffer.alloc(0),
    Buffer.from('a\0b\nc missing\n'),
    Buffer.alloc(3_000_000, 'x'),
    Buffer.from('end'),
  ];
  const commit = source.commit({ files: Object.fromEntries(contents.map((content, at) => [`f${at}`, content])) });
  const objects = await objectsOf(source.path);
  const { files } = await objects.listTree(commit);

  const read = await Array.fromAsync(objects.readBlobs(files.map((file) => file.blob)));

  expect(read.map(({ bytes }, at) => bytes?.equals(contents[at] ?? Buffer.of(1)))).toEqual([true, true, true, true]);
});

test('reading may stop in the middle, and a cancelled read throws its reason', async () => {
  const source = repository();
  const commit = source.commit({
    files: Object.fromEntries([1, 2, 3].map((at) => [`f${at}`, `${at}`.repeat(200_000)])),
  });
  const objects = await objectsOf(source.path);
  const blobs = (await objects.listTree(commit)).files.map((file) => file.blob);

  for await (const { bytes } of objects.readBlobs(blobs)) {
    expect(bytes).toHaveLength(200_000);
    break;
  }
  const reason = new Error('enough');
  await expect(objects.listTree(commit, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('a partial clone lists what it lacks and fetches nothing', async () => {
  const source = repository([{ files: { a: 'one', b: 'two' } }]);
  const partial = partialClone(source);
  open.push(partial);
  const objects = await objectsOf(partial.path);

  const { files } = await objects.listTree(source.git('rev-parse', 'HEAD'));
  const read = await Array.fromAsync(objects.readBlobs(files.map((file) => file.blob)));

  expect(files.map((file) => file.sizeBytes)).toEqual([-1, -1]);
  expect(read.map((blob) => blob.bytes)).toEqual([undefined, undefined]);
});

test('a shallow clone is read up to its border', async () => {
  const source = repository([{ files: { a: '1' } }, { files: { a: '2' } }, { files: { a: '3' } }]);
  const folder = repository();
  const path = join(folder.path, 'shallow');
  folder.git('clone', '--quiet', '--depth=2', `file://${source.path}`, path);
  const objects = await objectsOf(path);

  const log = await objects.run(['rev-list', source.git('rev-parse', 'HEAD')]);

  expect(log.toString().trim().split('\n')).toHaveLength(2);
});

test('commits are counted between two tips, and ancestors told from strangers', async () => {
  const source = repository();
  const [first, , third] = ['1', '2', '3'].map((a) => source.commit({ files: { a } }));
  source.git('checkout', '--quiet', '-b', 'side', first ?? '');
  const side = source.commit({ files: { b: '1' } });
  const objects = await objectsOf(source.path);

  expect(await objects.countBetween(first ?? '', third ?? '')).toBe(2);
  expect(await objects.isAncestor(first ?? '', third ?? '')).toBe(true);
  expect(await objects.isAncestor(side, third ?? '')).toBe(false);
  expect(await objects.isAncestor('0'.repeat(40), third ?? '')).toBe(false);
});

test('nothing that a repository configures is run', async () => {
  const source = repository([{ files: { a: '1', '.gitattributes': '* diff=evil filter=evil\n' } }]);
  const trace = join(source.path, 'ran');
  const evil = `touch ${trace};`;
  for (const key of [
    'core.fsmonitor',
    'core.pager',
    'core.sshCommand',
    'diff.evil.textconv',
    'diff.evil.command',
    'diff.external',
  ])
    source.git('config', key, evil);
  mkdirSync(join(source.path, '.git/hooks'));
  writeFileSync(join(source.path, '.git/hooks/post-checkout'), `#!/bin/sh\n${evil}`, { mode: 0o755 });

  const tip = await resolveTip(join(source.path, '.git'), 'it');
  const objects = await objectsOf(source.path);
  await objects.listTree(tip.commit);
  await objects.run(['log', '--numstat', tip.commit]);

  expect(existsSync(trace)).toBe(false);
});

test('a repository that is owned by somebody else is still read', async () => {
  const source = repository([{ files: { a: '1' } }]);
  const options = { env: { ...localEnvironment(), GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' } };

  await expect(runGit(['-C', source.path, 'rev-parse', 'HEAD'], options)).rejects.toThrow(/dubious ownership/);
  const head = await runGit([`--git-dir=${source.path}/.git`, 'rev-parse', 'HEAD'], options);
  expect(head.toString().trim()).toBe(source.git('rev-parse', 'HEAD'));
});

test('git stops at its time and output limits, and its version is told', async () => {
  const env = localEnvironment();

  await expect(runGit(['help', '--all'], { env, maxBytes: 10 })).rejects.toThrow(
    new GitFailure('help', null, 'wrote more than 10 bytes'),
  );
  await expect(runGit(['hash-object', '--stdin-paths'], { env, timeoutMs: 1, input: '/dev/zero\n' })).rejects.toThrow(
    /did not finish within/,
  );
  expect(await checkGit()).toMatch(/^\d+\.\d+/);
});

test('credentials in text are masked', () => {
  expect(maskCredentials("unable to access 'https://me:secret@example.org/a.git/': x ssh://git@h/p")).toBe(
    "unable to access 'https://***@example.org/a.git/': x ssh://***@h/p",
  );
  expect(decodePath(Buffer.from([0x61, 0xff, 0xc3, 0xa9, 0xef, 0xbf, 0xbd]))).toBe('a\\xffé\uFFFD');
});

test.each([
  ['.git', /\.git is a FIFO, not a file/],
  ['.git/HEAD', /HEAD is a FIFO/],
  ['.git/commondir', /commondir is a FIFO/],
  ['.git/config', /config is a FIFO/],
  ['.git/packed-refs', /packed-refs is a FIFO/],
  ['.git/refs/heads/main', /main is a FIFO/],
  ['.git/objects/info/alternates', /alternates is a FIFO/],
])('a repository whose %s is a FIFO is refused at once', async (name, message) => {
  const source = repository([{ files: { a: '1' } }]);
  rmSync(join(source.path, name), { recursive: true, force: true });
  execFileSync('mkfifo', [join(source.path, name)]);

  await expect(locateRepository(source.path)).rejects.toMatchObject({
    code: 'bad_argument',
    message: expect.stringMatching(message),
  });
});

test('a .git file and its commondir that point to a FIFO or a device are refused', async () => {
  const source = repository([{ files: { a: '1' } }]);
  const folder = testFolder();
  open.push({ remove: () => rmSync(folder, { recursive: true }) });
  mkdirSync(join(folder, 'dir'));
  execFileSync('mkfifo', [join(folder, 'dir/HEAD')]);
  writeFileSync(join(folder, '.git'), `gitdir: ${join(folder, 'dir')}\n`);
  rmSync(join(source.path, '.git/HEAD'));
  symlinkSync('/dev/zero', join(source.path, '.git/HEAD'));

  await expect(locateRepository(folder)).rejects.toThrow(/HEAD is a FIFO/);
  await expect(locateRepository(source.path)).rejects.toThrow(/HEAD is a device/);
});

test('the refs that became a FIFO after they were looked at hold nobody up', () => {
  const source = repository([{ files: { a: '1' } }]);
  const gitDir = join(source.path, '.git');
  rmSync(join(gitDir, 'HEAD'));
  execFileSync('mkfifo', [join(gitDir, 'HEAD')]);

  expect(() => refsSignature(gitDir)).toThrow(/HEAD is a FIFO/);
});
