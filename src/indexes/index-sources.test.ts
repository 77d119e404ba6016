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
  readonly #end: (options: QueryOptions, hashes: readonly string[]) => Promise<unknown>;

  constructor(end: (options: QueryOptions, hashes: readonly string[]) => Promise<unknown>) {
    const blobs = { put: () => Promise.reject(new Error('read only')), path: () => '' };
    super({ blobs, threads: 1, cacheBytes: 1 });
    this.#end = end;
  }

  override async queryEach(
    ...[, [, requests], options = {}]: [unknown, readonly [unknown, readonly { ref: ShardRef }[]], QueryOptions?]
  ): Promise<never[]> {
    const hashes = requests.map(({ ref }) => ref.hash);
    this.queriedShards.push(...hashes);
    const result = await this.#end(options, hashes);
    // Nobody looks at what was found.
    return hashes.map(() => result as never);
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
  await using readers = new EndingReaders((_, [hash = '']) => Promise.reject(new ShardDamaged('altered', hash)));
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

test('a question to several indexes reports how many have answered, small ones together', async () => {
  const reports: unknown[][] = [];
  await using readers = new EndingReaders(() => Promise.resolve(1));
  const tally = new Tally((...step: unknown[]) => void reports.push(step), 'indexes have answered');
  const large = { ...REPOSITORY, shard: { hash: 'c0', sizeBytes: 1e9 } };
  const sources = sourcesOf(readers, { repositories: [REPOSITORY, REPOSITORY, large], tally });

  await sources.askAll(['countRows', {}]);

  expect(reports).toEqual([
    [0, 3, '0 of 3 indexes have answered'],
    [2, 3, '2 of 3 indexes have answered'],
    [3, 3, '3 of 3 indexes have answered'],
  ]);
});

test('of several shards in one task the damaged one is rebuilt and named, and answers keep the order of repositories', async () => {
  const repositories = Array.from({ length: 40 }, (_, at) => ({
    ...REPOSITORY,
    id: `r${at}`,
    provenance: { ...REPOSITORY.provenance, repo: `shop-${at}` },
    shard: { hash: (at * 7919).toString(16).padStart(6, '0'), sizeBytes: 1 },
  }));
  const rebuilt: string[] = [];
  const damaged = repositories[20]?.shard.hash ?? '';
  await using readers = new EndingReaders((_, hashes) =>
    hashes.includes(damaged) ? Promise.reject(new ShardDamaged('altered', damaged)) : Promise.resolve(1),
  );
  await using sound = new EndingReaders(() => Promise.resolve(1));

  await expect(sourcesOf(readers, { repositories, rebuilt }).askAll(['countRows', {}])).rejects.toMatchObject({
    message: 'The index of shop-20 is damaged and is being rebuilt.',
  });
  expect(rebuilt).toEqual(['r20']);
  const answers = await sourcesOf(sound, { repositories }).askAll(['countRows', {}]);
  expect(answers.map(({ repository }) => repository.id)).toEqual(repositories.map(({ id }) => id));
});
