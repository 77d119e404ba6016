import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownDatabase } from '../../testing/database.ts';
import { testFolder } from '../../testing/git.ts';
import { openBlobStore } from '../blobs.ts';
import type { Database } from '../db.ts';
import { openEmbedded } from '../embedded/embedded.ts';
import { secretKeyPath, writeSecretKey } from '../installation-key.ts';
import { migrate } from '../migrate.ts';
import { type BlobChoice, createBackup } from './create-backup.ts';
import { type BackupTarget, restoreBackup } from './restore-backup.ts';
import { saveBackup } from './save-backup.ts';

const NOW = new Date('2026-01-02T03:04:05Z');
const FIRST = `
  create table zebra (id uuid primary key, parent_id uuid references zebra (id), name text not null);
  create table apple (zebra_id uuid references zebra (id), position bigint, primary key (zebra_id, position),
    bytes bytea, amount numeric, at timestamptz, tags text[], data jsonb, doubled bigint generated always as (position * 2) stored);
  create table file (hash text primary key, made_hash text);
  comment on column file.hash is '@original';
  comment on column file.made_hash is '@derived';
  create function notify_apple() returns trigger language plpgsql as $$ begin return null; end $$;`;
const SECOND = `alter table zebra add column colour text; update zebra set colour = upper(name);`;
const ROWS = `
  insert into zebra values ('00000000-0000-0000-0000-000000000001', null, E'line one\\nline two \u2028 "x" \\\\'),
    ('00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-000000000001', '');
  insert into apple select '00000000-0000-0000-0000-000000000002', 9007199254740993 + n, '\\xff00', 1.10,
    '2026-01-02 03:04:05.123456+00', array['a,b', null], '{"a":[1,{"b":null}]}' from generate_series(1, 1201) n;`;
const CONTENT = `select (select jsonb_agg(to_jsonb(z) order by id)::text from zebra z) as zebra,
  (select md5(jsonb_agg(to_jsonb(a) order by position)::text) from apple a) as apple,
  (select jsonb_agg(to_jsonb(f))::text from file f) as file`;

const folder = testFolder();
const opened: Database[] = [];
const openDatabase = ownDatabase();
/** An installation with files, and a backup of it. */
let source: Installation;
let saved: Awaited<ReturnType<typeof save>>;
beforeAll(async () => {
  source = await filled();
  saved = await save(source);
});
afterAll(async () => {
  for (const database of opened.splice(0)) await database.close();
  rmSync(folder, { recursive: true });
});

const newFolder = (): string => mkdtempSync(join(folder, 'f-'));

/** Folders of the migrations of two versions of a program. */
const [OLDER, NEWER] = [newFolder(), newFolder()];
for (const version of [OLDER, NEWER]) writeFileSync(join(version, '0001_first.sql'), FIRST);
writeFileSync(join(NEWER, '0002_second.sql'), SECOND);

type Engine = 'embedded' | 'suite';
/** An installation, and the hashes of an upload and of an index in its store. */
type Installation = BackupTarget & { hashes: string[] };

/** An installation without rows; `suite` is in memory or on the server of the suite, and empties the one before. */
async function installation(engine: Engine, migrations: string): Promise<Installation> {
  const dataDir = newFolder();
  const database = engine === 'embedded' ? await openEmbedded({ dataDir }) : await openDatabase();
  if (engine === 'embedded') opened.push(database);
  await database.execute('drop schema public cascade; create schema public');
  await migrate(database.db, migrations);
  return { database, dataDir, blobs: await openBlobStore(join(dataDir, 'blobs')), hashes: [] };
}

/** One with rows, two blobs and a key. */
async function filled(): Promise<Installation> {
  const parts = await installation('embedded', OLDER);
  await parts.database.execute(ROWS);
  for (const text of ['an upload', 'an index']) parts.hashes.push((await parts.blobs.put(Buffer.from(text))).hash);
  await parts.database.execute('insert into file values ($1, $2)', parts.hashes);
  writeSecretKey(parts.dataDir, randomBytes(32).toString('base64'));
  return parts;
}

async function save(of: Installation, blobs: BlobChoice = 'all') {
  const file = join(newFolder(), 'backup.tar.zst');
  return { file, ...(await saveBackup(createBackup(of, { blobs, version: '1.0.0', now: NOW }), file)) };
}

const restore = (target: Installation, file: string, migrations = OLDER) => restoreBackup(target, file, { migrations });

test('rows, blobs and key stay the same from one engine into the other one and back', async () => {
  const [middle, last] = [await installation('suite', OLDER), await installation('embedded', OLDER)];

  const restored = await restore(middle, saved.file);
  await restore(last, (await save(middle)).file);

  expect(restored).toEqual(saved.manifest);
  expect(restored).toMatchObject({
    created_at: NOW.toISOString(),
    tables: [
      { name: 'file', rows: 1 },
      { name: 'zebra', rows: 2 },
      { name: 'apple', rows: 1201 },
    ],
    lost: [],
  });
  const key = readFileSync(secretKeyPath(source.dataDir), 'utf8');
  for (const target of [middle, last]) {
    expect(await target.database.execute(CONTENT)).toEqual(await source.database.execute(CONTENT));
    for (const hash of source.hashes) expect(await target.blobs.get(hash)).toEqual(await source.blobs.get(hash));
    expect(readFileSync(secretKeyPath(target.dataDir), 'utf8')).toBe(key);
  }
  for (const path of [saved.file, secretKeyPath(last.dataDir)]) expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('tar lists what a backup holds', () => {
  const archive = zstdDecompressSync(readFileSync(saved.file));
  const names = execFileSync('tar', ['-t'], { input: archive, encoding: 'utf8' }).trim().split('\n');
  expect(names).toEqual([
    'tables/file/000001.ndjson',
    'tables/zebra/000001.ndjson',
    ...[1, 2, 3, 4, 5, 6, 7].map((batch) => `tables/apple/00000${batch}.ndjson`),
    'secret.key',
    ...source.hashes.map((hash) => `blobs/${hash}`),
    'manifest.json',
  ]);
});

test('the embedded database takes rows while a backup is read, which has the state of its beginning', async () => {
  const file = join(newFolder(), 'backup.tar.zst');
  const chunks = createBackup(source, { blobs: 'all', version: '1.0.0', now: NOW }).iterator();
  const first = await chunks.next();
  await source.database.execute(`insert into zebra values ('00000000-0000-0000-0000-000000000003', null, 'late')`);

  const archive = async function* (): AsyncGenerator<Buffer> {
    yield first.value;
    yield* chunks;
  };
  const { manifest } = await saveBackup(archive(), file);
  await source.database.execute(`delete from zebra where name = 'late'`);

  expect(manifest.tables).toEqual(saved.manifest.tables);
});

test('a backup that nobody reads to its end leaves nothing behind', async () => {
  const archive = createBackup(source, { blobs: 'all', version: '1.0.0', now: NOW });
  await archive.iterator({ destroyOnReturn: false }).next();
  expect(readdirSync(join(source.dataDir, 'unfinished'))).toHaveLength(1);
  archive.destroy();
  await expect.poll(() => readdirSync(join(source.dataDir, 'unfinished'))).toEqual([]);
});

test('a backup is restored into a newer version, whose migrations then run, and a newer one is refused', async () => {
  const newer = await installation('suite', NEWER);

  await restore(newer, saved.file, NEWER);

  expect(await newer.database.execute('select name, colour from zebra order by id desc limit 1')).toEqual([
    { name: '', colour: '' },
  ]);
  expect(await newer.database.execute('select name from migration order by name')).toEqual([
    { name: '0001_first.sql' },
    { name: '0002_second.sql' },
  ]);
  const { file } = await save(newer);
  await expect(restore(source, file)).rejects.toThrow('newer version (1.0.0): this one does not have 0002_second.sql');
});

test('a backup never goes over a file, over rows, or over another key', async () => {
  await expect(saveBackup(Readable.from([]), saved.file)).rejects.toThrow('already exists');
  await expect(restore(source, saved.file)).rejects.toThrow('The table file already has rows.');
  const dataDir = newFolder();
  writeSecretKey(dataDir, randomBytes(32).toString('base64'));
  await expect(restore({ ...source, dataDir }, saved.file)).rejects.toThrow('holds a different key');
});

test('blobs are carried as the caller chooses, and those that stay or are lost are named', async () => {
  const [upload = '', index = ''] = source.hashes;
  expect((await save(source, 'uploads')).manifest).toMatchObject({ blobs: [{ hash: upload }], referenced: [] });
  const { file, manifest } = await save(source, 'none');
  expect(manifest).toMatchObject({ blobs: [], referenced: expect.arrayContaining([upload, index]) });
  const target = await installation('suite', OLDER);
  await target.blobs.put(Buffer.from('an upload'));
  const stored: string[][] = [];
  const finish = async (_tx: unknown, hashes: ReadonlySet<string>): Promise<void> => void stored.push([...hashes]);
  const restored = await restoreBackup(target, file, { migrations: OLDER, finish });
  expect(stored).toEqual([[upload]]);
  expect(restored.lost).toEqual([index]);

  writeFileSync(await source.blobs.path(upload), 'damaged');
  rmSync(await source.blobs.path(index));
  expect((await save(source)).manifest).toMatchObject({ blobs: [], lost: [upload, index] });
});

/** Changes the archive below its compression. */
const changed = (change: (bytes: Buffer) => Buffer) => (bytes: Buffer) =>
  zstdCompressSync(change(zstdDecompressSync(bytes)));
const replaced = (from: string, to: string) =>
  changed((bytes) => {
    bytes.write(to, bytes.indexOf(from));
    return bytes;
  });

test.each<[string, (bytes: Buffer) => Uint8Array, RegExp]>([
  ['cut off', (bytes) => bytes.subarray(0, bytes.length - 200), /is no complete backup/],
  ['another file', () => Buffer.from('hello'), /is no complete backup/],
  ['empty', () => Buffer.alloc(0), /is no complete backup/],
  ['cut off and packed again', changed((bytes) => bytes.subarray(0, 4096)), /it ends early/],
  ['changed in a value', replaced('1.10', '1.11'), /the rows of apple differ/],
  ['changed in a blob', replaced('an upload', 'an Upload'), /the blob [0-9a-f]{64} is missing or differs/],
  ['changed in a header', replaced('tables/apple', 'tables/bpple'), /a header has another checksum/],
])('a backup that is %s is refused before anything else', async (_how, damage, message) => {
  const file = join(newFolder(), 'backup.tar.zst');
  writeFileSync(file, damage(readFileSync(saved.file)));

  // A sound one would be refused here because of the rows.
  await expect(restore(source, file)).rejects.toThrow(message);
});
