import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { partialClone, testGit, testFolder, type TestRepository, testRepository } from '../../testing/git.ts';
import { openShard } from '../../indexes/shards/shards.ts';
import { readBlock } from './change-blocks.ts';
import { HISTORY_FORMAT } from './history-schema.ts';
import { type HistoryResult, writeHistory } from './mine.ts';
import { rangeCounts } from '../queries/store-compare.ts';
import { tagsByCommit } from '../queries/store-range.ts';
import { pathTable } from '../queries/store-filter.ts';
import { hasRemovedExports } from '../removals/removals.ts';

interface Made {
  result: HistoryResult;
  file: string;
  rows: (statement: string) => unknown[];
  stages: { done: number; total: number }[];
}

function source(...changes: Parameters<typeof testRepository>): TestRepository {
  const made = testRepository(...changes);
  onTestFinished(() => made.remove());
  return made;
}

async function history(gitDir: string, commit: string, previousFile?: string, keepsOtherLines = false): Promise<Made> {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'history');
  const stages: Made['stages'] = [];
  const task = {
    gitDir,
    commit,
    targetFile: file,
    keepsOtherLines,
    ...(previousFile !== undefined && { previousFile }),
  };
  const { signal } = new AbortController();
  const result = await writeHistory(task, { signal, onProgress: (progress) => stages.push(progress) });
  const rows = (statement: string): unknown[] => {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      const query = db.prepare(statement);
      query.setReturnArrays(true);
      return query.all();
    } finally {
      db.close();
    }
  };
  return { result, file, rows, stages };
}

const head = (shop: Pick<TestRepository, 'git'>): string => shop.git('rev-parse', 'HEAD');

/** Returns the changes of each commit, oldest first: the same for an appended and a fresh shard. */
function changesOf(file: string): unknown[] {
  const db = openShard(file, HISTORY_FORMAT);
  const { paths } = pathTable(db);
  const blocks = db.prepare('select first_commit as first, data from change_block order by first_commit').all();
  const commits = blocks.flatMap(({ first, data }) => readBlock(Number(first), data as Uint8Array));
  const described = commits.map(({ id, type, changes }) => [
    id,
    type,
    ...changes.map(({ path, status, oldPath }) =>
      [status, paths[path], ...(oldPath === undefined ? [] : [paths[oldPath]])].join(' '),
    ),
  ]);
  db.close();
  return described;
}

/** Everything else, by names instead of ids. */
const CONTENT = `
  select c.id, c.sha, c.parents, a.name, c.subject, c.body, c.complete, c.type, p.path, p.alive, o.path
    from git_commit c join author a on a.id = c.author_id
    left join file_change f on f.commit_id = c.id left join path p on p.id = f.path_id
    left join path o on o.id = f.old_path_id order by c.id, p.path`;
const TERMS = 'select text, documents, last, postings from term order by text';
const LENGTHS = 'select hex(data) from message_length';

test('a history holds commits, changes and tags', async () => {
  const shop = source([
    { files: { a: '1\n2\n' }, message: 'fix: one' },
    { files: { a: undefined, b: '1\n2\n' }, message: 'refactor: two' },
  ]);
  shop.git('tag', '-a', 'v1', '-m', 'first release');

  const made = await history(`${shop.path}/.git`, head(shop));

  expect(made.result).toMatchObject({ commits: 2, changes: 2, read: 2, gaps: [] });
  expect(made.rows('select id, subject from git_commit order by id')).toEqual([
    [1, 'fix: one'],
    [2, 'refactor: two'],
  ]);
  expect(changesOf(made.file)).toEqual([
    [1, 'fix', 'A a'],
    [2, 'refactor', 'R b a'],
  ]);
  expect(made.rows('select path, alive from path order by path')).toEqual([
    ['a', 0],
    ['b', 1],
  ]);
  expect(made.rows('select name, sha from tag')).toEqual([['v1', head(shop)]]);
  expect(made.rows(`select value from meta where key = 'commit'`)).toEqual([[head(shop)]]);
  expect(made.stages).toEqual([{ stage: 'history', done: 2, total: 2 }]);
});

test('new commits are appended to the previous history, which ends the same as a fresh one', async () => {
  const shop = source([{ files: { a: '1' } }, { files: { a: '2', b: '1' } }]);
  const before = await history(`${shop.path}/.git`, head(shop));
  shop.commit({ files: { b: undefined, c: '1' } });
  shop.git('tag', 'v2');

  const appended = await history(`${shop.path}/.git`, head(shop), before.file);
  const fresh = await history(`${shop.path}/.git`, head(shop));
  const again = await history(`${shop.path}/.git`, head(shop), appended.file);

  expect([appended.result.read, fresh.result.read, again.result.read]).toEqual([1, 3, 0]);
  expect(appended.rows(CONTENT)).toEqual(fresh.rows(CONTENT));
  expect(again.rows(CONTENT)).toEqual(fresh.rows(CONTENT));
  for (const statement of [TERMS, LENGTHS]) {
    expect(appended.rows(statement)).toEqual(fresh.rows(statement));
    expect(again.rows(statement)).toEqual(fresh.rows(statement));
  }
  expect(changesOf(again.file)).toEqual(changesOf(fresh.file));
  expect(appended.rows('select name from tag')).toEqual([['v2']]);
  expect(appended.rows(`select value from meta where key = 'commit'`)).toEqual([[head(shop)]]);
});

test('a history that was merged as a folder is the history of that folder, also what is merged later', async () => {
  const shop = source([{ files: { 'README.md': 'shop' } }]);
  const mail = source([
    { files: { 'README.md': 'mail', 'src/old.ts': 'a\nb\nc\n' }, message: 'feat: send mail' },
    { files: { 'src/old.ts': undefined, 'src/send.ts': 'a\nb\nc\n' }, message: 'refactor: move' },
  ]);
  const fetch = (): string => shop.git('fetch', '--quiet', mail.path, 'main');
  fetch();
  shop.git('merge', '--quiet', '-s', 'ours', '--no-commit', '--allow-unrelated-histories', 'FETCH_HEAD');
  shop.git('read-tree', '--prefix=libs/mail/', '-u', 'FETCH_HEAD');
  shop.commit({ message: 'Add mail' });
  const before = await history(`${shop.path}/.git`, head(shop));
  shop.commit({
    files: { 'libs/mail/README.md': 'mail of the shop', 'README.md': 'the shop' },
    message: 'docs: name it',
  });
  mail.commit({ files: { 'src/send.ts': 'a\nb\nc\nd\n' }, message: 'fix: send all' });
  fetch();
  shop.git('merge', '--quiet', '-Xsubtree=libs/mail', '-m', 'Update mail', 'FETCH_HEAD');

  const appended = await history(`${shop.path}/.git`, head(shop), before.file);
  const fresh = await history(`${shop.path}/.git`, head(shop));

  const touched = `select c.subject from git_commit c join file_change f on f.commit_id = c.id
    join path p on p.id = f.path_id where p.path glob ? order by c.id`;
  expect(fresh.rows(touched.replace('?', `'libs/mail/*'`)).flat()).toEqual([
    'feat: send mail',
    'feat: send mail',
    'refactor: move',
    'docs: name it',
    'fix: send all',
  ]);
  expect(fresh.rows(touched.replace('?', `'README.md'`)).flat()).toEqual(['Add files', 'docs: name it']);
  expect(appended.result.read).toBe(3);
  expect(appended.rows(CONTENT)).toEqual(fresh.rows(CONTENT));
});

test('of another line only what the previous history lacks is read', async () => {
  const shop = source([{ files: { '.mailmap': 'Ada <ada@example.org> <old@example.org>\n' } }, { files: { a: '1' } }]);
  const gitDir = `${shop.path}/.git`;
  shop.git('tag', 'v1.0');
  for (const a of ['2', '3', '4']) shop.commit({ files: { a } });
  const main = await history(gitDir, head(shop));
  shop.git('checkout', '--quiet', '-b', '1.x', 'v1.0');
  // The authors of both lines are called by what the newer one says.
  const author = 'ada <old@example.org>';
  shop.commit({ files: { '.mailmap': undefined, a: '1.1' }, message: 'fix: one', author });
  shop.git('tag', 'v1.1');
  const [first] = [head(shop)];
  shop.commit({ files: { a: '1.2' }, message: 'fix: two', author });
  shop.git('tag', 'v1.2');

  const one = await history(gitDir, first, main.file, true);
  const two = await history(gitDir, head(shop), one.file, true);
  const back = await history(gitDir, first, two.file, true);
  const lines = [one, two, back].map(({ file }) => {
    const db = openShard(file, HISTORY_FORMAT);
    onTestFinished(() => db.close());
    return { db, tags: tagsByCommit(db).map(({ name }) => name) };
  });

  expect([one, two, back].map(({ result }) => result.read)).toEqual([1, 1, 0]);
  expect([one, two, back].map(({ result }) => result.commits)).toEqual([6, 7, 7]);
  // Each is asked about its own line.
  expect(lines.map(({ tags }) => tags)).toEqual([
    ['v1.0', 'v1.1'],
    ['v1.0', 'v1.1', 'v1.2'],
    ['v1.0', 'v1.1'],
  ]);
  expect(lines.map(({ db }) => rangeCounts(db, { range: {} }).commits)).toEqual([3, 4, 3]);
  expect(two.rows(`select a.name from git_commit c join author a on a.id = c.author_id where c.id = 7`)).toEqual([
    ['Ada'],
  ]);
  // Such a history is not one to go on from where no other line belongs.
  shop.git('checkout', '--quiet', 'main');
  expect((await history(gitDir, head(shop), back.file)).result).toMatchObject({ read: 5, commits: 5 });
  // A line that was pushed over and is gone.
  shop.git('checkout', '--quiet', '--detach', 'v1.2');
  const unknown = withHead(two.file, '1'.repeat(40));
  expect((await history(gitDir, head(shop), unknown, true)).result).toMatchObject({ read: 4, commits: 4 });
});

/** The same shard, that says to hold another line too. */
function withHead(file: string, commit: string): string {
  const db = new DatabaseSync(file);
  db.prepare(`update meta set value = ? where key = 'other_lines'`).run(commit);
  db.close();
  return file;
}

test('a forced push, another .mailmap, and a damaged previous history are read anew', async () => {
  const shop = source([{ files: { a: '1' }, author: 'ada <old@example.org>' }, { files: { a: '2' } }]);
  const gitDir = `${shop.path}/.git`;
  const before = await history(gitDir, head(shop));
  shop.git('commit', '--quiet', '--amend', '-m', 'Other history');
  const forced = await history(gitDir, head(shop), before.file);
  shop.commit({ files: { '.mailmap': 'Later Name <first@example.org> <old@example.org>\n' } });
  const renamed = await history(gitDir, head(shop), forced.file);
  writeFileSync(renamed.file, readFileSync(renamed.file).subarray(0, 100));
  const repaired = await history(gitDir, head(shop), renamed.file);

  expect([forced.result.read, renamed.result.read, repaired.result.read]).toEqual([2, 3, 3]);
  expect(forced.rows('select subject from git_commit order by id')).toEqual([['Add files'], ['Other history']]);
  expect(repaired.rows(CONTENT)).toEqual((await history(gitDir, head(shop))).rows(CONTENT));
  expect(repaired.rows('select name from author order by id limit 1')).toEqual([['Later Name']]);
});

test('a partial clone has every change, renames with edits where it has the contents, and says what is missing', async () => {
  const lines = 'one\ntwo\nthree\nfour\n';
  const shop = source([
    { files: { a: lines, b: 'same\n', d: `other\n${lines}` } },
    { files: { b: undefined, c: 'same\n' } },
    { files: { a: undefined, e: `${lines}five\n` } },
    { files: { d: undefined, f: `other\n${lines}five\n` } },
  ]);
  const partial = partialClone(shop);
  onTestFinished(() => partial.remove());
  for (const blob of ['HEAD~3:a', 'HEAD:e']) {
    const content = shop.git('cat-file', 'blob', blob);
    writeFileSync(join(partial.path, 'content'), `${content}\n`);
    partial.git('hash-object', '-w', 'content');
  }

  const made = await history(partial.path, head(shop));

  expect(made.result).toMatchObject({
    commits: 4,
    changes: 7,
    read: 4,
    gaps: [
      {
        kind: 'note',
        count: 1,
        text: 'Commits whose renames are known only of unchanged files, because contents are missing (a partial clone): 1.',
      },
    ],
  });
  expect(made.rows('select complete from git_commit order by id')).toEqual([[1], [1], [1], [0]]);
  expect(changesOf(made.file).map((row) => (row as string[]).slice(2))).toEqual([
    ['A a', 'A b', 'A d'],
    ['R c b'],
    ['R e a'],
    ['D d', 'A f'],
  ]);
});

test('a shallow clone does not pretend that its oldest commit added everything', async () => {
  const shop = source([{ files: { a: '1' } }, { files: { a: '2' } }, { files: { a: '3' } }]);
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  shop.git('clone', '--quiet', '--bare', '--depth=2', `file://${shop.path}`, join(folder, 'shallow'));

  const made = await history(join(folder, 'shallow'), head(shop));

  expect(made.result).toMatchObject({ commits: 2, changes: 1 });
  expect(made.result.gaps).toEqual([
    {
      kind: 'shallow',
      count: 2,
      text: expect.stringMatching(/^The clone is shallow: its history is cut at 2 commits/),
    },
  ]);
});

test('submodules of the commit are named, whether all or only new commits are read', async () => {
  const shop = source([{ files: { a: '1' } }]);
  shop.git('update-index', '--add', '--cacheinfo', `160000,${head(shop)},lib/part`);
  testGit(shop.path, ['commit', '--quiet', '-m', 'Add a part']);
  const gap = { kind: 'submodules', count: 1, text: 'Submodules are not indexed: lib/part.' };

  const first = await history(join(shop.path, '.git'), head(shop));
  expect(first.result.gaps).toEqual([gap]);
  testGit(shop.path, ['commit', '--quiet', '--allow-empty', '-m', 'Go on']);

  expect((await history(join(shop.path, '.git'), head(shop), first.file)).result).toMatchObject({
    read: 1,
    gaps: [gap],
  });
});

test('a first commit takes no exported name away, so nobody has to look; after it somebody has to', async () => {
  const shop = source([{ files: { 'a.ts': 'export const a = 1;\n' } }, { files: { 'a.ts': '' } }]);

  const first = await history(join(shop.path, '.git'), shop.git('rev-parse', 'HEAD~1'));
  const second = await history(join(shop.path, '.git'), head(shop), first.file);

  expect([first, second].map(({ file }) => hasRemovedExports(file))).toEqual([true, false]);
});

test('a history that was cancelled leaves no file', async () => {
  const shop = source([{ files: { a: '1' } }]);
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const task = { gitDir: `${shop.path}/.git`, commit: head(shop), targetFile: join(folder, 'history') };
  const stop = new AbortController();
  const reason = new Error('enough');

  const onProgress = (): void => stop.abort(reason);
  await expect(writeHistory(task, { signal: stop.signal, onProgress })).rejects.toBe(reason);

  expect(() => readFileSync(task.targetFile)).toThrow(/ENOENT/);
});

test('a repository whose trees are missing is refused in a sentence', async () => {
  const shop = source([{ files: { 'a/b': '1' } }]);
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  shop.git('config', 'uploadpack.allowFilter', 'true');
  shop.git('clone', '--quiet', '--bare', '--filter=tree:0', `file://${shop.path}`, join(folder, 'treeless'));

  await expect(history(join(folder, 'treeless'), head(shop))).rejects.toMatchObject({
    code: 'bad_argument',
    message: 'The repository has missing or damaged objects.',
  });
});
