import { expect, test } from 'vitest';
import { TaskTimeout } from '../platform/threads.ts';
import { QueryGoesOn, type QueryOptions, ShardReaders } from './shards/shards.ts';
import { CodeSources } from './index-sources.ts';
import { DEFAULT_THRESHOLDS } from '../code/smells/smell-thresholds.ts';

/** Readers on a machine so busy that every query is ended at its deadline, or is still at work when nobody can wait. */
class BusyReaders extends ShardReaders {
  override query(...[, , , options]: [unknown, unknown, unknown, QueryOptions?]): Promise<never> {
    return Promise.reject(
      options?.patienceMs === undefined ? new TaskTimeout(options?.deadlineMs ?? 0) : new QueryGoesOn(),
    );
  }
}

/** Readers that find nothing, at once. */
class ReadyReaders extends ShardReaders {
  override query(): Promise<never> {
    // Nobody looks at what was found.
    return Promise.resolve([] as never);
  }
}

const PAGE = { limit: 1, offset: 0 };
const REPOSITORY = {
  id: 'r',
  provenance: { repo: 'shop', ref: 'main', commit: '1', index: { state: 'fresh' as const } },
  shard: { hash: '0', sizeBytes: 0 },
};

function sourcesOf(readers: ShardReaders): CodeSources {
  const parts = { readers, repositories: () => Promise.resolve([REPOSITORY]), rebuild: () => Promise.resolve() };
  const caller = { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read' as const] };
  return new CodeSources(parts, { caller, signal: new AbortController().signal, repositories: [REPOSITORY] });
}

test('a query that was cut off says what to ask instead, one that goes on to ask again', async () => {
  const blobs = { put: () => Promise.reject(new Error('read only')), path: () => '' };
  await using readers = new BusyReaders({ blobs, threads: 1, cacheBytes: 1 });
  const sources = sourcesOf(readers);

  await expect(sources.ask(REPOSITORY, ['coverage', {}])).rejects.toMatchObject({
    code: 'bad_argument',
    message: expect.stringContaining('shop gave no answer within 10 s') as string,
    fix: expect.stringContaining('name a path') as string,
  });
  const goesOn = { code: 'conflict', fix: expect.stringContaining('repeat the same call') as string };
  await expect(sources.ask(REPOSITORY, ['smells', { ...PAGE, thresholds: DEFAULT_THRESHOLDS }])).rejects.toMatchObject(
    goesOn,
  );
  await expect(sources.ask(REPOSITORY, ['deadCode', PAGE])).rejects.toMatchObject(goesOn);
});

test('a question to several indexes tells how many have answered', async () => {
  const told: unknown[][] = [];
  const blobs = { put: () => Promise.reject(new Error('read only')), path: () => '' };
  await using readers = new ReadyReaders({ blobs, threads: 1, cacheBytes: 1 });
  const parts = { readers, repositories: () => Promise.resolve([REPOSITORY]), rebuild: () => Promise.resolve() };
  const sources = new CodeSources(parts, {
    caller: { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read'] },
    signal: new AbortController().signal,
    repositories: [REPOSITORY, REPOSITORY],
    progress: (...step) => void told.push(step),
  });

  await sources.askAll(['countFiles', { path: '' }]);

  expect(told).toEqual([
    [0, 2, '0 of 2 indexes have answered'],
    [1, 2, '1 of 2 indexes have answered'],
    [2, 2, '2 of 2 indexes have answered'],
  ]);
});
