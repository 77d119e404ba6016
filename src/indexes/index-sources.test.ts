import { expect, test } from 'vitest';
import { Tally } from '../platform/operation/tally.ts';
import { TaskTimeout, workerUrl } from '../platform/threads.ts';
import type * as rows from '../testing/row-queries.ts';
import type { IndexedRepository } from './indexes.ts';
import { IndexSources } from './index-sources.ts';
import {
  queryModule,
  type QueryOptions,
  ShardDamaged,
  ShardReaders,
  type ShardRef,
  HISTORY_KIND,
} from './shards/shards.ts';

const MODULE = workerUrl(import.meta, '../testing/row-queries');
const CODE = queryModule<typeof rows>(MODULE, { kind: 'code', versions: [1] });
const HISTORY = queryModule<typeof rows>(MODULE, { kind: HISTORY_KIND, versions: [1] });
const REPOSITORY: IndexedRepository = {
  id: 'r',
  provenance: { repo: 'shop', ref: 'main', commit: '1', index: { state: 'fresh' } },
  shard: { hash: 'c0', sizeBytes: 0 },
  history: { hash: 'h0', sizeBytes: 0 },
};

/** Readers of which every query ends in the same way. */
class EndingReaders extends ShardReaders {
  readonly queriedShards: string[] = [];
  readonly #end: (options: QueryOptions) => Promise<unknown>;

  constructor(end: (options: QueryOptions) => Promise<unknown>) {
    const blobs = { put: () => Promise.reject(new Error('read only')), path: () => '' };
    super({ blobs, threads: 1, cacheBytes: 1 });
    this.#end = end;
  }

  override query(...[{ hash }, , , options = {}]: [ShardRef, unknown, unknown, QueryOptions?]): Promise<never> {
    this.queriedShards.push(hash);
    // Nobody looks at what was found.
    return this.#end(options) as Promise<never>;
  }
}

function sourcesOf(
  readers: ShardReaders,
  { repositories = [REPOSITORY], rebuilt = [], tally }: Partial<Parts> = {},
): IndexSources<typeof rows> {
  const rebuild = async (_scope: unknown, id: string): Promise<void> => void rebuilt.push(id);
  const caller = { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read' as const] };
  const { signal } = new AbortController();
  const call = { caller, signal, repositories, ...(tally !== undefined && { tally }) };
  return new IndexSources({ readers, rebuild }, CODE, call);
}

interface Parts {
  repositories: readonly IndexedRepository[];
  /** Gets the ids of repositories that are to be rebuilt. */
  rebuilt: string[];
  tally: Tally;
}

test('a query that was cut off says what to ask instead', async () => {
  await using readers = new EndingReaders(({ deadlineMs = 0 }) =>
    Promise.reject(new TaskTimeout(`${deadlineMs / 1000} s of processor time`)),
  );
  const sources = sourcesOf(readers);

  await expect(sources.ask(REPOSITORY, ['countRows', {}])).rejects.toMatchObject({
    code: 'timed_out',
    message: expect.stringContaining('index of shop gave no answer within 10 s of processor time, so') as string,
    fix: expect.stringContaining('name a path') as string,
  });
});

test('a damaged shard is rebuilt, and told by its name', async () => {
  const rebuilt: string[] = [];
  await using readers = new EndingReaders(() => Promise.reject(new ShardDamaged('altered', 'c0')));
  const sources = sourcesOf(readers, { rebuilt });

  const code = { code: 'not_indexed', message: 'The index of shop is damaged and is being rebuilt.' };
  await expect(sources.ask(REPOSITORY, ['countRows', {}])).rejects.toMatchObject(code);
  const history = { code: 'not_indexed', message: 'The history of shop is damaged and is being rebuilt.' };
  await expect(sources.with(HISTORY).ask(REPOSITORY, ['countRows', {}])).rejects.toMatchObject(history);

  expect(rebuilt).toEqual(['r', 'r']);
});

test('a shard of another version is rebuilt, and is not called damaged', async () => {
  await using readers = new EndingReaders(() => Promise.reject(new ShardDamaged('version', 'c0')));

  await expect(sourcesOf(readers).ask(REPOSITORY, ['countRows', {}])).rejects.toMatchObject({
    code: 'not_indexed',
    message: 'The index of shop was made by another version of svc and is being rebuilt.',
  });
});

test('a question goes to the shard of its kind, and a repository without one says so', async () => {
  await using readers = new EndingReaders(() => Promise.resolve(1));
  const { history: _none, ...codeOnly } = REPOSITORY;
  const sources = sourcesOf(readers, { repositories: [REPOSITORY, codeOnly] });

  await sources.askAll(['countRows', {}]);
  await sources.with(HISTORY).ask(REPOSITORY, ['countRows', {}]);

  expect(readers.queriedShards).toEqual(['c0', 'c0', 'h0']);
  await expect(sources.with(HISTORY).ask(codeOnly, ['countRows', {}])).rejects.toMatchObject({ code: 'not_indexed' });
});

test('a new history leaves the pages of questions about code as they are', async () => {
  await using readers = new EndingReaders(() => Promise.resolve(1));
  const before = sourcesOf(readers);
  const after = sourcesOf(readers, { repositories: [{ ...REPOSITORY, history: { hash: 'h1', sizeBytes: 0 } }] });

  expect(after.generation).toBe(before.generation);
  expect(after.with(HISTORY).generation).not.toBe(before.with(HISTORY).generation);
});

test('a question to several indexes tells how many have answered', async () => {
  const reports: unknown[][] = [];
  await using readers = new EndingReaders(() => Promise.resolve(1));
  const tally = new Tally((...step: unknown[]) => void reports.push(step), 'indexes have answered');
  const sources = sourcesOf(readers, { repositories: [REPOSITORY, REPOSITORY], tally });

  await sources.askAll(['countRows', {}]);

  expect(reports).toEqual([
    [0, 2, '0 of 2 indexes have answered'],
    [1, 2, '1 of 2 indexes have answered'],
    [2, 2, '2 of 2 indexes have answered'],
  ]);
});
