import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from 'kysely';
import { emptyDatabase } from '../testing/database.ts';
import type { Db } from './db.ts';
import { applyMigrations, contractOf, listMigrations, migrationsFolder } from './migrate.ts';

/** The last migration from before programs of two versions ran on one database. */
const LAST_WITHOUT_RULE = '0087_backups.sql';

/** A thing of the schema by its name, and what programs rely on. */
type Schema = Map<string, string>;

async function readSchema(db: Db): Promise<Schema> {
  const { rows } = await sql<{ name: string; form: string }>`
    select 'column ' || c.relname || '.' || a.attname as name,
        format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
          || case when a.atthasdef or a.attidentity <> '' then ' default' else '' end as form
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    union all
    select 'constraint ' || c.relname || '.' || k.conname, pg_get_constraintdef(k.oid)
      from pg_constraint k join pg_class c on c.oid = k.conrelid
     where c.relnamespace = 'public'::regnamespace and k.contype <> 'n'
    union all
    select 'unique index ' || c.relname || '.' || i.relname, pg_get_indexdef(i.oid)
      from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
     where c.relnamespace = 'public'::regnamespace and x.indisunique`.execute(db);
  return new Map(rows.map(({ name, form }) => [name, form]));
}

const tableOf = (name: string): string => name.slice(name.lastIndexOf(' ') + 1).split('.')[0] ?? '';

/** Describes what a program that knows only the schema `before` can no longer do with the one `after`. */
function breaksIn(before: Schema, after: Schema): string[] {
  const tables = new Set([...before.keys()].map(tableOf));
  const gone = [...before].flatMap(([name, form]) => {
    if (!name.startsWith('column ')) return [];
    const now = after.get(name);
    if (now === undefined) return [`${name} is gone`];
    return now.replace(' default', '') === form.replace(' default', '') ? [] : [`${name} was ${form} and is ${now}`];
  });
  const added = [...after].flatMap(([name, form]) => {
    if (!tables.has(tableOf(name)) || before.get(name) === form) return [];
    if (!name.startsWith('column ')) return [`${name} may refuse what was allowed: ${form}`];
    const isDemanded = !before.has(name) && form.includes('not null') && !form.includes('default');
    return isDemanded ? [`${name} has no default`] : [];
  });
  return [...gone, ...added];
}

async function emptySchema(): Promise<Db> {
  const database = await emptyDatabase();
  onTestFinished(() => database.close());
  await database.execute('drop schema public cascade; create schema public');
  return database.db;
}

test('a migration only adds, or names the migration that programs beside it need', async () => {
  const [folder, names] = [migrationsFolder(), listMigrations()];
  const db = await emptySchema();
  const since = names.indexOf(LAST_WITHOUT_RULE) + 1;
  await applyMigrations(db, folder, names.slice(0, since));
  const faults: string[] = [];
  for (const name of names.slice(since)) {
    const before = await readSchema(db);
    await applyMigrations(db, folder, [name]);
    const needed = contractOf(readFileSync(join(folder, name), 'utf8'));
    if (needed !== undefined && names.indexOf(needed) < names.indexOf(name) && names.includes(needed)) continue;
    faults.push(...breaksIn(before, await readSchema(db)).map((fault) => `${name}: ${fault}`));
  }
  // Add it in a way that the version before can live with; take away what nobody reads any more in a later version, in a
  // migration that says `-- contract: needs <migration of the version that stopped reading it>`.
  expect(faults).toEqual([]);
});

test('the rule sees each kind of fault', async () => {
  const db = await emptySchema();
  const apply = (text: string) => sql.raw(text).execute(db);
  await apply('create table a (id int, name text, old text, size int); create table gone (id int)');
  const before = await readSchema(db);
  await apply('alter table a add column fine text, add column count int not null default 0; create index on a (id)');
  expect(breaksIn(before, await readSchema(db))).toEqual([]);
  await apply(`drop table gone; alter table a rename column name to title; alter table a drop column old;
    alter table a alter column size type bigint; alter table a alter column id set not null;
    alter table a add column owner text not null; alter table a add check (size > 0); create unique index u on a (id)`);
  expect(breaksIn(before, await readSchema(db)).toSorted()).toEqual([
    'column a.id was integer and is integer not null',
    'column a.name is gone',
    'column a.old is gone',
    'column a.owner has no default',
    'column a.size was integer and is bigint',
    'column gone.id is gone',
    'constraint a.a_size_check may refuse what was allowed: CHECK ((size > 0))',
    expect.stringContaining('unique index a.u may refuse what was allowed'),
  ]);
});
