import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Encoder } from '../../text/encoder/encoder.ts';
import type { QuestionVector } from '../../text/encoder/question-vectors.ts';
import { openShard, type ShardDatabase } from '../../indexes/shards/shards.ts';
import { type FileSketch, shop, shardInput } from '../../testing/code-shard.ts';
import { embeddingServer, type EmbeddingServer } from '../../testing/embedding-server.ts';
import { testFolder } from '../../testing/git.ts';
import { testShards } from '../../testing/shard-store.ts';
import { type EmbedProgress, embedShard } from './embed-shard.ts';
import type { ShardInput } from '../../code-index/format/shard-input.ts';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { writeCodeShard } from '../../code-index/shard/shard-writer.ts';
import { semanticSearch } from '../queries/store.ts';

const never = new AbortController().signal;
const PAGE = { limit: 20, offset: 0 };

interface Bench {
  server: EmbeddingServer;
  /** Embeds a shard of this input; the cache is kept from one to the next. */
  embed: (
    input: ShardInput,
    more?: { encoder?: Encoder; onProgress?: () => Promise<void> },
  ) => Promise<EmbedProgress & { db: ShardDatabase }>;
}

async function openBench(): Promise<Bench> {
  const server = await embeddingServer();
  const folder = testFolder();
  const { blobs, readers } = await testShards();
  const open: ShardDatabase[] = [];
  onTestFinished(() => {
    for (const db of open) db.close();
    rmSync(folder, { recursive: true });
  });
  return {
    server,
    embed: async (input, { encoder = server.provider(), onProgress = async () => undefined } = {}) => {
      const [plain, target] = [join(folder, 'plain'), join(folder, `embedded-${open.length}`)];
      await writeCodeShard(plain, { repository: 'shop', commit: 'abc' }, input);
      const shard = await blobs.put(plain);
      const cacheFile = join(folder, 'embeddings.db');
      const task = { readers, encoder, shard, file: await blobs.path(shard.hash), cacheFile, target };
      const done = await embedShard({ ...task, signal: never, onProgress });
      const db = openShard(target, CODE_FORMAT);
      open.push(db);
      return { ...done, db };
    },
  };
}

async function questionOf(encoder: Encoder, text: string): Promise<QuestionVector> {
  const [vector = new Int8Array()] = await encoder.encode([text], 'query', never);
  return { model: encoder.model, vector };
}

const file = (path: string, name: string): FileSketch => ({
  path,
  text: `function ${name}() {}\n`,
  symbols: [{ qualified: name, kind: 'function', line: 1 }],
});

test('a sentence without a word of the code finds what the provider finds near, and says so', async () => {
  const { server, embed } = await openBench();
  const query = 'xylo quartz plinth zephyr';
  server.meanings = { xylo: 'send', quartz: 'mail', plinth: 'smtp', zephyr: 'server' };
  // Enough that one of them stands out.
  const others = Array.from({ length: 40 }, (_, at) => `other${String.fromCharCode(97 + (at % 26), 97 + at)}`);
  const names = ['sendMail', ...others];
  const text = names.map((name) => `function ${name}() {}${name === 'sendMail' ? ' // send mail smtp server' : ''}\n`);
  const symbols = names.map((qualified, at) => ({ qualified, kind: 'function' as const, line: at + 1 }));
  const { db } = await embed(shardInput([{ path: 'all.ts', text: text.join(''), symbols }]));
  const embedding = await questionOf(server.provider(), query);

  const page = semanticSearch(db, { query, embedding, ...PAGE });

  expect(semanticSearch(db, { query, ...PAGE })).toEqual({
    total: 0,
    isCut: false,
    rows: [],
    best: 0,
    isEmbedded: false,
  });
  expect(page.isEmbedded).toBe(true);
  expect(page.rows[0]).toMatchObject({ symbol: 'sendMail', why: expect.stringContaining('vector') });
});

test('names are never compared by vectors', async () => {
  const { server, embed } = await openBench();
  const { db } = await embed(shop());
  const embedding = await questionOf(server.provider(), 'anything');

  for (const query of ['sendMail', 'send mail', 'where is sendMail called'])
    expect(semanticSearch(db, { query, embedding, ...PAGE })).toEqual(semanticSearch(db, { query, ...PAGE }));
});

test('vectors of another model or length are not compared: the encoder that is built in ranks', async () => {
  const { server, embed } = await openBench();
  const { db } = await embed(shop());
  const query = 'where is a message delivered to the customer';
  const embedding = await questionOf(server.provider(), query);

  const other = { ...embedding, model: server.provider({ model: 'large' }).model };
  const short = { ...embedding, vector: embedding.vector.slice(1) };

  const plain = semanticSearch(db, { query, ...PAGE });
  expect(semanticSearch(db, { query, embedding, ...PAGE })).not.toEqual(plain);
  expect(semanticSearch(db, { query, embedding: other, ...PAGE })).toEqual(plain);
  expect(semanticSearch(db, { query, embedding: short, ...PAGE })).toEqual(plain);
});

test('a text is sent once, whatever shards it is in, and anew for another model', async () => {
  const { server, embed } = await openBench();
  const two = shardInput([file('a.ts', 'first'), file('b.ts', 'second')]);

  expect(await embed(two)).toMatchObject({ documents: 4, embedded: 4, sent: 4 });
  expect(await embed(two)).toMatchObject({ documents: 4, sent: 0 });
  const moved = await embed(shardInput([file('a.ts', 'first'), file('c.ts', 'second'), file('d.ts', 'second')]));
  expect(moved).toMatchObject({ documents: 6, sent: 2 });
  expect(await embed(two, { encoder: server.provider({ model: 'large' }) })).toMatchObject({ sent: 4 });
  expect(server.requests.flatMap(({ input }) => input).slice(0, 4)).toEqual([
    'function first\nfunction first() {}',
    'function second\nfunction second() {}',
    'a.ts\nfunction first() {}',
    'b.ts\nfunction second() {}',
  ]);
});

test('what was embedded before a run was stopped is not sent again', async () => {
  const { embed } = await openBench();
  await expect(embed(shop(), { onProgress: () => Promise.reject(new Error('stop')) })).rejects.toThrow('stop');
  expect((await embed(shop())).sent).toBe(0);
});

test('a model that was replaced under its name is noticed, and all is embedded anew', async () => {
  const { server, embed } = await openBench();
  const [first, second] = [
    { path: 'a.ts', text: 'first();\n' },
    { path: 'b.ts', text: 'second();\n' },
  ];
  await embed(shardInput([first]));
  server.dimensions = 32;

  await expect(embed(shardInput([first, second]))).rejects.toThrow('vectors of a different length');
  const { documents, sent } = await embed(shardInput([first, second]));
  expect(sent).toBe(documents);
});
