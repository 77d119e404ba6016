import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { emptyDatabase, testDatabase } from '../testing/database.ts';
import type { Db } from './db.ts';

/**
 * Every table belongs to accounts: `account_id` stands in each primary key, unique index and foreign key, so that no row
 * can refer to one of another account and the tables can be spread over servers by account. What belongs to nobody says
 * so with `@reference` in the comment of the table.
 */
async function faults(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    with tables as (
      select oid, relname, coalesce(obj_description(oid, 'pg_class'), '') like '%@reference%' as is_reference,
        (select attnum from pg_attribute where attrelid = pg_class.oid and attname = 'account_id') as account
        from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'))
    select t.relname as "table", i.indexrelid::regclass::text as object, 'unique index without account_id' as problem
      from tables t join pg_index i on i.indrelid = t.oid and i.indisunique
     where t.account is not null and not t.is_reference and not t.account = any(i.indkey::int2[])
    union all
    select t.relname, i.indexrelid::regclass::text, 'primary key that does not begin with account_id'
      from tables t join pg_index i on i.indrelid = t.oid and i.indisprimary
     where t.account is not null and not t.is_reference and t.account = any(i.indkey::int2[]) and i.indkey[0] <> t.account
    union all
    select t.relname, k.conname, 'foreign key without account_id'
      from tables t join pg_constraint k on k.conrelid = t.oid and k.contype = 'f'
     where t.account is not null and not t.is_reference and not t.account = any(k.conkey)
    union all
    select relname, '-', 'no account_id and no @reference comment' from tables
     where account is null and not is_reference
    order by 1, 2, 3`.execute(db);
  return rows;
}

test('every table belongs to accounts or says that it does not', async () => {
  const { db } = await testDatabase();

  expect(await faults(db)).toEqual([]);
});

test('the check sees each kind of fault', async () => {
  const database = await emptyDatabase();
  await database.execute(`
    drop schema public cascade; create schema public;
    create table owner (account_id uuid, id uuid, primary key (account_id, id), name text unique);
    create table child (id uuid, account_id uuid, owner_name text references owner (name), primary key (id, account_id));
    create table stray (id uuid primary key);
    create table country (id uuid primary key);
    comment on table country is '@reference the same for all'`);

  const problems = await faults(database.db);
  await database.close();

  expect(problems).toEqual([
    { table: 'child', object: 'child_owner_name_fkey', problem: 'foreign key without account_id' },
    { table: 'child', object: 'child_pkey', problem: 'primary key that does not begin with account_id' },
    { table: 'owner', object: 'owner_name_key', problem: 'unique index without account_id' },
    { table: 'stray', object: '-', problem: 'no account_id and no @reference comment' },
  ]);
});
