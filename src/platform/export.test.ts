import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
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

const folder = mkdtempSync(join(tmpdir(), 'svc-export-'));
/** One with rows, and one that stays empty, because what goes into it is refused. */
let source: Database;
let target: Database;
/** What was exported of the first; each test has its own. */
let copy = '';
beforeAll(async () => {
  [source, target] = [await start(ROWS), await start('')];
});
beforeEach(async () => {
  copy = join(mkdtempSync(join(folder, 'copy-')), 'copy');
  await exportDatabase(await parts(source), copy, NOW);
});
afterAll(async () => {
  await source.close();
  await target.close();
  rmSync(folder, { recursive: true });
});

/** A database with two tables of its own and one migration; `embedded` whatever the suite runs on, else the suite's. */
async function start(rows: string, engine: 'embedded' | 'suite' = 'suite'): Promise<Database> {
  const database =
    engine === 'embedded' ? await openEmbedded({ dataDir: mkdtempSync(join(folder, 'data-')) }) : await emptyDatabase();
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
  const [embedded, other] = [await start(ROWS, 'embedded'), await start('')];
  onTestFinished(async () => {
    for (const database of [embedded, other]) await database.close();
  });
  const path = `${copy}-embedded`;

  const written = await exportDatabase(await parts(embedded), path, NOW);
  const read = await importDatabase(await parts(other), path);

  expect(written.tables).toEqual([
    { name: 'zebra', rows: 2 },
    { name: 'apple', rows: 1201 },
  ]);
  expect(read).toEqual(written);
  expect(await other.execute(CONTENT)).toEqual(await embedded.execute(CONTENT));
  expect(readdirSync(path).toSorted()).toEqual(['apple.ndjson', 'manifest.json', 'zebra.ndjson']);
});

test('an export never goes over another one, and an import never over rows', async () => {
  await expect(exportDatabase(await parts(source), copy, NOW)).rejects.toThrow(/already exists/);
  await expect(importDatabase(await parts(source), copy)).rejects.toThrow('The table zebra already has rows.');
});

test('an export with a line lost is refused, and nothing of it stays', async () => {
  const lines = readFileSync(join(copy, 'apple.ndjson'), 'utf8').split('\n');
  writeFileSync(join(copy, 'apple.ndjson'), lines.slice(1).join('\n'));

  await expect(importDatabase(await parts(target), copy)).rejects.toThrow('apple has 1200 rows instead of 1201');

  expect(await target.execute('select from zebra')).toEqual([]);
});

test('an export with a value changed is refused before anything is written', async () => {
  const text = readFileSync(join(copy, 'apple.ndjson'), 'utf8');
  writeFileSync(join(copy, 'apple.ndjson'), text.replace('1.10', '1.11'));

  await expect(importDatabase(await parts(target), copy)).rejects.toThrow(
    'apple.ndjson differs from what was exported',
  );

  expect(await target.execute('select from zebra')).toEqual([]);
});

test('an export of another schema version and a folder that is none are refused', async () => {
  await target.execute(`insert into migration (name) values ('0002_later.sql')`);
  onTestFinished(async () => void (await target.execute(`delete from migration where name = '0002_later.sql'`)));

  await expect(importDatabase(await parts(target), copy)).rejects.toThrow(/from another version/);
  await expect(importDatabase(await parts(target), folder)).rejects.toThrow(/it has no manifest.json/);
});
