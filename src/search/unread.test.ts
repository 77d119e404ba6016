import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWaiting, saveUploads } from '../documents/documents.ts';
import { openSearchBench, type SearchBench } from '../testing/search.ts';
import { documentSearchTool } from './document-search-tool.ts';
import { searchTool } from './search-tool.ts';

const UNREAD = '1 document not read yet: ask again in a moment';

let bench: SearchBench;
beforeAll(async () => (bench = await openSearchBench()));
afterAll(() => bench.close());

test('a search says which documents it does not find yet, until they are read', async () => {
  const { parts, account, call } = bench;
  const refunds = {
    name: 'refunds.md',
    content: [new TextEncoder().encode('# Refunds\n\nA refund takes five days.\n')],
  };
  await saveUploads(parts.documents, { ...account, tags: [] }, [refunds]);
  const search = async (corpora: string[]) =>
    (await call(searchTool(parts), { query: 'refund', corpora, format: 'json' })).json;
  const searchDocuments = async (types?: string[]) =>
    (await call(documentSearchTool(parts), { action: 'search', query: 'refund', types, format: 'json' })).json;

  expect(await search(['documents'])).toMatchObject({
    notes: expect.arrayContaining([UNREAD]),
    coverage: { documents: { unread: 1 } },
  });
  expect(await searchDocuments()).toMatchObject({ notes: expect.arrayContaining([UNREAD]) });
  expect(await searchDocuments(['product_doc'])).toMatchObject({ notes: expect.arrayContaining([UNREAD]) });
  expect((await searchDocuments(['signal', 'plan']))['notes']).not.toContain(UNREAD);
  expect((await search(['signals']))['notes']).not.toContain(UNREAD);

  await readWaiting(parts.documents, account, new AbortController().signal);

  const { rows, notes = [], coverage } = await search(['documents']);
  expect(rows).toHaveLength(1);
  expect(notes).not.toContain(UNREAD);
  expect(coverage).toEqual({ documents: { hits: 1, searched: expect.stringMatching(/^1, newest /) } });
});

test('an answer without documents names those that could not be read', async () => {
  const { parts, account, call } = bench;
  const locked = { name: 'locked.bin', content: [Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2])] };
  await saveUploads(parts.documents, { ...account, tags: [] }, [locked]);
  await readWaiting(parts.documents, account, new AbortController().signal);
  const note = 'not read: locked.bin (It is an old Office document, which is not read)';
  const notesOf = async (tool: ReturnType<typeof searchTool>, args: object) =>
    (await call(tool, { query: 'warranty', format: 'json', ...args })).json['notes'] ?? [];

  expect(await notesOf(searchTool(parts), { corpora: ['documents'] })).toContain(note);
  expect(await notesOf(documentSearchTool(parts), { action: 'search' })).toContain(note);
  expect(await notesOf(documentSearchTool(parts), { action: 'search', types: ['signal'] })).not.toContain(note);
  expect(await notesOf(documentSearchTool(parts), { action: 'search', query: 'refund' })).not.toContain(note);
});
