import { expect, test } from 'vitest';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { shardInput, shop, withShard } from '../../testing/code-shard.ts';
import { countFiles, fileMeant, findDefinitions, sourceOf } from '../queries/store.ts';

type Search = Omit<Parameters<typeof findDefinitions>[1], 'query' | 'limit'>;

const places = (db: ShardDatabase, query: string, more: Search = {}): string[] =>
  findDefinitions(db, { query, limit: 9, ...more }).rows.map(({ path, line }) => `${path}:${line}`);

const runFile = (path: string, more: { kind?: 'function' | 'heading'; export?: boolean; test?: boolean } = {}) => ({
  path,
  text: more.kind === 'heading' ? 'run' : `${more.export === true ? 'export ' : ''}function run() {}`,
  ...(more.test === true && { test: true }),
  symbols: [{ qualified: 'run', kind: more.kind ?? ('function' as const), line: 1 }],
});

const RUNS = shardInput([
  runFile('README.md', { kind: 'heading' }),
  runFile('a/run.test.ts', { test: true }),
  runFile('b/run.ts'),
  { ...runFile('c/deep/run.ts'), imports: [] },
  runFile('d/run.ts'),
  {
    path: 'c/deep/near.ts',
    text: 'run()',
    uses: [{ line: 1, name: 'run', use: 'call' as const }],
  },
  { path: 'x/importer.ts', text: "import './../d/run'", imports: ['d/run.ts'] },
  {
    path: 'x/user.ts',
    text: 'run()\nrun()',
    uses: [
      { line: 1, name: 'run', use: 'call' as const, target: 'run@b/run.ts' },
      { line: 2, name: 'run', use: 'call' as const, target: 'run@b/run.ts' },
    ],
  },
]);

test('of one name code comes before tests and documents, and what is used more before what is not', () =>
  withShard(RUNS, (db) => {
    expect(places(db, 'run', { seenFrom: '' })).toEqual([
      'b/run.ts:1',
      'c/deep/run.ts:1',
      'd/run.ts:1',
      'a/run.test.ts:1',
      'README.md:1',
    ]);
  }));

test('of one name examples come after the product, and what is local after what a file offers', () => {
  const used = { line: 1, name: 'run', use: 'call' as const };
  const input = shardInput([
    runFile('a/local.ts'),
    runFile('b/offered.ts', { export: true }),
    runFile('examples/run.ts', { export: true }),
    { path: 'user.ts', text: 'run()\nrun()', uses: [{ ...used, target: 'run@examples/run.ts' }] },
  ]);
  return withShard(input, (db) => {
    expect(places(db, 'run', { seenFrom: '' })).toEqual(['b/offered.ts:1', 'a/local.ts:1', 'examples/run.ts:1']);
    expect(places(db, 'run', { seenFrom: 'user.ts' })[0]).toBe('examples/run.ts:1');
  });
});

test('seen from a file, what it uses comes first, then what it imports, then what is near', () =>
  withShard(RUNS, (db) => {
    expect(places(db, 'run', { seenFrom: 'c/deep/near.ts' })[0]).toBe('c/deep/run.ts:1');
    expect(places(db, 'run', { seenFrom: 'x/importer.ts' })[0]).toBe('d/run.ts:1');
    expect(places(db, 'run', { seenFrom: 'd/run.ts' })[0]).toBe('d/run.ts:1');
    expect(findDefinitions(db, { query: 'run', limit: 9, seenFrom: 'x/user.ts' })).toMatchObject({
      focused: 1,
      total: 5,
      rows: [{ path: 'b/run.ts' }, {}, {}, {}, {}],
    });
    expect(findDefinitions(db, { query: 'run', limit: 9, seenFrom: 'x/importer.ts' }).focused).toBe(0);
  }));

test('a position means what stands there, wherever in the word the column is', () =>
  withShard(shop(), (db) => {
    const locate = (query: string, isUse = false): string[] => places(db, query, { isUse });

    for (const column of [2, 5, 10])
      expect(locate(`src/orders/notify.ts:3:${column}`)).toEqual(['src/mail/client.ts:10']);
    expect(locate('src/mail/client.ts:5:4')).toEqual(['src/mail/client.ts:5']);
    expect(locate('src/orders/notify.ts:3')).toEqual(['src/orders/notify.ts:2']);
    expect(locate('src/orders/notify.ts:3', true)).toEqual(['src/mail/client.ts:10']);
    expect(locate('notify.ts:3:4')).toEqual(['src/mail/client.ts:10']);
    expect(locate('/home/me/shop/src/orders/notify.ts#L3', true)).toEqual(['src/mail/client.ts:10']);
  }));

test('where nothing is resolved, the symbols that are called so are given as such', () =>
  withShard(shardInput([runFile('run.ts'), { path: 'use.ts', text: 'const x = run(gone)' }]), (db) => {
    expect(findDefinitions(db, { query: 'use.ts:1:11', limit: 9 })).toMatchObject({ match: 'word', total: 1 });
    expect(findDefinitions(db, { query: 'use.ts:1:15', limit: 9 })).toMatchObject({ match: 'word', total: 0 });
  }));

test.each([
  ['src/mail/client.ts:sendMail', ['src/mail/client.ts:10']],
  ['client.ts:sendMail', ['src/mail/client.ts:10']],
  ['src/mail/client.ts#SmtpMailer.send', ['src/mail/client.ts:5']],
  ['src/mail/client.ts::SmtpMailer::send', ['src/mail/client.ts:5']],
  ['src/mail/client.ts/sendMail', ['src/mail/client.ts:10']],
  ['sendMail@src/mail/client.ts', ['src/mail/client.ts:10']],
  ['com.shop.SmtpMailer.send', ['src/mail/client.ts:5']],
  ['mail.SmtpMailer.send', ['src/mail/client.ts:5']],
  ['mail.sendMail', ['src/mail/client.ts:10']],
  ['class SmtpMailer', ['src/mail/client.ts:4']],
  ['`sendMail()`', ['src/mail/client.ts:10']],
  ['src/orders/notify.ts:sendMail', []],
  ['Wrong.send', []],
])('%s is found as it is written', (query, expected) =>
  withShard(shop(), (db) => expect(places(db, query)).toEqual(expected)),
);

test('case decides between names, and between scopes, that differ only by case', () => {
  const symbols = (['Box', 'box'] as const).flatMap((scope, index) => [
    { qualified: scope, kind: 'class' as const, line: 2 * index + 1, end: 2 * index + 2 },
    { qualified: `${scope}/open`, kind: 'method' as const, line: 2 * index + 2 },
  ]);
  const input = shardInput([{ path: 'a.ts', text: 'Box\n open\nbox\n open\n', symbols }]);
  return withShard(input, (db) => {
    expect(places(db, 'box')).toEqual(['a.ts:3']);
    expect(places(db, 'Box')).toEqual(['a.ts:1']);
    expect(places(db, 'Box.open')).toEqual(['a.ts:2']);
    expect(places(db, 'box.open')).toEqual(['a.ts:4']);
    expect(places(db, 'BOX.open')).toEqual(['a.ts:2', 'a.ts:4']);
  });
});

test('the end of a path names its file: for lines, for a scope, and on its own', () =>
  withShard(shop(), (db) => {
    expect(sourceOf(db, { path: 'client.ts', from: 1, to: 1 })?.path).toBe('src/mail/client.ts');
    expect(countFiles(db, { path: 'mail/client.ts' })).toBe(1);
    expect(countFiles(db, { path: 'lient.ts' })).toBe(0);
    expect(fileMeant(db, { path: String.raw`src\mail\client.ts` })).toBe('src/mail/client.ts');
    expect(fileMeant(db, { path: '/somewhere/else/src/mail/client.ts' })).toBe('src/mail/client.ts');
    expect(fileMeant(db, { path: 'else/src/mail/client.ts' })).toBeUndefined();
    expect(fileMeant(db, { path: 'src/mail' })).toBeUndefined();
  }));

test('a name on a line means what the name refers to there', () =>
  withShard(RUNS, (db) => {
    expect(places(db, 'x/user.ts:1:run')).toEqual(['b/run.ts:1']);
    expect(findDefinitions(db, { query: 'x/user.ts:1:run', limit: 9 }).match).toBe('position');
    expect(places(db, 'b/run.ts:1:other')).toEqual(['b/run.ts:1']);
  }));
