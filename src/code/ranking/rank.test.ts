import { expect, test } from 'vitest';
import { type FileSketch, shardInput, shop, withShard } from '../../testing/code-shard.ts';
import { semanticSearch } from '../queries/store.ts';

const PAGE = { limit: 20, offset: 0 };

test('a question in words finds the symbol whose name, comment or documentation answers it', () =>
  withShard(shop(), (db) => {
    const best = (query: string): string | undefined => semanticSearch(db, { query, ...PAGE }).rows[0]?.symbol;

    expect(best('where is a message delivered to the customer?')).toBe('sendMail');
    expect(best('retry when busy')).toBe('SmtpMailer/send');
    expect(best('notify about an order')).toBe('notifyOrder');
  }));

test('rows say where and why, and files without symbols are found too', () =>
  withShard(shop(), (db) => {
    const { rows } = semanticSearch(db, { query: 'orders shipped weekly', ...PAGE });

    expect(rows[0]).toEqual({
      path: 'README.md',
      start: 1,
      end: 2,
      symbol: '',
      kind: 'file',
      signature: '',
      doc: '',
      score: expect.any(Number),
      why: expect.stringMatching(/^terms/),
    });
    expect(rows.map(({ score }) => score)).toEqual(rows.map(({ score }) => score).toSorted((a, b) => b - a));
  }));

const page = (path: string): FileSketch => ({ path, text: 'Pelicans deliver parcels.\n', language: 'Markdown' });

test('of a document in several versions the newest one that is searched counts', () =>
  withShard(shardInput([page('docs/v1/birds.md'), page('docs/v2/birds.md'), page('notes.md')]), (db) => {
    const paths = (path?: string): string[] =>
      semanticSearch(db, { query: 'pelicans', path, ...PAGE }).rows.map((row) => row.path);

    expect(paths().toSorted()).toEqual(['docs/v2/birds.md', 'notes.md']);
    expect(paths('docs/v1')).toEqual(['docs/v1/birds.md']);
  }));

test('of documentation the first sentence is told, which no abbreviation ends', () =>
  withShard(
    shardInput([
      {
        path: 'a.ts',
        text: 'export function gain(): void {}\n',
        symbols: [
          { qualified: 'gain', kind: 'function', line: 1, doc: 'Gets a credential (e.g. a name) at once. Asks.' },
        ],
      },
    ]),
    (db) => {
      expect(semanticSearch(db, { query: 'gain', ...PAGE }).rows[0]?.doc).toBe(
        'Gets a credential (e.g. a name) at once.',
      );
    },
  ));

/**
 * True if a question counts a word that code has for one of its own, where so many of 300 files, or of as many as that, have
 * it.
 */
function countsCodeTerm(having: number, files = having): Promise<boolean> {
  const input = shardInput(
    Array.from({ length: files }, (_, at) => ({
      path: `notes/${at}.txt`,
      text: at < having ? 'heartbeat\n' : 'parcel\n',
    })),
  );
  return withShard(input, (db) =>
    semanticSearch(db, { query: 'what if the courier is stuck?', ...PAGE }).rows.some(
      ({ why }) => why === 'other words',
    ),
  );
}

test('a question finds what code calls its plain words, unless much of the code has that word', async () => {
  expect(await Promise.all([5, 6].map((having) => countsCodeTerm(having)))).toEqual([true, false]);
  expect(await Promise.all([9, 10].map((having) => countsCodeTerm(having, 300)))).toEqual([true, false]);
});

/** True if a search ends at its limit where so many files have the word. */
function isCut(count: number): Promise<boolean> {
  const notes = shardInput(
    Array.from({ length: count }, (_, at) => ({ path: `notes/${at}.txt`, text: 'send a postcard\n' })),
  );
  return withShard(notes, (db) => semanticSearch(db, { query: 'postcard', ...PAGE }).isCut);
}

test('what is beyond the best that are ranked is told', async () => {
  expect(await isCut(170)).toBe(false);
  expect(await isCut(171)).toBe(true);
});

test('code of tests counts less, unless the question or the filter is about tests', () =>
  withShard(
    shardInput([
      {
        path: 'a/upload.test.ts',
        test: true,
        text: 'function uploadFile() {}\n',
        symbols: [{ qualified: 'uploadFile', kind: 'function', line: 1 }],
      },
      {
        path: 'b/upload.ts',
        text: 'function uploadFile() {}\n',
        symbols: [{ qualified: 'uploadFile', kind: 'function', line: 1 }],
      },
    ]),
    (db) => {
      const paths = (query: string, more = {}): string[] =>
        semanticSearch(db, { query, kinds: ['function'], ...PAGE, ...more }).rows.map(({ path }) => path);

      expect(paths('upload a file')).toEqual(['b/upload.ts', 'a/upload.test.ts']);
      expect(paths('upload file test')[0]).toBe('a/upload.test.ts');
      expect(paths('upload a file', { tests: 'only' })).toEqual(['a/upload.test.ts']);
      expect(paths('upload a file', { tests: 'exclude' })).toEqual(['b/upload.ts']);
      expect(paths('upload a file', { path: 'b' })).toEqual(['b/upload.ts']);
    },
  ));

test('pages follow each other, and words that are nowhere find nothing', () =>
  withShard(shop(), (db) => {
    const all = semanticSearch(db, { query: 'send mail', ...PAGE });
    const second = semanticSearch(db, { query: 'send mail', limit: 1, offset: 1 });

    expect(second).toEqual({ ...all, rows: all.rows.slice(1, 2) });
    expect(semanticSearch(db, { query: 'quantum chromodynamics', ...PAGE })).toMatchObject({ total: 0, rows: [] });
    expect(semanticSearch(db, { query: '', ...PAGE }).total).toBe(0);
  }));
