import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { ownDatabase, testDatabase } from '../testing/database.ts';
import type { Database } from './db.ts';
import { readAppliedMigrations, migrate, migrationsFolder } from './migrate.ts';

const openDatabase = ownDatabase();
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A database that knows no migration, and a folder with these in it. */
async function start(migrations: Record<string, string>): Promise<{ db: Database['db']; folder: string }> {
  const database = await openDatabase();
  await database.execute('drop schema public cascade; create schema public');
  const folder = mkdtempSync(join(tmpdir(), 'svc-migrate-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(migrations)) writeFileSync(join(folder, name), text);
  return { db: database.db, folder };
}

test('migrations are applied once, in the order of their names', async () => {
  const { db, folder } = await start({
    '0002_b.sql': 'insert into a values (1);\ninsert into a values (2);',
    '0001_a.sql': 'create table a (n int);',
    'notes.txt': 'not a migration',
  });

  expect(await migrate(db, folder)).toEqual(['0001_a.sql', '0002_b.sql']);
  expect(await migrate(db, folder)).toEqual([]);

  expect((await sql`select n from a order by n`.execute(db)).rows).toEqual([{ n: 1 }, { n: 2 }]);
});

test('a migration that fails leaves nothing of itself and keeps those before it', async () => {
  const { db, folder } = await start({
    '0001_a.sql': 'create table a (n int);',
    '0002_b.sql': 'create table b (n int); select 1 / 0;',
  });

  await expect(migrate(db, folder)).rejects.toThrow(/division by zero/);

  expect(await readAppliedMigrations(db)).toEqual(['0001_a.sql']);
  expect((await sql`select to_regclass('b') as b`.execute(db)).rows).toEqual([{ b: null }]);
});

test('two that migrate at once share the work, and neither fails', async () => {
  const { db, folder } = await start({
    '0001_a.sql': 'create table a (n int);',
    '0002_b.sql': 'create table b (n int);',
  });

  const done = await Promise.all([migrate(db, folder), migrate(db, folder)]);

  expect(done.flat().toSorted()).toEqual(['0001_a.sql', '0002_b.sql']);
});

test('a program starts beside migrations of a newer one that only add, or that need nothing it does not have', async () => {
  const { db, folder } = await start({ '0001_a.sql': 'create table a (n int, old int);' });
  const { folder: newer } = await start({
    '0001_a.sql': 'create table a (n int, old int);',
    '0002_b.sql': 'create table b (n int);',
    '0003_c.sql': '-- Nobody reads it any more.\n-- contract: needs 0001_a.sql\nalter table a drop column old;',
  });
  expect(await migrate(db, newer)).toEqual(['0001_a.sql', '0002_b.sql', '0003_c.sql']);

  expect(await migrate(db, folder)).toEqual([]);
});

test('a database with a migration beside which a program cannot run is refused and not touched', async () => {
  const { db, folder } = await start({ '0001_a.sql': 'create table a (n int);' });
  const { folder: newer } = await start({
    '0001_a.sql': 'create table a (n int);',
    '0008_new.sql': 'alter table a add column new int;',
    '0009_drop.sql': '-- contract: needs 0008_new.sql\nalter table a drop column n;',
  });
  await migrate(db, newer);
  writeFileSync(join(folder, '0002_b.sql'), 'create table b (n int);');

  await expect(migrate(db, folder)).rejects.toThrow(
    'The database was written by a newer version: it has 0009_drop.sql.',
  );
  expect(await readAppliedMigrations(db)).toEqual(['0001_a.sql', '0008_new.sql', '0009_drop.sql']);
  // Written by a program that did not say it yet.
  await sql`update migration set needs = null`.execute(db);
  await expect(migrate(db, folder)).rejects.toThrow('it has 0008_new.sql, 0009_drop.sql');
});

test("the test database has this package's migrations", async () => {
  const { db } = await testDatabase();

  expect(migrationsFolder()).toMatch(/migrations$/);
  expect(await migrate(db)).toEqual([]);
});
