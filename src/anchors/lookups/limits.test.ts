import { expect, test } from 'vitest';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { ShardReaders } from '../../indexes/shards/shards.ts';
import { codeLookup } from './code-lookup.ts';
import { lookIntoPast, type PastIndexTask } from './lookups.ts';

const REPOSITORY = {
  id: 'r',
  provenance: { repo: 'shop', ref: 'main', commit: 'c9', index: { state: 'fresh' } },
  shard: { hash: 'now' },
  gitDir: async () => '/nowhere',
} as unknown as IndexedRepository;

test('of an older commit, the first five hundred files that a plan names are read', async () => {
  const tasks: PastIndexTask[] = [];
  const paths = Array.from({ length: 1_100 }, (_, at) => `src/${at}.ts`);
  const indexPast = async (task: PastIndexTask): Promise<void> => {
    tasks.push(task);
    throw new Error('seen');
  };

  await expect(
    lookIntoPast({ indexPast }, { repository: REPOSITORY, commit: 'c1', paths }, async () => 'never'),
  ).rejects.toThrow('seen');
  expect(tasks.map((task) => task.paths)).toEqual([paths.slice(0, 500)]);
});

test('names that are no symbols are looked for in the first twenty thousand lines of a file', async () => {
  const text = Array.from({ length: 41_000 }, (_, at) => ([19_999, 20_000].includes(at) ? 'function run() {}' : ''));
  const readers = {
    query: async (_shard: unknown, _set: unknown, [, { from, to }]: [string, { from: number; to: number }]) => ({
      lines: text.slice(from - 1, to),
    }),
  } as unknown as ShardReaders;
  const locations = await codeLookup(readers, REPOSITORY, false).inText('a.ts', 'run');

  expect(locations.map(({ line }) => line)).toEqual([20_000]);
});
