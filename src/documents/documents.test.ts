import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { listAudit } from '../accounts/accounts.ts';
import { uuidv7 } from '../kernel/ids.ts';
import { openBlobStore } from '../platform/blobs.ts';
import { type TestAccount, testAccount } from '../testing/account.ts';
import { testDocuments } from '../testing/documents.ts';
import { testKnowledge } from '../testing/knowledge.ts';
import { sourceRepository } from '../testing/repositories.ts';
import { zipOf } from '../testing/zip.ts';
import { watchTurns } from '../testing/turns.ts';
import {
  type Documents,
  findDocument,
  openDocuments,
  originalOf,
  readDocument,
  readWaiting,
  removeDocument,
  removeRepositoryDocs,
  saveUploads,
  selectDocuments,
  sweepDocuments,
  takeProductDocs,
} from './documents.ts';
import { isBatch, isDocumentation } from './product-docs.ts';
import { versionText } from './version-text.ts';

const NOW = new Date('2026-03-01T00:00:00Z');
const running = new AbortController().signal;

interface Bench extends TestAccount {
  documents: Documents;
  clock: { now: Date };
  /** Keeps and reads files; tells what became of them. */
  upload: (files: Record<string, string | Buffer>) => Promise<string[]>;
  /** Titles and sections that a search finds. */
  search: (query: string) => Promise<string[]>;
}

async function bench(open: typeof testDocuments = testDocuments): Promise<Bench> {
  const account = await testAccount();
  const folder = mkdtempSync(join(tmpdir(), 'svc-documents-'));
  const clock = { now: NOW };
  const blobs = await openBlobStore(join(folder, 'blobs'));
  const documents = open({ db: account.db, blobs, workDir: join(folder, 'work'), now: () => clock.now });
  const index = testKnowledge(account.db);
  onTestFinished(async () => {
    await Promise.all([documents.close(), index.close()]);
    rmSync(folder, { recursive: true });
  });
  return {
    ...account,
    documents,
    clock,
    upload: async (files) => {
      const list = Object.entries(files).map(([name, content]) => ({ name, content: [Buffer.from(content)] }));
      const outcomes = await saveUploads(documents, { ...account, actor: account.actor, tags: ['given'] }, list);
      await readWaiting(documents, account, running);
      return outcomes.map((outcome) => outcome.outcome);
    },
    search: async (query) =>
      (await index.search(account, { query, limit: 20 })).hits.map((hit) => `${hit.title}#${hit.part}`).toSorted(),
  };
}

async function rows({ documents, ...account }: Bench) {
  return (await selectDocuments(documents.db, account, { limit: 100, offset: 0 })).rows;
}

test('an upload is read, found by section, and gives its bytes back', async () => {
  const library = await bench();

  expect(await library.upload({ 'guide.md': '# Guide\n\n## Refunds\n\nPaid soon.\n' })).toEqual(['added']);

  expect(await library.search('refund')).toEqual(['Guide#guide-refunds']);
  const [row] = await rows(library);
  expect(row).toMatchObject({
    name: 'guide.md',
    title: 'Guide',
    type: 'markdown',
    status: 'ready',
    sections: 1,
    tags: ['given'],
  });
  const document = await findDocument(library.documents, library, `doc:${row?.id ?? ''}`);
  expect(Buffer.from((await originalOf(library.documents, document)) ?? '').toString()).toContain('Paid soon.');
});

test('a file that waits when the service stops goes on waiting, and has not failed', async () => {
  const library = await bench((parts) => openDocuments({ ...parts, readers: 1 }));
  await library.documents.close();

  await expect(library.upload({ 'guide.md': '# Guide\n' })).rejects.toMatchObject({ name: 'PoolClosed' });
  expect(await rows(library)).toMatchObject([{ name: 'guide.md', status: 'waiting', error: null }]);
});

test('a name again is a new version, the same content again is nothing', async () => {
  const library = await bench();
  await library.upload({ 'guide.md': '# Guide\n\nzebra' });

  expect(await library.upload({ 'guide.md': '# Guide\n\nzebra' })).toEqual(['unchanged']);
  expect(await library.upload({ 'guide.md': '# Guide\n\nwalrus' })).toEqual(['new_version']);

  expect([await library.search('zebra'), await library.search('walrus')]).toEqual([[], ['Guide#guide']]);
  expect((await rows(library)).map((row) => row.version)).toEqual([2]);
});

test('the text of every version of an upload can be read, also after a newer one failed', async () => {
  const library = await bench();
  await library.upload({ 'guide.md': '# Guide\n\nzebra\n\n## More\n\nlynx' });
  await library.upload({ 'guide.md': '# Guide\n\nwalrus' });
  await library.upload({ 'guide.md': '%PDF-1.4\nnothing' });
  const [row] = await rows(library);
  if (row === undefined) throw new Error('It was not kept.');
  const request = { tenant: library, row, signal: running };

  const texts = [1, 2].map((version) => versionText(library.documents, request, version));

  expect(await Promise.all(texts)).toEqual([
    { version: 1, text: 'Guide\n\nzebra\n\nGuide › More\n\nlynx', isCut: false },
    { version: 2, text: 'Guide\n\nwalrus', isCut: false },
  ]);
  await expect(versionText(library.documents, request, 3)).rejects.toMatchObject({ code: 'conflict' });
  await expect(versionText(library.documents, request, 4)).rejects.toMatchObject({
    code: 'not_found',
    fix: 'Use one of: 3, 2, 1.',
  });
});

test('what cannot be read says why, and the rest of the batch goes in', async () => {
  const library = await bench();

  const outcomes = await library.upload({
    'bad.pdf': '%PDF-1.4\nnothing',
    'good.md': 'walrus',
    'large.txt': Buffer.alloc(51 * 1024 * 1024, 'a'),
    '\u0007': 'odd name',
  });

  expect(outcomes).toEqual(['added', 'added', 'refused', 'refused']);
  expect(await library.search('walrus')).toEqual(['good.md#start']);
  const states = (await rows(library)).map((row) => [row.name, row.status, row.error?.message]);
  expect(states).toEqual([
    ['bad.pdf', 'failed', expect.stringContaining('The PDF is broken')],
    ['good.md', 'ready', undefined],
  ]);
});

test('a small file that takes gigabytes is refused with the reason, and the next one is read', async () => {
  const library = await bench();
  const bomb = readFileSync(join(import.meta.dirname, '../../fixtures/documents/two-layers.pdf'));
  expect(bomb.length).toBeLessThan(4_000);

  await library.upload({ 'bomb.pdf': bomb, 'good.md': 'walrus' });

  expect((await rows(library)).map((row) => [row.name, row.status, row.error?.message])).toEqual([
    ['bomb.pdf', 'failed', 'Reading it took more than the allowed 512 MB of memory.'],
    ['good.md', 'ready', undefined],
  ]);
  expect(await library.search('walrus')).toEqual(['good.md#start']);
});

test('a text of 12 MB is read, kept and searched without holding the service up', async () => {
  const library = await bench();
  const text = `${'the quick brown fox jumps over the lazy dog again and again\n'.repeat(200_000)}\n\nwalrus`;
  const turns = watchTurns();

  await library.upload({ 'large.txt': text });

  expect(await library.search('walrus')).toHaveLength(1);
  const [row] = await rows(library);
  const all = await readDocument(library.documents, library, { id: row?.id ?? '' });
  expect([row?.status, all.sections.length === row?.sections]).toEqual(['ready', true]);
  // Nothing is decided by how busy the machine is: parsing and writing all of it at once took seconds.
  expect(turns.longestMs()).toBeLessThan(200);
});

test('an archive becomes documents of their own, and taking it twice changes nothing', async () => {
  const library = await bench();
  const archive = zipOf({
    'docs/a.md': '# A\n\nwalrus',
    'b.xyz': Buffer.from([0xff, 0]),
    'c.zip': zipOf({ 'x.md': 'x' }),
  });
  await library.upload({ 'all.zip': archive });
  const before = await rows(library);

  await library.upload({ 'all.zip': archive });

  expect(await rows(library)).toEqual(before);
  expect(before.map((row) => [row.name, row.type, row.status])).toEqual([
    ['all.zip', 'zip', 'ready'],
    ['all.zip/b.xyz', null, 'failed'],
    ['all.zip/docs/a.md', 'markdown', 'ready'],
  ]);
  expect(before[0]?.problems).toEqual([{ name: 'c.zip', reason: expect.stringContaining('archive in an archive') }]);
  expect(await library.search('walrus')).toEqual(['A#a']);
});

function partOf(name: string): string {
  return `# ${name}\n\n${`${name} `.repeat(700)}\n\n`;
}

test('a document is read in stretches, from a section on', async () => {
  const library = await bench();
  await library.upload({ 'long.md': ['alpha', 'bravo', 'charlie', 'delta'].map(partOf).join('') });
  const [row] = await rows(library);
  const id = `doc:${row?.id ?? ''}`;

  const first = await readDocument(library.documents, library, { id });
  const last = await readDocument(library.documents, library, { id, section: first.next ?? '' });

  expect(first.sections.map((section) => section.id)).toEqual(['alpha', 'bravo', 'charlie', 'delta']);
  expect([first.text.map((section) => section.id), first.next]).toEqual([['alpha', 'bravo', 'charlie'], 'delta']);
  expect([last.text.map((section) => section.id), last.next]).toEqual([['delta'], undefined]);
  expect((await readDocument(library.documents, library, { id, section: 'Charl' })).text[0]?.id).toBe('charlie');
  await expect(readDocument(library.documents, library, { id, section: 'zulu' })).rejects.toMatchObject({
    code: 'unknown_id',
    fix: expect.stringContaining('"alpha"'),
  });
});

test('a deleted document is not found any more, and its bytes go after a time of grace', async () => {
  const library = await bench();
  const text = `walrus ${library.accountId}`;
  await library.upload({ 'a.md': text, 'b.md': text });
  const [first, second] = await rows(library);

  await removeDocument(library.documents, library, first?.id ?? '');
  library.clock.now = new Date(NOW.getTime() + 2 * 60 * 60_000);
  await sweepDocuments(library.documents);

  expect(await library.search('walrus')).toEqual(['b.md#start']);
  expect(await library.documents.blobs.get(second?.hash ?? '')).toBeDefined();
  await removeDocument(library.documents, library, second?.id ?? '');
  const audit = await listAudit(library.db, library.accountId, { limit: 9 });
  expect(audit.map(({ action, detail }) => `${action} ${String(detail['name'])}`)).toEqual(
    expect.arrayContaining([
      'document.save a.md',
      'document.save b.md',
      'document.delete a.md',
      'document.delete b.md',
    ]),
  );
  library.clock.now = new Date(library.clock.now.getTime() + 2 * 60 * 60_000);
  expect(await sweepDocuments(library.documents)).toBe(1);
  expect(await library.documents.blobs.get(second?.hash ?? '')).toBeUndefined();
});

test('a document of another account is unknown', async () => {
  const library = await bench();
  const stranger = await testAccount();
  await library.upload({ 'a.md': 'walrus' });
  const [row] = await rows(library);

  await expect(findDocument(library.documents, stranger, row?.id ?? '')).rejects.toMatchObject({ code: 'unknown_id' });
  await expect(removeDocument(library.documents, stranger, row?.id ?? '')).rejects.toMatchObject({
    code: 'unknown_id',
  });
});

test('the documentation of a repository follows its commits', async () => {
  const library = await bench();
  const repository = sourceRepository([
    { files: { 'README.md': '# Shop\n\nwalrus', 'docs/a.md': 'zebra', 'src/a.ts': 'okapi()' } },
    { files: { 'docs/v1/b.md': 'ibex', 'docs/v2/b.md': 'ibex' } },
  ]);
  const repositoryId = '01890000-0000-7000-8000-000000000001';
  const take = () =>
    takeProductDocs(
      library.documents,
      library,
      {
        repositoryId,
        repository: 'shop',
        gitDir: join(repository.path, '.git'),
        commit: repository.git('rev-parse', 'HEAD'),
      },
      running,
    );

  // One of `docs/v1/b.md` and `docs/v2/b.md`.
  expect(await take()).toEqual({ saved: 3, removed: 0, unchanged: 0, failed: 0 });
  expect(await take()).toEqual({ saved: 0, removed: 0, unchanged: 3, failed: 0 });
  expect([await library.search('walrus'), await library.search('okapi')]).toEqual([['Shop#shop'], []]);

  repository.commit({ files: { 'README.md': '# Shop\n\nyak', 'docs/a.md': undefined } });
  expect(await take()).toEqual({ saved: 1, removed: 1, unchanged: 1, failed: 0 });
  expect([await library.search('walrus'), await library.search('zebra'), await library.search('yak')]).toEqual([
    [],
    [],
    ['Shop#shop'],
  ]);

  await removeRepositoryDocs(library.documents, library, repositoryId);
  expect(await library.search('yak')).toEqual([]);
});

test('documentation has the date of its last commit, also where it was taken with another one before', async () => {
  const library = await bench();
  const repository = sourceRepository([{ files: { 'README.md': '# Shop\n\nwalrus' } }]);
  const from = {
    repositoryId: uuidv7(NOW),
    repository: 'shop',
    gitDir: join(repository.path, '.git'),
    commit: repository.git('rev-parse', 'HEAD'),
  };
  const committed = new Date('2024-05-06T07:08:09Z');

  await takeProductDocs(library.documents, library, from, running);
  const taken = await takeProductDocs(
    library.documents,
    library,
    { ...from, changedAt: async () => [committed] },
    running,
  );

  expect(taken).toEqual({ saved: 1, removed: 0, unchanged: 0, failed: 0 });
  const index = testKnowledge(library.db);
  onTestFinished(() => index.close());
  const { hits } = await index.search(library, { query: 'walrus', limit: 1 });
  expect(hits[0]?.date).toEqual(committed);
  expect(await rows(library)).toMatchObject([{ version: 1, updatedAt: committed }]);
});

test('taking many docs asks the database a few times, not some times for each', async () => {
  const library = await bench();
  const names = Array.from({ length: 250 }, (_, index) => `docs/page-${index}.md`);
  const repository = sourceRepository([
    { files: Object.fromEntries(names.map((name, index) => [name, `# ${name}\n\nokapi${index}`])) },
  ]);
  const counter = new StatementCounter();
  const counted = { ...library.documents, db: library.documents.db.withPlugin(counter) };
  const from = { repositoryId: uuidv7(NOW), repository: 'shop', gitDir: join(repository.path, '.git') };

  const taken = await takeProductDocs(
    counted,
    library,
    { ...from, commit: repository.git('rev-parse', 'HEAD') },
    running,
  );

  expect(taken).toMatchObject({ saved: 250, failed: 0 });
  expect(await library.search('okapi249')).toHaveLength(1);
  expect(counter.statements).toBeLessThan(30);
});

/** Counts what is sent to a database. */
class StatementCounter implements KyselyPlugin {
  statements = 0;

  transformQuery({ node }: PluginTransformQueryArgs): PluginTransformQueryArgs['node'] {
    this.statements += 1;
    return node;
  }

  transformResult({ result }: PluginTransformResultArgs): Promise<PluginTransformResultArgs['result']> {
    return Promise.resolve(result);
  }
}

test.each([
  [99, 10, false],
  [100, 10, true],
  [2, 499_999, false],
  [2, 500_000, true],
])('%s docs of %s characters are saved together: %s', (docs, characters, expected) => {
  expect(isBatch(Array.from({ length: docs }, () => ({ characters })))).toBe(expected);
});

test.each([
  ['README.md', true],
  ['packages/a/README.rst', true],
  ['docs/guide/intro.mdx', true],
  ['architecture/decisions/0001-a.md', true],
  ['CHANGELOG.md', true],
  ['src/notes.md', false],
  ['docs/plans/a.md', false],
  ['node_modules/a/README.md', false],
  ['requirements.txt', false],
  ['docs/logo.png', false],
])('%s as documentation: %s', (path, expected) => {
  expect(isDocumentation({ path, sizeBytes: 10 })).toBe(expected);
});
