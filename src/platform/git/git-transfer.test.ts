import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type TestRepository, testFolder, testGit, testRepository } from '../../testing/git.ts';
import { explainGit } from './git-failure.ts';
import { resolveTip } from './git-refs.ts';
import { parseProgress, syncMirror, type TransferProgress } from './git-transfer.ts';
import { GitFailure } from './git.ts';

const options = { allowFile: true, privateHosts: new Set<string>(), subject: 'shop' };

function makeRepository(): { source: TestRepository; url: string; folder: string } {
  const source = testRepository([{ files: { a: '1' } }]);
  onTestFinished(() => source.remove());
  return { source, url: `file://${source.path}`, folder: mirrorFolder() };
}

function mirrorFolder(): string {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'mirror.git');
}

test('a mirror is made, then follows new commits, deleted branches, forced pushes and a new HEAD', async () => {
  const { source, url, folder } = makeRepository();
  source.git('branch', 'old');
  const stages: TransferProgress[] = [];

  await syncMirror(folder, url, { ...options, onProgress: (progress) => stages.push(progress) });
  expect(await resolveTip(folder, 'shop')).toEqual({ commit: source.git('rev-parse', 'HEAD'), branch: 'main' });
  source.git('branch', '--quiet', '-D', 'old');
  source.git('tag', 'v1');
  source.git('commit', '--quiet', '--amend', '-m', 'Other history');
  source.git('branch', '--quiet', '-m', 'main', 'trunk');
  await syncMirror(folder, url, options);

  expect(await resolveTip(folder, 'shop')).toEqual({ commit: source.git('rev-parse', 'HEAD'), branch: 'trunk' });
  expect(testGit(folder, ['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/trunk\nrefs/tags/v1');
  expect(stages.length).toBeGreaterThan(0);
});

test('what a killed fetch leaves behind does not stop the next one', async () => {
  const { source, url, folder } = makeRepository();
  await syncMirror(folder, url, options);
  mkdirSync(join(folder, 'objects/pack'), { recursive: true });
  for (const leftover of [
    'HEAD.lock',
    'packed-refs.lock',
    'refs/heads/main.lock',
    'objects/pack/tmp_pack_x1',
    'objects/pack/.tmp-77-pack-x.pack',
    'config.lock',
  ])
    writeFileSync(join(folder, leftover), '');
  mkdirSync(join(folder, 'objects/tmp_objdir-incoming-x1/pack'), { recursive: true });
  const commit = source.commit({ files: { a: '2' } });

  await syncMirror(folder, url, options);

  expect(await resolveTip(folder, 'shop')).toMatchObject({ commit });
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(paths.filter((name) => /tmp|lock$/.test(name))).toEqual([]);
});

test('a refused protocol and a missing repository are told in a sentence', async () => {
  const { url, folder } = makeRepository();

  await expect(syncMirror(folder, url, { ...options, allowFile: false })).rejects.toMatchObject({
    code: 'bad_argument',
    message: 'shop would be fetched over "file", which is not allowed here.',
  });
  await expect(syncMirror(folder, 'ext::sh -c id', options)).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(syncMirror(folder, 'file:///nowhere/at/all', options)).rejects.toMatchObject({
    code: 'upstream_failed',
    message: 'There is no git repository at shop.',
  });
  await expect(syncMirror(folder, '--upload-pack=touch /tmp/x', options)).rejects.toThrow(/shop/);
});

test('a remote without commits gives an empty mirror', async () => {
  const source = testRepository();
  onTestFinished(() => source.remove());
  const folder = mirrorFolder();

  await syncMirror(folder, `file://${source.path}`, options);

  await expect(resolveTip(folder, 'shop')).rejects.toThrow('shop has no commits yet.');
});

test.each([
  [
    "fatal: could not read Username for 'https://github.com': terminal prompts disabled",
    'upstream_failed',
    /refused access/,
  ],
  [
    'git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.',
    'upstream_failed',
    /refused access/,
  ],
  [
    "remote: Repository not found.\nfatal: repository 'https://x/y/' not found",
    'upstream_failed',
    /There is no git repository/,
  ],
  ['Host key verification failed.\nfatal: Could not read from remote repository.', 'upstream_failed', /host key/],
  ["fatal: unable to access 'https://x/': Could not resolve host: x", 'upstream_failed', /could not be found/],
  [
    "fatal: unable to access 'https://x/': Failed to connect to x port 443: Connection refused",
    'upstream_failed',
    /reached/,
  ],
  ['fatal: write error: No space left on device', 'storage_full', /The disk is full/],
  ["fatal: detected dubious ownership in repository at '/r'", 'bad_argument', /belongs to another user/],
  ['fatal: unable to read 0cfbf08886fca9a91cb753ec8734c84fcbe52c9f', 'bad_argument', /missing or damaged objects/],
  ['fatal: something new', 'upstream_failed', /git failed on shop: something new/],
] as const)('%s is explained', (stderr, code, message) => {
  const error = explainGit(new GitFailure('fetch', 128, stderr), 'shop');

  expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string });
});

test('progress is read from what git writes', () => {
  const text = 'remote: Counting objects:  10% (1/10)\rReceiving objects:  42% (420/1000), 1.20 MiB | 2.00 MiB/s\r';

  expect(parseProgress(text)).toEqual({ stage: 'Receiving objects', done: 420, total: 1000 });
  expect(parseProgress('hint: nothing')).toBeUndefined();
});
