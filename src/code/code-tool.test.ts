import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IndexState } from '../kernel/freshness.ts';
import { tokensOf } from '../kernel/budget.ts';
import { type BlobStore, openBlobStore } from '../platform/blobs.ts';
import type { AnyOperation, Caller } from '../platform/operation/operation.ts';
import { ShardReaders, type ShardRef } from '../indexes/shards/shards.ts';
import { shardInput, shop } from '../testing/code-shard.ts';
import type { IndexedRepository } from '../indexes/indexes.ts';
import { codeTool } from './code-tool.ts';
import { writeCodeShard } from '../code-index/shard/shard-writer.ts';
import type { ShardInput } from '../code-index/format/shard-input.ts';

const caller: Caller = { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read'] };
const LONG = 'x'.repeat(1001);
const rebuilt: string[] = [];

let folder: string;
let blobs: BlobStore;
let readers: ShardReaders;
let lone: AnyOperation;
let both: AnyOperation;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'code-tool-'));
  blobs = await openBlobStore(join(folder, 'blobs'));
  readers = new ShardReaders({ blobs, threads: 1, cacheBytes: 1e8 });
  const first = repository('shop', await publish(shop()), { state: 'fresh', behind: 0 });
  const second = repository('web', await publish(web()), { state: 'behind', behind: 3 });
  lone = tool([first]);
  both = tool([first, second]);
});

afterAll(async () => {
  await readers.close();
  rmSync(folder, { recursive: true });
});

test('usages are grouped under their file, with use, grade and the symbol around', async () => {
  expect(await ask(lone, { action: 'usages', query: 'sendMail' })).toBe(
    [
      'code-tool usages sendMail · shop@28a9c12 main fresh · 4 of 4 (call 1, import 2, test 1)',
      'src/orders/notify.ts',
      " 1 i import { sendMail } from '../mail/client.ts'; =",
      ' 3 c sendMail(order.email); =  in notifyOrder',
      'test/mail.test.ts',
      " 1 i import { sendMail } from '../src/mail/client.ts'; ~",
      " 2 x test('sends', () => sendMail('a@b.c')); ~",
    ].join('\n'),
  );
});

test('an override family is one symbol, and what only the name suggests stands apart', async () => {
  const text = await ask(lone, { action: 'usages', query: 'send' });

  expect(text.split('\n')[0]).toBe('code-tool usages send · shop@28a9c12 main fresh · 2 of 2 (call 2)');
  expect(text.split('\n').at(-1)).toBe('1 more by name alone (?), not resolved: src/orders/notify.ts:5');
  expect(await json(lone, { action: 'usages', query: 'send' })).toMatchObject({
    total: 2,
    possible: { total: 1, rows: [{ path: 'src/orders/notify.ts', line: 5, grade: 'name' }] },
  });
});

test('uses of an overriding member come before those of its family, which are marked', async () => {
  expect(await ask(lone, { action: 'usages', query: 'SmtpMailer/send' })).toBe(
    [
      'code-tool usages SmtpMailer/send · shop@28a9c12 main fresh · 3 of 3 (call 2, implements 1)',
      'src/mail/client.ts',
      ' 11 c new SmtpMailer().send(to); ~  in sendMail',
      ' 2 m send(to: string): void {} ~  in Mailer, overridden by it',
      'src/orders/notify.ts',
      ' 4 c mailer.send(order.email); ~  in notifyOrder, of its family',
      '1 of these use it itself and come first, 2 use its override family',
      '1 more by name alone (?), not resolved: src/orders/notify.ts:5',
    ].join('\n'),
  );
});

test('kind picks uses, and a word that is none is refused with those that are', async () => {
  expect(await ask(lone, { action: 'usages', query: 'sendMail', kind: ['call'] })).toContain('1 of 1 (call 1)');
  expect(await ask(lone, { action: 'usages', query: 'sendMail', kind: ['imports', 'Test'] })).toContain('3 of 3');
  await expect(ask(lone, { action: 'usages', query: 'sendMail', kind: ['walk'] })).rejects.toMatchObject({
    code: 'bad_argument',
    fix: expect.stringContaining('call, import'),
  });
});

test('a place means what stands there: its definition, its uses, what it breaks', async () => {
  const at = 'src/orders/notify.ts:3:5';

  expect(await ask(lone, { action: 'definition', query: at })).toContain('10-12 export function');
  expect(await ask(lone, { action: 'usages', query: at })).toContain('4 of 4');
  expect(await ask(lone, { action: 'impact', query: at })).toContain('function notifyOrder');
  expect(await ask(lone, { action: 'dependencies', query: at })).toContain('calls SmtpMailer');
});

/** A Go file that defines `open`. */
const goOpen = (path: string) => ({
  path,
  text: 'func open() {}',
  language: 'Go',
  symbols: [{ qualified: 'open', kind: 'function' as const, line: 1 }],
});

test('declarations of one Go name under several build tags are one, those of programs and tests are not', async () => {
  const use = { line: 1, name: 'open', use: 'call', target: 'open@io/open_unix.go' } as const;
  const user = { path: 'io/use.go', text: 'open()', language: 'Go', uses: [use] };
  const built = shardInput([goOpen('io/open_unix.go'), goOpen('io/open_windows.go'), user]);
  const tested = shardInput([goOpen('io/open_unix.go'), goOpen('io/open_test.go'), user]);
  const [go, apart] = [
    tool([repository('go', await publish(built), { state: 'fresh' })]),
    tool([repository('go', await publish(tested), { state: 'fresh' })]),
  ];

  expect(await ask(go, { action: 'usages', query: 'open' })).toContain('1 of 1');
  expect(await ask(apart, { action: 'usages', query: 'open' })).toContain('2 symbols have this name');
});

test('tests=only keeps uses in tests of a symbol that is defined elsewhere', async () => {
  const text = await ask(lone, { action: 'usages', query: 'sendMail', tests: 'only' });

  expect(text).toContain('2 of 2 (import 1, test 1)');
  expect(text).not.toContain('notify.ts');
});

test('a folder limits usages; the file that defines the symbol picks it and limits nothing', async () => {
  const limited = await ask(lone, { action: 'usages', query: 'sendMail', path: 'test/' });
  const picked = await ask(lone, { action: 'usages', query: 'sendMail', path: 'src/mail/client.ts' });

  expect(limited).toContain('2 of 2');
  expect(picked).toContain('4 of 4');
  expect(picked).toContain('usages in all files are shown');
});

test('a name that symbols of two repositories have is answered for each, under its definition', async () => {
  const text = await ask(both, { action: 'usages', query: 'sendMail', repo: '*' });
  expect(text).toContain(
    '5 of 5 (call 2, import 2, test 1)\nfunction sendMail src/mail/client.ts:10 · 4\nshop: src/orders',
  );
  expect(text).toContain('\nfunction sendMail src/send.ts:1 · 1\nweb: src/send.ts\n 2 c sendMail();');
});

test('a class means itself and its constructor, a function itself and not a namesake inside it', async () => {
  const text = [
    'class Box {',
    '  Box() {}',
    '}',
    'function run() {',
    '  function run() {}',
    '}',
    'new Box(); run();',
  ].join('\n');
  const use = { line: 7, use: 'call' } as const;
  const sketch = {
    path: 'Box.java',
    text,
    symbols: [
      { qualified: 'Box', kind: 'class', line: 1, end: 3 },
      { qualified: 'Box/Box', kind: 'method', line: 2 },
      { qualified: 'run', kind: 'function', line: 4, end: 6 },
      { qualified: 'run/run', kind: 'function', line: 5 },
    ],
    uses: [
      { ...use, name: 'Box()', target: 'Box/Box@Box.java' },
      { ...use, name: 'run()', target: 'run@Box.java' },
    ],
  } satisfies Parameters<typeof shardInput>[0][number];
  const box = tool([repository('box', await publish(shardInput([sketch])), { state: 'fresh' })]);

  expect(await ask(box, { action: 'usages', query: 'Box' })).toContain('1 of 1 (call 1)');
  expect(await ask(box, { action: 'usages', query: 'run' })).toContain('1 of 1 (call 1)');
});

test('overloads are counted together by name and one alone by its handle', async () => {
  const overload = { qualified: 'Sink/put', kind: 'method' } as const;
  const sketch = {
    path: 'Sink.java',
    text: 'class Sink {\n put();\n put();\n}\nsink.put(1);\nsink.put("a");\n',
    symbols: [
      { qualified: 'Sink', kind: 'class', line: 1, end: 4 },
      { ...overload, line: 2, parameters: '(int)' },
      { ...overload, line: 3, parameters: '(String)' },
    ],
    uses: [
      { line: 5, use: 'call', name: 'put(1)', target: 'Sink/put(int)@Sink.java' },
      { line: 6, use: 'call', name: 'put("', target: 'Sink/put(String)@Sink.java' },
    ],
  } satisfies Parameters<typeof shardInput>[0][number];
  const sink = tool([repository('sink', await publish(shardInput([sketch])), { state: 'fresh' })]);

  const together = await ask(sink, { action: 'usages', query: 'Sink.put' });
  expect(together).toContain('2 of 2 (call 2)');
  expect(together).toContain('2 overloads of Sink/put counted together: (int) line 2; (String) line 3');
  expect(await ask(sink, { action: 'usages', query: 'sym:Sink/put(String)@Sink.java' })).toContain('1 of 1 (call 1)');
  expect(await json(sink, { action: 'definition', query: 'put' })).toMatchObject({
    rows: [{ id: 'sym:Sink/put(int)@Sink.java' }, { id: 'sym:Sink/put(String)@Sink.java' }],
  });
});

test.each([
  [{ query: 'sendMial', repo: '', ref: undefined }, 'code-tool usages query="sendMail" (nearest names: sendMail)'],
  [{ query: 'sendMial' }, 'query="sendMail" repo="shop" ref="next" (nearest'],
  [{ query: '' }, 'query="sendMail" repo="shop" ref="next"'],
  [{ action: 'definition', query: 'src/mail/client.ts:9000' }, '" repo="shop" ref="next"'],
  [{ action: 'definition', query: 'src/none.ts:1-2' }, 'path="**/none.ts" repo="shop" ref="next"'],
])('a refusal suggests a call of the same index, with the nearest name (%#)', async (args, fix) => {
  await expect(ask(lone, { action: 'usages', repo: 'shop', ref: 'next', ...args })).rejects.toMatchObject({
    fix: expect.stringContaining(fix) as string,
  });
});

test('search_symbols pages by a cursor until all are shown', async () => {
  const whole = await json(lone, { action: 'search_symbols', query: '*mail*', limit: 100 });
  const first = await json(lone, { action: 'search_symbols', query: '*mail*', limit: 2 });
  const remainder = await json(lone, { action: 'search_symbols', query: '*mail*', limit: 2, cursor: first['next'] });

  expect(whole).toMatchObject({ total: 3, shown: 3 });
  expect(whole['next']).toBeUndefined();
  expect([...(first['rows'] as unknown[]), ...(remainder['rows'] as unknown[])]).toEqual(whole['rows']);
  expect(whole['rows']).toContainEqual(
    expect.objectContaining({ id: 'sym:Mailer@src/mail/client.ts', kind: 'class', exported: true, refs: 1 }),
  );
});

test('definition gives signature and documentation, with detail=body the source', async () => {
  const lines = await ask(lone, { action: 'definition', query: 'sendMail' });
  const body = await ask(lone, { action: 'definition', query: 'sendMail', detail: 'body' });

  expect(lines.split('\n').slice(1)).toEqual([
    'src/mail/client.ts',
    ' 10-12 export function sendMail(to: string): void  // Delivers one message to a customer.',
  ]);
  expect(body).toContain('\n|   new SmtpMailer().send(to);\n| }');
});

test('definition shows every candidate, and reads lines of a file', async () => {
  const candidates = await ask(lone, { action: 'definition', query: 'send' });
  const range = await ask(lone, { action: 'definition', query: 'src/orders/notify.ts:3-4' });

  expect(candidates).toContain(
    '2 definitions match; pick one by its handle, e.g. query="sym:Mailer/send@src/mail/client.ts"',
  );
  expect(range).toBe(
    [
      'code-tool definition src/orders/notify.ts:3-4 · shop@28a9c12 main fresh · 1 of 1',
      'src/orders/notify.ts',
      ' 3-4 of 6 lines',
      '|   sendMail(order.email);',
      '|   mailer.send(order.email);',
    ].join('\n'),
  );
});

test.each([
  ['src/none.ts:1-4', 'unknown_id'],
  ['src/orders/notify.ts:90-99', 'bad_argument'],
  ['src/orders/notify.ts:9-3', 'bad_argument'],
])('the lines %s are refused with %s', async (query, code) => {
  await expect(ask(lone, { action: 'definition', query })).rejects.toMatchObject({ code });
});

test('outline indents members under their class', async () => {
  const text = await ask(lone, { action: 'outline', path: 'src/mail/client.ts', kind: ['class', 'method'] });

  expect(text.split('\n').slice(1, 4)).toEqual([
    ' 1-3 export class Mailer',
    '   2 send(to: string): void {}',
    ' 4-9 export class SmtpMailer extends Mailer',
  ]);
});

test('grep counts lines and files; text that is no pattern is searched as it stands', async () => {
  expect(await ask(lone, { action: 'grep', query: 'sendMail\\(order' })).toContain('1 of 1 (files 1)');
  expect(await ask(lone, { action: 'grep', query: 'def (:' })).toContain('not a valid regular expression');
});

test('semantic_search says why, and leaves tests behind', async () => {
  const page = await json(lone, { action: 'semantic_search', query: 'deliver message to customer' });

  expect(page['rows']).toMatchObject({
    0: { path: 'src/mail/client.ts', symbol: 'sendMail', why: expect.any(String) },
  });
});

test('semantic_search counts how many of what it searched have each term', async () => {
  const page = await json(lone, { action: 'semantic_search', query: 'sendMail nowhere' });

  expect(page['terms']).toEqual({
    send: expect.any(Number),
    mail: expect.any(Number),
    sendmail: expect.any(Number),
    nowher: 0,
  });
  expect((page['terms'] as Record<string, number>)['sendmail']).toBeGreaterThan(0);
  expect(page['searched']).toBeGreaterThan(5);
});

test('an empty answer says what was searched', async () => {
  expect(await ask(lone, { action: 'grep', query: 'nowhere', path: 'src/none' })).toBe(
    [
      'code-tool grep nowhere · shop@28a9c12 main fresh · 0 of 0',
      'nothing found in 0 files (under src/none)',
      'no indexed file matches path="src/none"',
    ].join('\n'),
  );
});

test('over several repositories rows and groups name theirs, and each index is stated', async () => {
  const text = await ask(both, { action: 'grep', query: 'sendMail', repo: '*' });
  const object = await json(both, { action: 'grep', query: 'sendMail', repo: '*' });

  expect(text).toContain('shop@28a9c12 main fresh, web@28a9c12 main behind 3');
  expect(text).toContain('web: src/send.ts');
  expect(object).toMatchObject({ repo: '*', index: [{ repo: 'shop' }, { repo: 'web', state: 'behind', behind: 3 }] });
});

test('pages over several repositories join without gap or repeat', async () => {
  const whole = await json(both, { action: 'grep', query: 'sendMail', repo: '*', limit: 100 });
  const rows: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await json(both, { action: 'grep', query: 'sendMail', repo: '*', limit: 3, cursor });
    rows.push(...(page['rows'] as unknown[]));
    cursor = page['next'] as string | undefined;
  } while (cursor !== undefined);

  expect(rows).toEqual(whole['rows']);
});

test.each([{ max_tokens: 200 }, { max_tokens: 200, detail: 'body' }])(
  'an answer never costs more than asked: %j',
  async (budget) => {
    const text = await ask(lone, { action: 'definition', query: 'src/mail/client.ts:1-12', ...budget });

    expect(tokensOf(text)).toBeLessThanOrEqual(200);
  },
);

test.each([
  [{ action: 'usages' }, 'needs a query'],
  [{ action: 'search_symbols', query: 'x', kind: ['route'] }, '"route" is not a kind of symbol'],
  [{ action: 'grep', query: LONG }, 'longer than 1000'],
  [{ action: 'grep', query: 'x', cursor: 'garbage' }, 'was not issued by this service'],
])('arguments are refused (%#): %s', async (args, message) => {
  await expect(ask(lone, args)).rejects.toMatchObject({
    code: 'bad_argument',
    message: expect.stringContaining(message),
  });
});

test('a shard that was altered is never served: a rebuild is asked for', async () => {
  const missing = repository('gone', { hash: 'f'.repeat(64), sizeBytes: 10 }, { state: 'fresh' });

  await expect(ask(tool([missing]), { action: 'grep', query: 'x' })).rejects.toMatchObject({ code: 'not_indexed' });
  expect(rebuilt).toEqual(['gone']);
});

function tool(repositories: IndexedRepository[]): AnyOperation {
  return codeTool({
    readers,
    repositories: async () => repositories,
    rebuild: async (_, id) => void rebuilt.push(id),
  });
}

function repository(name: string, shard: ShardRef, index: IndexState): IndexedRepository {
  return { id: name, provenance: { repo: name, ref: 'main', commit: '28a9c128912de19f', index }, shard };
}

async function publish(input: ShardInput): Promise<ShardRef> {
  const file = join(folder, 'next');
  await writeCodeShard(file, { repository: 'shop', commit: 'abc' }, input);
  return blobs.put(file);
}

function web(): ShardInput {
  return shardInput([
    {
      path: 'src/send.ts',
      text: 'export function sendMail(): void {}\nsendMail();\n',
      symbols: [{ qualified: 'sendMail', kind: 'function', line: 1 }],
      uses: [{ line: 2, name: 'sendMail', use: 'call', target: 'sendMail@src/send.ts' }],
    },
  ]);
}

async function run(operation: AnyOperation, args: Record<string, unknown>): ReturnType<AnyOperation['run']> {
  const { signal } = new AbortController();
  return operation.run({ caller, now: () => new Date(), signal, progress: () => {} }, operation.input.parse(args));
}

async function ask(operation: AnyOperation, args: Record<string, unknown>): Promise<string> {
  return (await run(operation, args)).text;
}

async function json(operation: AnyOperation, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  return (await run(operation, args)).json;
}
