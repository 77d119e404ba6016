import { copyFileSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeCodeShard } from '../../code-index/shard/shard-writer.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import { HISTORY_KIND, ShardReaders } from '../../indexes/shards/shards.ts';
import { type BlobStore, openBlobStore } from '../../platform/blobs.ts';
import type { AnyOperation } from '../../platform/operation/operation.ts';
import { type FileSketch, shardInput } from '../../testing/code-shard.ts';
import { codeTool } from '../code-tool.ts';
import { Catalogs } from './catalog.ts';

const CALLER = { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read' as const] };
const SIGNAL = new AbortController().signal;
/** Words of which each repository has some. */
const WORDS = 'mail order invoice customer payment session queue retry cache token'.split(' ');

let folder: string;
let blobs: BlobStore;
let readers: ShardReaders;
const repositories: IndexedRepository[] = [];
const faults: unknown[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-'));
  blobs = await openBlobStore(join(folder, 'blobs'));
  readers = new ShardReaders({ blobs, threads: 2, cacheBytes: 1e8 });
  for (let number = 0; number < 12; number += 1) repositories.push(await repository(number));
});

afterAll(async () => {
  await readers.close();
  rmSync(folder, { recursive: true });
});

/** A repository with two functions of three words, and a file that could not be read. */
async function repository(number: number, extra = ''): Promise<IndexedRepository> {
  const [first = '', second = '', third = ''] = [0, 1, 4].map((step) => WORDS[(number + step) % WORDS.length] ?? '');
  const name = `${first}${second.charAt(0).toUpperCase()}${second.slice(1)}`;
  const text = [
    `/** Sends the ${third} of a ${second} where ${first} is. */`,
    `export function ${name}(${third}: number): number {`,
    `  return ${third} + ${number};${extra}`,
    '}',
    '',
  ].join('\n');
  const symbols = [{ line: 2, end: 4, qualified: name, kind: 'function' as const }];
  const broken: FileSketch[] =
    number === 3 ? [{ path: 'src/broken.ts', text: 'export {', failed: 'syntax error' }] : [];
  return publish(number, [{ path: `src/${first}.ts`, text, symbols }, ...broken]);
}

async function publish(number: number, files: readonly FileSketch[]): Promise<IndexedRepository> {
  await writeCodeShard(join(folder, 'next'), { repository: `r${number}`, commit: 'abc' }, shardInput(files));
  return {
    id: `r${number}`,
    provenance: { repo: `team-${number}`, ref: 'main', commit: `${number}abc1234567890`, index: { state: 'fresh' } },
    shard: await blobs.put(join(folder, 'next')),
    gitDir: async () => undefined,
  };
}

function openCatalogs(): Catalogs {
  return new Catalogs({
    readers,
    blobs,
    folder: join(folder, 'catalogs'),
    historyFormat: { kind: HISTORY_KIND, versions: [1] },
    onFault: (error) => void faults.push(error),
  });
}

function toolOver(all: readonly IndexedRepository[], catalogs?: Catalogs): AnyOperation {
  return codeTool({
    readers,
    repositories: async () => [...all],
    rebuild: () => Promise.reject(new Error('A shard of the test is damaged.')),
    ...(catalogs !== undefined && { catalogs }),
  });
}

/** Text and JSON of an answer, or the error. */
async function answerOf(tool: AnyOperation, args: Record<string, unknown>): Promise<unknown> {
  const context = { caller: CALLER, now: () => new Date(0), signal: SIGNAL, progress: () => undefined };
  return tool.run(context, tool.input.parse({ repo: '*', ...args })).catch((error: unknown) => String(error));
}

function namesOf(all: readonly IndexedRepository[]): string[] {
  return all.map(({ id }) => id);
}

const CALLS: readonly Record<string, unknown>[] = [
  ...['mail', 'orderInvoice', 'oI', 'ordr', 'ordre', 'zzz', 'custo*', 'src/mail/mailOrder', 'retryCache', 'x'].map(
    (query) => ({ action: 'search_symbols', query }),
  ),
  { action: 'search_symbols', query: 'mail', path: 'src/order.ts' },
  ...['mail', 'order|token', 'Sends the \\w+ of', 'zzzz', '(unclosed', 'payment\\s', 'a', 'ORDER'].map((query) => ({
    action: 'grep',
    query,
  })),
  { action: 'grep', query: 'zzzz', tests: 'only' },
  ...['mail order', 'zzz yyy', 'where is a token of a payment sent', 'qqqq wwww eeee rrrr tttt', 'the'].map(
    (query) => ({
      action: 'semantic_search',
      query,
    }),
  ),
  { action: 'definition', query: 'mailOrder' },
  { action: 'definition', query: 'mailOdrer' },
];

test('answers over all repositories are those of asking each index, before and after the catalog has them', async () => {
  const catalogs = openCatalogs();
  const [fronted, plain] = [toolOver(repositories, catalogs), toolOver(repositories)];
  const expected = await Promise.all(CALLS.map((call) => answerOf(plain, call)));

  expect(await answerOf(fronted, CALLS[0] ?? {})).toEqual(expected[0]);
  await catalogs.settle();
  const answers = await Promise.all(CALLS.map((call) => answerOf(fronted, call)));
  expect(answers).toEqual(expected);
  await catalogs.close();
  expect(faults).toEqual([]);
});

test('only indexes that may answer are asked, and counts come from the catalog', async () => {
  const catalogs = openCatalogs();
  const call = { caller: CALLER, repositories, signal: SIGNAL };
  await catalogs.select(call, {});
  await catalogs.settle();

  const named = await catalogs.select(call, { names: 'mailOrder' });
  expect(namesOf(named.may)).toEqual(['r0', 'r10']);
  expect(namesOf(named.unread)).toEqual(['r3']);
  expect({ files: named.files, apart: named.apart }).toEqual({ files: 13, apart: [] });
  const counted = await catalogs.select(call, { words: 'mail', counted: ['mail'] });
  expect(namesOf(counted.may)).toEqual(['r0', 'r6', 'r9', 'r10']);
  expect(counted.having[0]).toBeGreaterThan(4);
  expect(namesOf((await catalogs.select(call, { pattern: 'token \\+ 5' })).may)).toContain('r5');
  expect((await catalogs.select(call, { pattern: 'xyz12' })).may).toEqual([]);
  // What is near by meaning may have none of the words.
  expect((await catalogs.select(call, { words: 'where is a mail sent to' })).may).toHaveLength(12);
  await catalogs.close();
});

test('one that is indexed again is asked until the catalog has it, and its old words are asked for no more', async () => {
  const catalogs = openCatalogs();
  const changed = repositories.with(1, await repository(1, ' // walrus'));
  const call = { caller: CALLER, repositories: changed, signal: SIGNAL };

  const first = await catalogs.select(call, { pattern: 'walrus' });
  expect(first.may).toEqual([changed[1]]);
  expect(first.apart).toEqual([changed[1]]);
  await catalogs.settle();
  const second = await catalogs.select(call, { pattern: 'walrus' });
  expect(second.may).toEqual([changed[1]]);
  expect(second.apart).toEqual([]);
  const before = await catalogs.select({ ...call, repositories }, { pattern: 'walrus' });
  expect(before.may).toEqual([]);
  expect(readdirSync(join(folder, 'catalogs'))).toHaveLength(1);
  await catalogs.close();
});

test('few repositories are asked without one, and a catalog that is gone or damaged is made again', async () => {
  const catalogs = openCatalogs();
  const few = { caller: CALLER, repositories: repositories.slice(0, 3), signal: SIGNAL };
  expect((await catalogs.select(few, { pattern: 'zzzz' })).may).toHaveLength(3);
  await catalogs.close();
  rmSync(join(folder, 'catalogs'), { recursive: true });

  const others = openCatalogs();
  const all = { caller: CALLER, repositories, signal: SIGNAL };
  expect((await others.select(all, { pattern: 'zzzz' })).may).toHaveLength(12);
  await others.settle();
  expect((await others.select(all, { pattern: 'zzzz' })).may).toEqual([]);
  await others.close();
  for (const name of readdirSync(join(folder, 'catalogs')))
    writeFileSync(join(folder, 'catalogs', name), 'no database');
  const reopened = openCatalogs();
  expect((await reopened.select(all, { pattern: 'zzzz' })).may).toHaveLength(12);
  await reopened.close();
});

test('what a killed process was writing is not read, and one that another process replaced is looked for again', async () => {
  const catalogs = openCatalogs();
  const all = { caller: CALLER, repositories, signal: SIGNAL };
  const folderOfCatalogs = join(folder, 'catalogs');
  rmSync(folderOfCatalogs, { recursive: true });
  await catalogs.select(all, {});
  await catalogs.settle();
  const [name = ''] = readdirSync(folderOfCatalogs);
  const [file, partial] = [join(folderOfCatalogs, name), join(folderOfCatalogs, `${name}.partial`)];
  copyFileSync(file, partial);

  const other = openCatalogs();
  expect((await other.select(all, { pattern: 'zzzz' })).may).toEqual([]);
  expect(readdirSync(folderOfCatalogs)).toEqual([name]);

  const changed = { ...all, repositories: repositories.with(2, await repository(2, ' // lynx')) };
  await other.select(changed, {});
  await other.settle();
  const [replacement = ''] = readdirSync(folderOfCatalogs);
  expect(replacement).not.toBe(name);
  // The file that this one extends is gone.
  await catalogs.select(changed, {});
  await catalogs.settle();
  expect(faults.splice(0)).toHaveLength(1);
  expect((await catalogs.select(changed, { pattern: 'lynx' })).apart).toEqual([]);
  expect(readdirSync(folderOfCatalogs)).toEqual([replacement]);

  await catalogs.sweep();
  expect(readdirSync(folderOfCatalogs)).toEqual([replacement]);
  utimesSync(join(folderOfCatalogs, replacement), new Date(0), new Date(0));
  await catalogs.sweep();
  expect(readdirSync(folderOfCatalogs)).toEqual([]);
  await Promise.all([catalogs.close(), other.close()]);
});

/** A file of functions, each with its documentation. */
function functionsOf(documented: Record<string, string>): FileSketch {
  const names = Object.keys(documented);
  return {
    path: 'src/all.ts',
    text: names.map((name) => `/** ${documented[name]} */\nexport function ${name}() {}\n`).join(''),
    symbols: names.map((qualified, at) => ({ qualified, kind: 'function' as const, line: 2 * at + 2 })),
  };
}

test('of several repositories the one that has more of the words comes first, however common they are in it', async () => {
  const routes = functionsOf({
    decodeParameters: 'Decodes the parameters of a route.',
    matchRoute: 'Matches a route.',
    addRoute: 'Adds a route with its parameters.',
    listParameters: 'Lists parameters of all routes.',
  });
  const fields = functionsOf({ decodeFields: 'Decodes fields.', sortRows: 'Sorts rows.', growRows: 'Adds rows.' });
  const two = [await publish(101, [fields]), await publish(102, [routes])];
  const tool = toolOver(two);

  for (const query of ['decode route parameters', 'where are the parameters of a route decoded']) {
    const answer = (await answerOf(tool, { action: 'semantic_search', query })) as {
      json: { rows: { repo: string; symbol: string; score: number }[] };
    };
    const { rows } = answer.json;
    expect(rows[0]?.repo).toBe('team-102');
    expect(rows.map(({ score }) => score)).toEqual(rows.map(({ score }) => score).toSorted((a, b) => b - a));
  }
});
