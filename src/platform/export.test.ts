import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptyDatabase } from '../testing/database.ts';
import { openBlobStore } from './blobs.ts';
import { openEmbedded } from './embedded/embedded.ts';
import type { Database } from './db.ts';
import { exportDatabase, importDatabase, type TransferParts } from './export.ts';
import { migrate } from './migrate.ts';

const NOW = new Date('2026-01-02T03:04:05Z');
const SCHEMA = `
  drop schema public cascade; create schema public;
  create table zebra (id uuid primary key, parent_id uuid references zebra (id), name text not null);
  create table apple (zebra_id uuid references zebra (id), position bigint, primary key (zebra_id, position),
    bytes bytea, amount numeric, at timestamptz, tags text[], data jsonb, doubled bigint generated always as (position * 2) stored);`;
const ROWS = `
  insert into zebra values ('00000000-0000-0000-0000-000000000001', null, E'line one\\nline two \u2028 "x" \\\\'),
    ('00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-000000000001', '');
  insert into apple select '00000000-0000-0000-0000-000000000002', 9007199254740993 + n, '\\xff00', 1.10,
    '2026-01-02 03:04:05.123456+00', array['a,b', null], '{"a":[1,{"b":null}]}' from generate_series(1, 1201) n;`;
const CONTENT = `select (select jsonb_agg(to_jsonb(z) order by id)::text from zebra z) as zebra,
  (select md5(jsonb_agg(to_jsonb(a) order by position)::text) from apple a) as apple`;

const opened: Database[] = [];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-export-'));
});
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  rmSync(folder, { recursive: true });
});

/** A database with two tables of its own and one migration; `embedded` whatever the suite runs on, else the suite's. */
async function start(rows: string, engine: 'embedded' | 'suite' = 'suite'): Promise<Database> {
  const database =
    engine === 'embedded' ? await openEmbedded({ dataDir: mkdtempSync(join(folder, 'data-')) }) : await emptyDatabase();
  opened.push(database);
  await database.execute(SCHEMA);
  const migrations = mkdtempSync(join(folder, 'migrations-'));
  writeFileSync(join(migrations, '0001_test.sql'), 'select 1;');
  await migrate(database.db, migrations);
  if (rows !== '') await database.execute(rows);
  return database;
}

/** The database with an empty store of blobs and an empty data folder. */
async function parts(database: Database): Promise<TransferParts> {
  const dataDir = mkdtempSync(join(folder, 'data-'));
  return { database, dataDir, blobs: await openBlobStore(join(dataDir, 'blobs')) };
}

test('what was exported from one engine is the same after the import into the other one', async () => {
  const source = await start(ROWS, 'embedded');
  const target = await start('');
  const path = join(folder, 'copy');

  const written = await exportDatabase(await parts(source), path, NOW);
  const read = await importDatabase(await parts(target), path);

  expect(written.tables).toEqual([
    { name: 'zebra', rows: 2 },
    { name: 'apple', rows: 1201 },
  ]);
  expect(read).toEqual(written);
  expect(await target.execute(CONTENT)).toEqual(await source.execute(CONTENT));
  expect(readdirSync(path).toSorted()).toEqual(['apple.ndjson', 'manifest.json', 'zebra.ndjson']);
});

test('an export never goes over another one, and an import never over rows', async () => {
  const source = await start(ROWS);
  const path = join(folder, 'copy');
  await exportDatabase(await parts(source), path, NOW);

  await expect(exportDatabase(await parts(source), path, NOW)).rejects.toThrow(/already exists/);
  await expect(importDatabase(await parts(source), path)).rejects.toThrow('The table zebra already has rows.');
});

test('an export with a line lost is refused, and nothing of it stays', async () => {
  const path = join(folder, 'copy');
  await exportDatabase(await parts(await start(ROWS)), path, NOW);
  const lines = readFileSync(join(path, 'apple.ndjson'), 'utf8').split('\n');
  writeFileSync(join(path, 'apple.ndjson'), lines.slice(1).join('\n'));
  const target = await start('');

  await expect(importDatabase(await parts(target), path)).rejects.toThrow('apple has 1200 rows instead of 1201');

  expect(await target.execute('select from zebra')).toEqual([]);
});

test('an export with a value changed is refused before anything is written', async () => {
  const path = join(folder, 'copy');
  await exportDatabase(await parts(await start(ROWS)), path, NOW);
  const text = readFileSync(join(path, 'apple.ndjson'), 'utf8');
  writeFileSync(join(path, 'apple.ndjson'), text.replace('1.10', '1.11'));
  const target = await start('');

  await expect(importDatabase(await parts(target), path)).rejects.toThrow(
    'apple.ndjson differs from what was exported',
  );

  expect(await target.execute('select from zebra')).toEqual([]);
});

test('an export of another schema version and a folder that is none are refused', async () => {
  const path = join(folder, 'copy');
  await exportDatabase(await parts(await start(ROWS)), path, NOW);
  const target = await start('');
  await target.execute(`insert into migration (name) values ('0002_later.sql')`);

  await expect(importDatabase(await parts(target), path)).rejects.toThrow(/from another version/);
  await expect(importDatabase(await parts(target), folder)).rejects.toThrow(/it has no manifest.json/);
});
