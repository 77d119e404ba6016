import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureFirstAccount } from '../accounts/accounts.ts';
import { openBlobStore } from '../platform/blobs.ts';
import { openEmbedded } from '../platform/embedded/embedded.ts';
import type { Database } from '../platform/db.ts';
import { exportDatabase, importDatabase, type TransferParts } from '../platform/export.ts';
import { migrate } from '../platform/migrate.ts';
import { emptyDatabase } from '../testing/database.ts';
import { type Documents, findDocument, openDocuments, originalOf, saveUploads } from './documents.ts';

const NOW = new Date('2026-03-01T00:00:00Z');

const opened: { close: () => Promise<void> }[] = [];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-backup-'));
});
afterEach(async () => {
  for (const resource of opened.splice(0).toReversed()) await resource.close();
  rmSync(folder, { recursive: true });
});

/** An installation with the schema of this build; `embedded` whatever the suite runs on, else the suite's. */
async function installation(
  engine: 'embedded' | 'suite',
): Promise<TransferParts & { documents: Documents; blobFolder: string }> {
  const database: Database =
    engine === 'embedded' ? await openEmbedded({ dataDir: mkdtempSync(join(folder, 'data-')) }) : await emptyDatabase();
  opened.push(database);
  await migrate(database.db);
  const blobFolder = mkdtempSync(join(folder, 'blobs-'));
  const blobs = await openBlobStore(blobFolder);
  const documents = openDocuments({
    db: database.db,
    blobs,
    workDir: join(folder, 'work'),
    readers: 1,
    now: () => NOW,
  });
  opened.push(documents);
  return { database, blobs, blobFolder, documents, dataDir: folder };
}

/** Names of all blobs of an installation. */
function blobsOf({ blobFolder }: { blobFolder: string }): string[] {
  return readdirSync(blobFolder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [entry.name] : [],
  );
}

/** Two versions of an upload, and another upload with the content of the first. */
async function uploads({ database, documents }: Awaited<ReturnType<typeof installation>>) {
  const { accountId, productId } = await ensureFirstAccount(database.db, NOW);
  const request = { accountId, productId, actor: 'system' as const, tags: [] };
  const files = ['first', 'second'].map((text) => ({ name: 'a.md', content: [Buffer.from(text)] }));
  const outcomes = await saveUploads(documents, request, [...files, { name: 'b.md', content: [Buffer.from('first')] }]);
  const ids = outcomes.map((outcome) => ('document' in outcome ? outcome.document.id : ''));
  return { tenant: { accountId, productId }, ids };
}

test.each([
  ['embedded', 'suite'],
  ['suite', 'embedded'],
] as const)('uploads are downloaded as they came after an export from %s and an import into %s', async (from, to) => {
  const [source, target] = [await installation(from), await installation(to)];
  const { tenant, ids } = await uploads(source);

  const written = await exportDatabase(source, join(folder, 'copy'), NOW);
  const read = await importDatabase(target, join(folder, 'copy'));

  expect(written.files).toEqual({ count: 2, bytes: 11 });
  expect(read).toEqual(written);
  const texts = ids.map(async (id) => {
    const bytes = await originalOf(target.documents, await findDocument(target.documents, tenant, id));
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  });
  expect(await Promise.all(texts)).toEqual(['second', 'second', 'first']);
});

const DAMAGES: [how: string, damage: (file: string) => void, message: string][] = [
  ['changed', (file) => writeFileSync(file, 'other'), 'differs from what was exported'],
  ['lost', (file) => rmSync(file), 'is missing'],
];

test('an export with an upload changed or lost is refused before anything is written', async () => {
  const [source, target] = [await installation('suite'), await installation('suite')];
  await uploads(source);

  for (const [how, damage, message] of DAMAGES) {
    const copy = join(folder, how);
    await exportDatabase(source, copy, NOW);
    const [first = ''] = readdirSync(join(copy, 'files'));
    damage(join(copy, 'files', first));
    await expect(importDatabase(target, copy)).rejects.toThrow(message);
  }

  expect(await target.database.execute('select from document')).toEqual([]);
  expect(blobsOf(target)).toEqual([]);
});

test('an upload that is damaged already does not keep the others from being exported, and is named', async () => {
  const [source, target] = [await installation('suite'), await installation('suite')];
  await uploads(source);
  const [hash = ''] = blobsOf(source);
  writeFileSync(await source.blobs.path(hash), 'damaged');

  const written = await exportDatabase(source, join(folder, 'copy'), NOW);

  expect(written).toMatchObject({ files: { count: 1 }, lost: [hash] });
  expect((await importDatabase(target, join(folder, 'copy'))).lost).toEqual([hash]);
});
