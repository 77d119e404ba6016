import { expect, onTestFinished, test } from 'vitest';
import { embeddedRevision } from '../code/code.ts';
import type { Encoder } from '../text/encoder/encoder.ts';
import type { Metrics } from '../platform/metrics.ts';
import { addRepository, getRepository, type Repository } from '../repositories/repositories.ts';
import { ShardReaders } from '../indexes/shards/shards.ts';
import { answerJson, embeddingServer, type EmbeddingServer } from '../testing/embedding-server.ts';
import type { TestRepository } from '../testing/git.ts';
import { indexParts } from '../testing/index-worker.ts';
import { repositoryBench, sourceRepository } from '../testing/repositories.ts';
import { embedRepository } from './embed-repository.ts';
import { indexRepository } from './index-repository.ts';

const FILES = {
  'mail.ts': 'export function send(): void {}\n',
  'app.ts': 'export function run(): void {}\n',
};

const never = new AbortController().signal;

interface Worker {
  server: EmbeddingServer;
  source: TestRepository;
  metrics: Metrics;
  index: () => Promise<void>;
  embed: (provider?: Encoder, signal?: AbortSignal) => Promise<void>;
  now: () => Promise<Repository>;
  /** The provider that embedded the shard that is served. */
  revision: () => Promise<string | undefined>;
}

async function worker(): Promise<Worker> {
  const bench = await repositoryBench(() => new Date());
  const { account, context } = bench;
  const source = sourceRepository([{ files: FILES }]);
  const server = await embeddingServer();
  const work = await indexParts(context);
  const { blobs, metrics } = work;
  const readers = new ShardReaders({ blobs, threads: 1, cacheBytes: 1e8 });
  onTestFinished(() => readers.close());
  const { id } = await addRepository(context, account, { source: source.path, actor: 'system' });
  const now = (): Promise<Repository> => getRepository(context, account, id);
  await indexRepository(work, { tenant: account, id, attempt: 3, signal: never });
  return {
    server,
    source,
    metrics,
    now,
    index: () => indexRepository(work, { tenant: account, id, attempt: 3, signal: never }),
    embed: (embeddings = server.provider(), signal = never) =>
      embedRepository({ ...work, readers, embeddings }, { tenant: account, id, signal }),
    revision: async () => embeddedRevision(await blobs.path((await now()).shardHash ?? '')),
  };
}

const sent = ({ server }: Worker): string[] => server.requests.splice(0).flatMap(({ input }) => input);

test('the code that is served is embedded once, and a commit costs what it changed', async () => {
  const bench = await worker();
  const before = await bench.now();

  await bench.embed();

  const { shardHash, shardBytes, generation, ...after } = await bench.now();
  expect(before).toMatchObject(after);
  expect(generation).toBe(before.generation + 1);
  expect([shardHash === before.shardHash, (shardBytes ?? 0) > 0]).toEqual([false, true]);
  expect(await bench.revision()).toBe(bench.server.provider().model);
  expect(sent(bench)).toHaveLength(4);
  expect((await bench.metrics.render()).body).toContain('embedded_texts_total 4');

  await bench.embed();
  expect(sent(bench)).toEqual([]);
  expect((await bench.now()).generation).toBe(generation);

  bench.source.commit({ files: { 'app.ts': 'export function walk(): void {}\n' } });
  await bench.index();
  expect(await bench.revision()).toBeUndefined();
  await bench.embed();
  expect(sent(bench)).toEqual([
    'function walk\nexport function walk(): void {}',
    'app.ts\nexport function walk(): void {}',
  ]);
  expect(await bench.revision()).toBe(bench.server.provider().model);
});

test('another model embeds all of it anew', async () => {
  const bench = await worker();
  const large = bench.server.provider({ model: 'large' });
  await bench.embed();
  sent(bench);

  await bench.embed(large);

  expect(sent(bench)).toHaveLength(4);
  expect(await bench.revision()).toBe(large.model);
});

test('a provider that fails leaves what is served as it is, and the job is tried again', async () => {
  const bench = await worker();
  const before = await bench.now();
  bench.server.odd.push((response) => answerJson(response, 401, {}));

  await expect(bench.embed()).rejects.toThrow('answered with status 401');

  expect(await bench.now()).toEqual(before);
  await bench.embed();
  expect(await bench.revision()).toBeDefined();
});

test('a snapshot that is published meanwhile ends it, and what was sent is kept', async () => {
  const bench = await worker();
  const provider = bench.server.provider();
  const slow: Encoder = {
    ...provider,
    encode: async (...call) => {
      bench.source.commit({ files: { 'more.ts': 'export function more(): void {}\n' } });
      await bench.index();
      return provider.encode(...call);
    },
  };

  await bench.embed(slow);

  expect(await bench.revision()).toBeUndefined();
  sent(bench);
  await bench.embed();
  expect(sent(bench)).toHaveLength(2);
});

test('a run that is stopped can run again', async () => {
  const bench = await worker();

  await expect(bench.embed(undefined, AbortSignal.abort(new Error('the worker stops')))).rejects.toThrow('stops');

  await bench.embed();
  expect(await bench.revision()).toBeDefined();
});
