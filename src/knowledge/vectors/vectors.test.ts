import { expect, test } from 'vitest';
import { embeddingServer } from '../../testing/embedding-server.ts';
import { testEncoder, type TestEncoder } from '../../testing/encoder.ts';
import { type TestAccount, testAccount } from '../../testing/account.ts';
import { knowledgeEntry, openIndex } from '../../testing/knowledge.ts';
import { type KnowledgeIndex, putThings, removeEntries } from '../knowledge.ts';
import type { Encoder } from '../../text/encoder/encoder.ts';
import { encodedText } from '../encoded-text.ts';
import { encodeNow, encodeTexts, encodingProgress, unencodedProducts, vectorsOf } from './vectors.ts';

const never = new AbortController().signal;
const MEANINGS = { akku: 'battery', leer: 'drains', morgens: 'overnight' };

interface Bench<Given extends Encoder = TestEncoder> extends TestAccount {
  encoder: Given;
  counted: () => number;
  parts: Parameters<typeof encodeTexts>[0] & object;
  index: KnowledgeIndex;
  put: (...texts: string[]) => Promise<void>;
  encode: (signal?: AbortSignal) => Promise<void>;
  /** Ids of the hits of a question by its meaning, best first. */
  find: (query: string) => Promise<string[]>;
}

async function bench<Given extends Encoder = TestEncoder>(
  // Only a test that names another type gives an encoder of it.
  encoder: Given = testEncoder(MEANINGS) as Encoder as Given,
): Promise<Bench<Given>> {
  const account = await testAccount();
  let count = 0;
  const log = { info: () => undefined } as unknown as Bench['parts']['log'];
  const parts = { db: account.db, encoder, log, countEncoded: (texts: number) => void (count += texts) };
  const index = openIndex(account, { encoder });
  let last = 0;
  return {
    ...account,
    encoder,
    counted: () => count,
    parts,
    index,
    put: (...texts) =>
      account.db.transaction().execute((tx) => {
        const things = texts.map((text) => ({
          corpus: 'signals' as const,
          id: `sig:${(last += 1)}`,
          entries: [knowledgeEntry(text)],
        }));
        return putThings(tx, account, things);
      }),
    encode: (signal = never) => encodeTexts(parts, account, signal),
    find: async (query) => (await index.rank(account, { query, limit: 10, byMeaning: true })).hits.map(({ id }) => id),
  };
}

test('what means the same is found in other words once its vector is there, and answers say how many are not', async () => {
  const { index, put, encode, find, ...account } = await bench();
  await put('Battery drains overnight', 'The refund is late', 'Dark mode is nice');
  const pendingOf = async () => (await index.rank(account, { query: 'refund', limit: 1, byMeaning: true })).vectors;

  expect(await find('Akku morgens leer')).toEqual([]);
  expect(await pendingOf()).toEqual({ pending: 3, total: 3 });
  await encode();

  expect(await find('Akku morgens leer')).toEqual(['sig:1']);
  expect(await pendingOf()).toEqual({ pending: 0, total: 3 });
  expect((await index.rank(account, { query: 'Akku morgens leer', limit: 5 })).hits).toEqual([]);
});

test('a text is encoded once, whatever has it, and the newest first', async () => {
  const { encoder, counted, put, encode } = await bench();
  await put('Old message', 'Said twice');
  await put('New message', 'Said  twice ');
  await encode();

  expect(encoder.calls.flatMap(({ texts }) => texts)).toEqual(['New message', 'Said twice', 'Old message']);
  expect(new Set(encoder.calls.map(({ kind }) => kind))).toEqual(new Set(['query']));
  await put('Said twice');
  await encode();
  expect(counted()).toBe(3);
});

test('a run that ends early leaves what it stored, and the next one goes on from there', async () => {
  const { encoder, parts, put, encode, db, ...account } = await bench();
  await put(...Array.from({ length: 250 }, (_, at) => `Message ${at}`));
  const over = new AbortController();
  const original = testEncoder(MEANINGS);
  original.calls = encoder.calls;
  encoder.encode = (...call) => {
    if (encoder.calls.length === 110) over.abort(new Error('The service stops.'));
    return original.encode(...call);
  };

  await expect(encode(over.signal)).rejects.toThrow('The service stops.');
  expect(await encodingProgress(parts, account)).toEqual({ pending: 50, total: 250 });
  expect(await unencodedProducts(parts)).toContainEqual({ accountId: account.accountId, productId: account.productId });
  encoder.calls.length = 0;
  await encode();

  expect(encoder.calls.flatMap(({ texts }) => texts)).toHaveLength(50);
  expect(await encodingProgress(parts, account)).toEqual({ pending: 0, total: 250 });
  expect((await unencodedProducts(parts)).map(({ productId }) => productId)).not.toContain(account.productId);
});

test('another model encodes everything again, and its vectors never meet those of the one before', async () => {
  const { index, parts, put, encode, find, db, ...account } = await bench();
  await put('Battery drains overnight', 'The refund is late');
  await encode();
  expect(await find('Akku morgens leer')).toEqual(['sig:1']);

  const other = testEncoder({ akku: 'refund', leer: 'late', morgens: 'is' }, 'others');
  const replaced = openIndex({ db }, { encoder: other, folder: (index as ReturnType<typeof openIndex>).folder });
  const ask = async () => await replaced.rank(account, { query: 'Akku morgens leer', limit: 5, byMeaning: true });
  expect(await ask()).toMatchObject({ hits: [], vectors: { pending: 2, total: 2 } });
  await encodeTexts({ ...parts, encoder: other }, account, never);

  expect((await ask()).hits.map(({ id }) => id)).toEqual(['sig:2']);
  expect(await vectorsOf(parts, account, ['The refund is late'], 'signals')).toEqual([undefined]);
});

test('the vectors of texts come in their order, and go with the texts', async () => {
  const { encoder, parts, put, encode, db, ...account } = await bench();
  await put('The refund is late');
  await encode();
  const [expected] = (await encodeNow(parts, ['The refund is late'], 'query')) ?? [];

  expect(await vectorsOf(parts, account, ['unknown', ' The refund  is late'], 'signals')).toEqual([
    undefined,
    expected,
  ]);
  expect(await vectorsOf(parts, account, ['The refund is late'], 'documents')).toEqual([undefined]);
  expect(await vectorsOf({ db, encoder: undefined }, account, ['The refund is late'], 'signals')).toEqual([undefined]);

  // Whom a message addresses is not what it says; a question may begin with a name of code.
  expect(await vectorsOf(parts, account, ['@acme The refund is late'], 'signals')).toEqual([expected]);
  expect(encodedText('@Inject token', 'query')).toBe('@Inject token');

  await db.transaction().execute((tx) => removeEntries(tx, account, { corpus: 'signals', id: 'sig:1' }));
  await encode();
  expect(await vectorsOf(parts, account, ['The refund is late'], 'signals')).toEqual([undefined]);
  expect(encoder.calls).toHaveLength(2);
});

test('things that say the same are found by stored vectors, and by words alone before there are any', async () => {
  const { encoder, index, put, encode, ...account } = await bench();
  await put(
    'Battery drains overnight',
    'Akku morgens leer',
    'The battery drains overnight',
    'A battery that often drains',
    'The battery of my old phone drains',
  );
  await put('The refund is late', 'Dark mode is nice', 'Invoices have no date', 'Where is the parcel');
  const similar = async (id: string, limit = 5) => {
    const hits = await index.similar(account, { corpus: 'signals', id, part: '' }, { limit });
    return hits.map((hit) => hit.id);
  };

  expect(await similar('sig:1')).toEqual(['sig:3']);
  expect(await similar('sig:2')).toEqual([]);
  await encode();
  encoder.isBroken = true;

  // With this encoder .4 is the least: sig:4 is at .43 and sig:5 at .37.
  expect(await similar('sig:1')).toEqual(['sig:2', 'sig:3', 'sig:4']);
  expect(await similar('sig:2')).toEqual(['sig:1', 'sig:3']);
  expect(await similar('sig:2', 1)).toEqual(['sig:1']);
  expect(await similar('sig:6')).toEqual([]);
  expect(await similar('sig:unknown')).toEqual([]);
});

test('sections say the same from a higher similarity on, as they are nearer to each other than to questions', async () => {
  const { index, encode, db, ...account } = await bench();
  const texts = ['Battery drains overnight', 'The screen drains overnight', 'A battery that often drains'];
  await db.transaction().execute((tx) =>
    putThings(
      tx,
      account,
      texts.map((text, at) => ({ corpus: 'documents', id: `doc:${at}`, entries: [knowledgeEntry(text)] })),
    ),
  );
  await encode();

  const hits = await index.similar(account, { corpus: 'documents', id: 'doc:0', part: '' }, { limit: 5 });

  expect(hits.map(({ id }) => id)).toEqual(['doc:1']);
});

test('a search goes on by words when the encoder does not work, and says so', async () => {
  const { encoder, index, put, ...account } = await bench();
  await put('The refund is late');
  encoder.isBroken = true;

  const result = await index.rank(account, { query: 'refund', limit: 5, byMeaning: true });

  expect(result.hits.map(({ id }) => id)).toEqual(['sig:1']);
  expect(result.failure).toBe('The encoder does not work.');
});

test('an embedding service that is configured encodes texts and questions in place of the built-in encoder', async () => {
  const server = await embeddingServer();
  server.meanings = MEANINGS;
  const { put, encode, find } = await bench(server.provider());
  const others = 'invoice printer calendar parcel password camera keyboard window mouse contract'.split(' ');
  await put('Battery drains overnight', ...others.map((other) => `Where has my ${other} gone`));

  expect(await find('Akku morgens leer')).toEqual([]);
  await encode();

  expect(await find('Akku morgens leer')).toEqual(['sig:1']);
  expect(server.requests.flatMap(({ input }) => input)).toEqual(
    expect.arrayContaining(['Battery drains overnight', 'Where has my invoice gone', 'Akku morgens leer']),
  );
});
