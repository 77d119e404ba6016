import { expect, test } from 'vitest';
import { type FileSketch, shardInput, shop, withShard } from '../../testing/code-shard.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import {
  countFiles,
  coverage,
  findDefinitions,
  nearestNames,
  outline,
  searchSymbols,
  sourceOf,
  usages,
} from './store.ts';
import { countFamilies, usesAt, usesOf } from '../usages/store-usages.ts';
import { withFamilies } from '../usages/store-overrides.ts';

const PAGE = { limit: 20, offset: 0 };
const names = (db: ShardDatabase, query: string, more = {}): string[] =>
  searchSymbols(db, { query, ...PAGE, ...more }).rows.map(({ qualified }) => qualified);
const idsOf = (db: ShardDatabase, query: string): number[] =>
  findDefinitions(db, { query, limit: 20 }).rows.map(({ id }) => id);

test('a symbol comes back as it was written, with its uses counted', () =>
  withShard(shop(), (db) => {
    expect(searchSymbols(db, { query: 'sendMail', ...PAGE })).toEqual({
      total: 1,
      tier: 'exact',
      rows: [
        {
          id: 4,
          path: 'src/mail/client.ts',
          line: 10,
          end: 12,
          column: 16,
          kind: 'function',
          name: 'sendMail',
          qualified: 'sendMail',
          parameters: '',
          signature: 'export function sendMail(to: string): void {',
          doc: 'Delivers one message to a customer.',
          exported: true,
          test: false,
          refs: 4,
        },
      ],
    });
  }));

test('names are found by case, prefix, humps, substring, wildcard, scope and likeness, best first', () =>
  withShard(shop(), (db) => {
    expect(names(db, 'send')).toEqual(['Mailer/send', 'SmtpMailer/send', 'sendMail']);
    expect(names(db, 'SENDMAIL')).toEqual(['sendMail']);
    expect(names(db, 'mailer')).toEqual(['Mailer', 'SmtpMailer']);
    expect(names(db, 'SM')).toEqual(['SmtpMailer', 'sendMail']);
    expect(names(db, 'smtpMail')).toEqual(['SmtpMailer']);
    expect(names(db, 'noOrd')).toEqual(['notifyOrder']);
    expect(names(db, 'tifyOr')).toEqual(['notifyOrder']);
    expect(names(db, '*mail*')).toEqual(['sendMail', 'Mailer', 'SmtpMailer']);
    expect(names(db, 'sen?')).toEqual(['Mailer/send', 'SmtpMailer/send']);
    expect(names(db, 'smtpmailer.send')).toEqual(['SmtpMailer/send']);
    expect(names(db, 'mail.client.Mailer.send')).toEqual(['Mailer/send']);
    expect(names(db, 'orders/client/send')).toEqual([]);
    expect(names(db, 'Mailer/*')).toEqual(['Mailer/send']);
    expect(searchSymbols(db, { query: 'notifyOdrer', ...PAGE })).toMatchObject({
      tier: 'fuzzy',
      rows: [{ name: 'notifyOrder' }],
    });
    expect(names(db, 'sendBulk')).toEqual([]);
    expect(names(db, '')).toEqual([]);
  }));

test('symbol search is narrowed by path, kind and page, and counts exactly', () =>
  withShard(shop(), (db) => {
    expect(names(db, 'send', { path: 'src/orders' })).toEqual([]);
    expect(names(db, 'send', { kinds: ['function'] })).toEqual(['sendMail']);
    expect(searchSymbols(db, { query: 'send', limit: 1, offset: 1 })).toMatchObject({
      total: 3,
      rows: [{ qualified: 'SmtpMailer/send' }],
    });
  }));

test('a name with a slash is found by its qualified name, and a Go package at the root by what it is called', () => {
  const files = [
    {
      path: 'routes.ts',
      text: 'GET /users',
      symbols: [{ qualified: 'routes/GET /users', name: 'GET /users', kind: 'property' as const, line: 1 }],
    },
    { path: 'context.go', text: 'Context', symbols: [{ qualified: 'Context', kind: 'struct' as const, line: 1 }] },
    { path: 'http/context.go', text: 'Context', symbols: [{ qualified: 'Context', kind: 'struct' as const, line: 1 }] },
  ];
  return withShard(shardInput(files), (db) => {
    const pathsOf = (query: string): string[] => findDefinitions(db, { query, limit: 9 }).rows.map(({ path }) => path);

    expect(pathsOf('routes/GET /users')).toEqual(['routes.ts']);
    expect(pathsOf('caddy.Context')).toEqual(['context.go']);
    expect(pathsOf('http.Context')).toEqual(['http/context.go']);
    expect(pathsOf('caddy.Contexts')).toEqual([]);
  });
});

test('nearest names are offered for a name that is not there', () =>
  withShard(shop(), (db) => {
    expect(nearestNames(db, { name: 'sendMial', limit: 1 })).toEqual(['sendMail']);
    expect(nearestNames(db, { name: 'zzzzzz', limit: 3 })).toEqual([]);
    // Letters that changed places are one slip; as two replacements the name would be too far off.
    expect(nearestNames(db, { name: 'Nailre', limit: 1 })).toEqual(['Mailer']);
  }));

test('a definition is found by name, scope, handle and position', () =>
  withShard(shop(), (db) => {
    const definitionsOf = (query: string, path?: string): string[] =>
      findDefinitions(db, { query, limit: 9, path }).rows.map(({ qualified, line }) => `${qualified}:${line}`);

    expect(definitionsOf('send')).toEqual(['Mailer/send:2', 'SmtpMailer/send:5']);
    expect(definitionsOf('SmtpMailer::send')).toEqual(['SmtpMailer/send:5']);
    expect(definitionsOf('mailer')).toEqual(['Mailer:1']);
    expect(definitionsOf('sym:Mailer/send@src/mail/client.ts')).toEqual(['Mailer/send:2']);
    expect(definitionsOf('sym:Mailer/send@src/other.ts')).toEqual([]);
    expect(definitionsOf('src/mail/client.ts:7')).toEqual(['SmtpMailer/send:5']);
    expect(definitionsOf('./src/mail/client.ts:4')).toEqual(['SmtpMailer:4']);
    expect(definitionsOf('src/orders/notify.ts:3:2')).toEqual(['sendMail:10']);
    expect(definitionsOf('src/orders/notify.ts:3')).toEqual(['notifyOrder:2']);
    expect(definitionsOf('test/mail.test.ts:2')).toEqual(['sendMail:10']);
    expect(definitionsOf('send', 'src/orders')).toEqual([]);
    expect(definitionsOf('nothing')).toEqual([]);
  }));

test('an overload is found by its parameters, all of them by the name', () => {
  const overload = { qualified: 'Sink/put', kind: 'method' } as const;
  const symbols = [
    { qualified: 'Sink', kind: 'class', line: 1, end: 4 } as const,
    { ...overload, line: 2, parameters: '(int)' },
    { ...overload, line: 3, parameters: '(String, int)' },
  ];
  const input = shardInput([{ path: 'Sink.java', text: 'class Sink {\n put();\n put();\n}\n', symbols }]);
  return withShard(input, (db) => {
    const parametersOf = (query: string): string[] =>
      findDefinitions(db, { query, limit: 9 }).rows.map(({ parameters }) => parameters);

    expect(parametersOf('sym:Sink/put(int)@Sink.java')).toEqual(['(int)']);
    expect(parametersOf('sym:Sink/put@Sink.java')).toEqual(['(int)', '(String, int)']);
    expect(parametersOf('sym:Sink/put(long)@Sink.java')).toEqual([]);
    expect(parametersOf('Sink.put(String,int)')).toEqual(['(String, int)']);
    expect(parametersOf('put(name, 3)')).toEqual(['(int)', '(String, int)']);
    expect(parametersOf('Sink.java:3')).toEqual(['(String, int)']);
  });
});

test('usages come by path and line with text, enclosing symbol and exact totals', () =>
  withShard(shop(), (db) => {
    const page = usages(db, { symbols: idsOf(db, 'sendMail'), ...PAGE });

    expect(page).toMatchObject({ total: 4, byUse: { call: 1, import: 2, test: 1 }, symbols: 1, named: { total: 0 } });
    expect(page.rows[1]).toEqual({
      path: 'src/orders/notify.ts',
      line: 3,
      column: 2,
      use: 'call',
      enclosing: 'notifyOrder',
      text: 'sendMail(order.email);',
      grade: 'exact',
      test: false,
    });
    expect(page.rows.map(({ path, line }) => `${path}:${line}`)).toEqual([
      'src/orders/notify.ts:1',
      'src/orders/notify.ts:3',
      'test/mail.test.ts:1',
      'test/mail.test.ts:2',
    ]);
  }));

test('usages hold those of the override family, and what only the name suggests apart', () =>
  withShard(shop(), (db) => {
    const page = usages(db, { symbols: idsOf(db, 'Mailer/send'), ...PAGE });

    expect(page.symbols).toBe(2);
    expect(page.apart).toEqual([]);
    // Its own come first. The declaration that is implemented is found with the uses.
    expect(page.own).toBe(1);
    expect(page.rows.map(({ path, line, use, family = false }) => `${path}:${line} ${use} ${family}`)).toEqual([
      'src/orders/notify.ts:4 call false',
      'src/mail/client.ts:5 implements true',
      'src/mail/client.ts:11 call true',
    ]);
    expect(page.named).toMatchObject({ total: 1, rows: [{ line: 5, grade: 'name', text: 'order.send();' }] });
  }));

test('a use is told at its line and column', () =>
  withShard(shop(), (db) => {
    const [id = -1] = idsOf(db, 'sendMail');
    const [use] = usesOf(db, id);
    const [file, line, column] = [use?.file ?? -1, use?.line ?? -1, use?.column ?? -1];

    expect(usesAt(db, id, { file, line, column })).toBe(true);
    expect(usesAt(db, id, { file, line, column: undefined })).toBe(true);
    expect(usesAt(db, id, { file, line, column: column + 1 })).toBe(false);
    expect(usesAt(db, id, { file, line: line + 100, column: undefined })).toBe(false);
    expect(usesAt(db, id, { file: file + 100, line, column: undefined })).toBe(false);
    expect(countFamilies(db, { symbols: [1, 3] })).toBe(1);
    expect(countFamilies(db, { symbols: [0, 1, 3] })).toBe(2);
    expect(withFamilies(db, [3])).toEqual([1, 3]);
  }));

test('in Python the uses of a member are its own, and those of its override family are counted apart', () => {
  const tags = {
    path: 'tags.py',
    language: 'Python',
    text: [
      'class Tag:',
      '    def check(self): ...',
      'class Text(Tag):',
      '    def check(self): ...',
      'tag.check()',
    ].join('\n'),
    symbols: [
      { qualified: 'Tag/check', kind: 'method' as const, line: 2 },
      { qualified: 'Text/check', kind: 'method' as const, line: 4 },
    ],
    uses: [{ line: 5, name: 'check', use: 'call' as const, target: 'Tag/check@tags.py' }],
  };
  return withShard(shardInput([tags], [['Tag/check@tags.py', 'Text/check@tags.py']]), (db) => {
    expect(usages(db, { symbols: idsOf(db, 'Tag/check'), ...PAGE })).toMatchObject({ total: 1, symbols: 1, apart: [] });
    expect(usages(db, { symbols: idsOf(db, 'Text/check'), ...PAGE })).toMatchObject({
      total: 0,
      symbols: 1,
      apart: [{ path: 'tags.py', qualified: 'Tag/check', uses: 1 }],
    });
  });
});

test('usages are filtered by tests, path and use, and paged through to the named ones', () =>
  withShard(shop(), (db) => {
    const symbols = idsOf(db, 'sendMail');
    const total = (more: object): number => usages(db, { symbols, ...PAGE, ...more }).total;

    expect(total({ tests: 'exclude' })).toBe(2);
    expect(total({ tests: 'only' })).toBe(2);
    expect(total({ path: 'src/orders/' })).toBe(2);
    expect(total({ path: '**/*.test.ts' })).toBe(2);
    expect(total({ uses: ['import'] })).toBe(2);
    const second = usages(db, { symbols: idsOf(db, 'send'), limit: 2, offset: 1 });
    expect([second.rows.map(({ line }) => line), second.named.rows.map(({ line }) => line)]).toEqual([[4], [5]]);
  }));

test('of many uses that only the name suggests there are five beside others, and a page where there are no others', async () => {
  const line = 'job.run();\n';
  const named = Array.from({ length: 8 }, (_, at) => ({ line: at + 2, name: 'run', use: 'call' as const }));
  const sketch = { path: 'a.ts', text: `run();\n${line.repeat(8)}`, uses: named };
  const usage = { line: 1, name: 'run', use: 'call' as const, target: 'run@b.ts' };
  const target = {
    path: 'b.ts',
    text: 'function run() {}\n',
    symbols: [{ qualified: 'run', kind: 'function' as const, line: 1 }],
  };
  const rowsOf = (uses: FileSketch['uses'] = []): Promise<[number, number, number]> =>
    withShard(shardInput([{ ...sketch, uses }, target]), (db) => {
      const page = usages(db, { symbols: idsOf(db, 'run'), limit: 7, offset: 0 });
      return [page.rows.length, page.named.total, page.named.rows.length];
    });

  expect(await rowsOf([usage, ...named])).toEqual([1, 8, 5]);
  expect(await rowsOf(named)).toEqual([0, 8, 7]);
});

test('pages go on through what only the name suggests, after the uses that are known', async () => {
  const named = Array.from({ length: 8 }, (_, at) => ({ line: at + 3, name: 'run', use: 'call' as const }));
  const certain = [1, 2].map((line) => ({ line, name: 'run', use: 'call' as const, target: 'run@b.ts' }));
  const target = {
    path: 'b.ts',
    text: 'function run() {}\n',
    symbols: [{ qualified: 'run', kind: 'function' as const, line: 1 }],
  };
  const linesOf = (uses: FileSketch['uses'], page: { limit: number; offset: number }): Promise<number[][]> =>
    withShard(shardInput([{ path: 'a.ts', text: 'run();\n'.repeat(10), uses: uses ?? [] }, target]), (db) => {
      const result = usages(db, { symbols: idsOf(db, 'run'), ...page });
      return [result.rows.map(({ line }) => line), result.named.rows.map(({ line }) => line)];
    });

  expect(await linesOf([...certain, ...named], { limit: 3, offset: 0 })).toEqual([[1, 2], [3]]);
  expect(await linesOf([...certain, ...named], { limit: 3, offset: 3 })).toEqual([[], [4, 5, 6]]);
  expect(await linesOf([...certain, ...named], { limit: 2, offset: 8 })).toEqual([[], [9, 10]]);
  expect(await linesOf(named, { limit: 7, offset: 6 })).toEqual([[], [9, 10]]);
});

test('an outline gives depth and stays in order of path and line', () =>
  withShard(shop(), (db) => {
    const { total, rows } = outline(db, { path: 'src', ...PAGE });

    expect(total).toBe(6);
    expect(rows.map(({ depth, name }) => `${depth} ${name}`)).toEqual([
      '0 Mailer',
      '1 send',
      '0 SmtpMailer',
      '1 send',
      '0 sendMail',
      '0 notifyOrder',
    ]);
    expect(outline(db, { kinds: ['class'], limit: 1, offset: 1 })).toMatchObject({
      total: 2,
      rows: [{ name: 'SmtpMailer' }],
    });
  }));

test('source lines are read back as they were, line ends made one', () =>
  withShard(shop(), (db) => {
    expect(sourceOf(db, { path: 'src/mail/client.ts', from: 6, to: 7 })).toEqual({
      path: 'src/mail/client.ts',
      from: 6,
      to: 7,
      total: 12,
      lines: ['    // retry when the server is busy', '    deliver(to);'],
    });
    expect(sourceOf(db, { path: 'README.md', from: 1, to: 99 })?.lines).toEqual([
      '# Shop',
      'Orders are shipped weekly.',
    ]);
    expect(sourceOf(db, { path: 'gone.ts', from: 1, to: 2 })).toBeUndefined();
  }));

test('a scope is a file, a folder or a glob', () =>
  withShard(shop(), (db) => {
    const count = (path: string): number => countFiles(db, { path });

    expect(count('src/mail/client.ts')).toBe(1);
    expect(['src', 'src/', './src', '/src'].map(count)).toEqual([3, 3, 3, 3]);
    expect(count('sr')).toBe(0);
    expect(count('*.ts')).toBe(3);
    expect(count('src/*/*.ts')).toBe(2);
    expect(count('src/*')).toBe(3);
    expect(count('**/{mail,orders}/**')).toBe(2);
    expect(count('src/[a-m]*/**')).toBe(1);
    expect(count('src/[!a-m]*/**')).toBe(1);
    expect(count('')).toBe(5);
  }));

test('coverage says what was not understood and what the code is written in', () =>
  withShard(shop(), (db) => {
    const { languages, ...counts } = coverage(db, {});

    expect(counts).toEqual({
      files: 5,
      withSymbols: 2,
      parsed: 4,
      unparsed: 1,
      failed: [{ path: 'src/broken.py', reason: 'The parser stopped at line 1.' }],
      symbols: 6,
      lines: 23,
      omitted: { data: 0, generated: 0, prose: 1 },
    });
    expect(Object.keys(languages)).toEqual(['TypeScript', 'Python']);
    expect(Object.values(languages).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
  }));

test('a repository without files answers everything with nothing', () =>
  withShard(shardInput([]), (db) => {
    expect(names(db, 'a')).toEqual([]);
    expect(idsOf(db, 'a')).toEqual([]);
    expect(usages(db, { symbols: [], ...PAGE }).total).toBe(0);
    expect(outline(db, PAGE).total).toBe(0);
    expect(coverage(db, {})).toMatchObject({ files: 0, languages: {} });
  }));
