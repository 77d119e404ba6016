import { expect, onTestFinished, test } from 'vitest';
import { openObjects } from '../../platform/git/git-objects.ts';
import { resolveTip } from '../../platform/git/git-refs.ts';
import { type TestCommit, testGit, testRepository } from '../../testing/git.ts';
import { type LoggedCommit, parseLog, readLog } from './git-log.ts';

const signal = new AbortController().signal;

async function logOf(path: string, commit: string, after?: string): Promise<LoggedCommit[]> {
  await using objects = await openObjects(`${path}/.git`);
  return (
    await Array.fromAsync(readLog(objects, { commit, after: after === undefined ? [] : [after], signal }))
  ).flat();
}

test('a history is read oldest first, with lines, renames, deletions, binary files and odd paths', async () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('');
  const shop = testRepository([
    {
      files: { 'a.ts': lines, 'b\tc\nd é.ts': 'x\n', bin: Buffer.from([0, 1, 2]) },
      message: 'First\n\nBody one.\n:not raw',
    },
    { files: { 'a.ts': undefined, 'src/a.ts': `${lines}more\n` }, message: '\u{1F680} Move' },
    { files: { bin: Buffer.from([0, 3]), '3\t4\tq': 'y' } },
  ]);
  onTestFinished(() => shop.remove());
  const commit = shop.git('rev-parse', 'HEAD');

  const log = await logOf(shop.path, commit);

  expect(log.map((logged) => [logged.subject, logged.body, logged.parents.length])).toEqual([
    ['First', 'Body one.\n:not raw', 0],
    ['\u{1F680} Move', '', 1],
    ['Add files', '', 1],
  ]);
  expect(log.map((logged) => logged.changes.map(({ blobs: _, ...change }) => change))).toEqual([
    [
      { status: 'A', path: 'a.ts', growth: lines.length },
      { status: 'A', path: 'b\tc\nd é.ts', growth: 2 },
      { status: 'A', path: 'bin', growth: 3 },
    ],
    [{ status: 'R', path: 'src/a.ts', oldPath: 'a.ts', growth: 5 }],
    [
      { status: 'A', path: '3\t4\tq', growth: 1 },
      { status: 'M', path: 'bin', growth: -1 },
    ],
  ]);
  expect(log[0]).toMatchObject({ authoredAt: Date.UTC(2026, 0, 1) / 1000, complete: true });
});

test('authors are called as .mailmap of that commit says', async () => {
  const shop = testRepository([
    { files: { a: '1' }, author: 'ada <old@example.org>' },
    { files: { '.mailmap': 'Later Name <first@example.org> <old@example.org>\n' } },
  ]);
  onTestFinished(() => shop.remove());

  const [first] = await logOf(shop.path, shop.git('rev-parse', 'HEAD'));

  expect(first).toMatchObject({ authorName: 'Later Name', authorEmail: 'first@example.org' });
});

test('merges have parents and no changes; parents come before children; a range leaves out what it starts from', async () => {
  const shop = testRepository([{ files: { a: '1' } }]);
  onTestFinished(() => shop.remove());
  const base = shop.git('rev-parse', 'HEAD');
  shop.git('checkout', '--quiet', '-b', 'side');
  shop.commit({ files: { b: '1' }, message: 'Side' });
  shop.git('checkout', '--quiet', 'main');
  shop.commit({ files: { c: '1' }, message: 'Main' });
  shop.git('merge', '--quiet', '--no-ff', '-m', 'Merge', 'side');
  const commit = shop.git('rev-parse', 'HEAD');

  const log = await logOf(shop.path, commit);
  const range = await logOf(shop.path, commit, base);

  expect(log.at(-1)).toMatchObject({
    subject: 'Merge',
    parents: [expect.any(String), expect.any(String)],
    changes: [],
    sha: commit,
  });
  expect(log[0]?.sha).toBe(base);
  expect(range.map((logged) => logged.subject).toSorted()).toEqual(['Main', 'Merge', 'Side']);
});

test('more commits than one batch holds come in order, each with its changes', async () => {
  const shop = testRepository();
  onTestFinished(() => shop.remove());
  const commits = Array.from({ length: 1_203 }, (_, at) => fastImport(at)).join('');
  shop.git('config', 'fastimport.unpackLimit', '0');
  testGit(shop.path, ['fast-import', '--quiet'], undefined, commits);
  const { commit } = await resolveTip(`${shop.path}/.git`, 'it', 'main');

  const log = await logOf(shop.path, commit);

  expect(log.map((logged) => logged.subject)).toEqual(Array.from({ length: 1_203 }, (_, at) => `c${at}`));
  expect(log.every((logged) => logged.changes.length === 1 && logged.complete)).toBe(true);
});

test('a commit that is not there, and a cancelled reading, end with an error', async () => {
  const shop = testRepository([{ files: { a: '1' } } satisfies TestCommit]);
  onTestFinished(() => shop.remove());
  await using objects = await openObjects(`${shop.path}/.git`);
  const read = (commit: string, stop: AbortSignal): Promise<unknown> =>
    Array.fromAsync(readLog(objects, { commit, signal: stop }));

  await expect(read('1'.repeat(40), signal)).rejects.toThrow(/bad object/);
  const reason = new Error('enough');
  await expect(read(shop.git('rev-parse', 'HEAD'), AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('nothing is parsed from nothing', () => {
  expect(parseLog(Buffer.alloc(0))).toEqual([]);
});

/** One commit for `git fast-import`, in a notation that makes thousands of them at once. */
function fastImport(at: number): string {
  const message = `c${at}`;
  const content = `${at}\n`;
  const author = `author First Author <first@example.org> ${1_767_225_600 + at} +0000`;
  const file = `M 100644 inline f${at % 7}\ndata ${content.length}\n${content}`;
  return `commit refs/heads/main\n${author}\n${author.replace('author', 'committer')}\ndata ${message.length}\n${message}\n${file}\n`;
}
