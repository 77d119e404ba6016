import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Catalogs } from '../code/catalog/catalog.ts';
import { writeCodeShard } from '../code-index/shard/shard-writer.ts';
import { HISTORY_FORMAT } from '../commits/commits.ts';
import { writeHistory } from '../commits/mine/mine.ts';
import type { IndexedRepository } from '../indexes/indexes.ts';
import { ShardReaders } from '../indexes/shards/shards.ts';
import { type BlobStore, openBlobStore } from '../platform/blobs.ts';
import { shardInput } from '../testing/code-shard.ts';
import { testFolder, testRepository } from '../testing/git.ts';
import { openSearchBench, type SearchBench } from '../testing/search.ts';
import { searchTool } from './search-tool.ts';

const WORDS = ['mail', 'order', 'invoice', 'customer', 'payment', 'session', 'queue', 'retry'] as const;
const RUN = { signal: new AbortController().signal, onProgress: (): void => undefined };

let bench: SearchBench;
let folder: string;
let blobs: BlobStore;
let readers: ShardReaders;
const repositories: IndexedRepository[] = [];

beforeAll(async () => {
  bench = await openSearchBench();
  folder = testFolder();
  blobs = await openBlobStore(join(folder, 'blobs'));
  readers = new ShardReaders({ blobs, threads: 2, cacheBytes: 1e8 });
  for (const number of Array.from({ length: 9 }).keys()) repositories.push(await repository(number));
});

afterAll(async () => {
  await Promise.all([readers.close(), bench.close()]);
  rmSync(folder, { recursive: true });
});

/** A repository with a function of two words, and commits about them, one of which names a word that no code has. */
async function repository(number: number): Promise<IndexedRepository> {
  const [first, second] = [WORDS[number % WORDS.length], WORDS[(number * 3 + 1) % WORDS.length]];
  const path = `src/${first}.ts`;
  const text = `/** Sends the ${second}. */\nexport function ${first}Sender(): number {\n  return ${number};\n}\n`;
  const source = testRepository([
    { files: { [path]: text }, message: `feat(${first}): send each ${second}` },
    { files: { [path]: `${text}\n` }, message: `fix: walrus ${number} of the ${second}\n\nA ${first} was lost.` },
    ...(number % 3 === 0
      ? [{ files: { 'a.md': 'a' }, message: 'docs: name the otter of the database', author: 'Bo <bo@b.c>' }]
      : []),
  ]);
  const [gitDir, commit] = [join(source.path, '.git'), source.git('rev-parse', 'HEAD')];
  const [code, history] = [join(folder, 'code'), join(folder, 'history')];
  const symbols = [{ line: 2, end: 4, qualified: `${first}Sender`, kind: 'function' as const }];
  await writeCodeShard(code, { repository: `r${number}`, commit }, shardInput([{ path, text, symbols }]));
  await writeHistory({ gitDir, commit, targetFile: history }, RUN);
  source.remove();
  return {
    id: `00000000-0000-7000-8000-00000000000${number}`,
    provenance: { repo: `team-${number}`, ref: 'main', commit, index: { state: 'fresh', behind: 0 } },
    shard: await blobs.put(code),
    history: await blobs.put(history),
    gitDir: async () => undefined,
  };
}

const CALLS: readonly Record<string, unknown>[] = [
  ...['walrus', 'otter', 'mail', 'send each order', 'a lost customer payment', 'otter database', 'zebra'].flatMap(
    (query) => [{ query, corpora: ['commits'] }, { query }],
  ),
  { query: 'otter', corpora: ['commits'], since: '2026-01-01' },
  { query: 'otter', corpora: ['commits'], since: '2026-06-01' },
  { query: 'walrus', corpora: ['commits'], limit: 3 },
];

test('search over many repositories gives the same answers with and without a catalog, commits too', async () => {
  const catalogs = new Catalogs({
    readers,
    blobs,
    folder: join(folder, 'catalogs'),
    historyFormat: HISTORY_FORMAT,
    onFault: (error) => {
      throw error;
    },
  });
  const indexes = { ...bench.parts.indexes, readers, repositories: async () => repositories };
  const answersOf = async (parts: SearchBench['parts']): Promise<unknown[]> =>
    Promise.all(CALLS.map((call) => bench.call(searchTool(parts), call)));
  const expected = await answersOf({ ...bench.parts, indexes });
  const fronted = { ...bench.parts, indexes: { ...indexes, catalogs } };

  expect(await answersOf(fronted)).toEqual(expected);
  await catalogs.settle();
  const caller = { ...bench.account, keyId: 'k', scopes: ['read' as const] };
  const [none] = [await catalogs.select({ caller, repositories, signal: RUN.signal }, { messages: 'zebra' })];
  expect(none).toMatchObject({ may: [], apart: [], documents: 21 });
  expect(await answersOf(fronted)).toEqual(expected);
  await catalogs.close();
});

test('a commit is found by a word whose stem has a stem of its own', async () => {
  const indexes = { ...bench.parts.indexes, readers, repositories: async () => repositories };
  const call = { query: 'databases', corpora: ['commits'], format: 'json' };

  const { json } = await bench.call(searchTool({ ...bench.parts, indexes }), call);

  expect(json).toMatchObject({ total: 3, rows: [{ title: 'docs: name the otter of the database' }] });
});
