import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { ServiceError } from '../kernel/errors.ts';
import type { Database, Db } from './db.ts';

/** Number of the lock that keeps two processes from migrating at once; any number that nothing else uses. */
const MIGRATION_LOCK = 7_205_759_403;

/**
 * Comment of a migration that takes away what earlier programs read or write: it names the migration that a program must have to run
 * beside it. All others only add, so that the program of the version before may run, and start, beside them.
 */
const CONTRACT = /^-- contract: needs (\S+)$/m;

/** The folder `migrations/` of this package, the same from `src/` and from `dist/`. */
export function migrationsFolder(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'migrations');
    if (existsSync(join(folder, 'package.json')) && existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) throw new Error(`There is no migrations/ above ${import.meta.dirname}.`);
  }
}

/**
 * Brings the schema to what this build needs: applies, in the order of their names, the migrations in `folder` that the
 * database does not have yet, each in a transaction of its own, and returns their names. A migration that fails leaves
 * nothing of itself; those before it stay. Several processes may call this at once: one works, the others wait for it.
 *
 * @throws ServiceError `conflict` when the database has migrations that this build does not know.
 */
export async function migrate(db: Db, folder: string = migrationsFolder()): Promise<string[]> {
  const migrations = listMigrations(folder);
  // Nearly every start finds all there, and needs no lock and no write.
  const before = new Set(await readAppliedMigrations(db));
  if (migrations.every((name) => before.has(name))) {
    await refuseIncompatible(db, migrations);
    return [];
  }
  const applied: string[] = [];
  for (
    let name = await applyNext(db, folder, migrations);
    name !== undefined;
    name = await applyNext(db, folder, migrations)
  )
    applied.push(name);
  return applied;
}

/** The migration that a program must have to run beside this one, where it takes something away; undefined where it only adds. */
export function contractOf(migration: string): string | undefined {
  return CONTRACT.exec(migration)?.[1];
}

/** Names of the migrations in a folder, in their order. */
export function listMigrations(folder: string = migrationsFolder()): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
}

/** Applies those of the named migrations that are missing, in the transaction of the caller: all of them or none. */
export async function applyMigrations(tx: Db, folder: string, names: readonly string[]): Promise<void> {
  await makeMigrationTable(tx);
  const present = new Set(await readAppliedMigrations(tx));
  for (const name of names) if (!present.has(name)) await applyMigration(tx, folder, name);
}

/**
 * Runs `prepare` while no other process prepares the same database: makes a schema, migrates it, writes what is made once.
 * An embedded database has one process.
 */
export async function runAlone<T>({ db, kind }: Pick<Database, 'db' | 'kind'>, prepare: () => Promise<T>): Promise<T> {
  if (kind === 'embedded') return prepare();
  return db.transaction().execute(async (tx) => {
    await lockMigrations(tx);
    return prepare();
  });
}

/** Waits for the lock, as long as it takes; it is let go at the end of the transaction. */
async function lockMigrations(tx: Db): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx);
  // A statement of its own: the limit is taken when one begins.
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx);
}

/** Names of the applied migrations, oldest first; none when the database was never migrated. */
export async function readAppliedMigrations(db: Db): Promise<string[]> {
  const { rows: tables } =
    await sql`select 1 from pg_tables where schemaname = 'public' and tablename = 'migration'`.execute(db);
  if (tables.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from migration order by name`.execute(db);
  return rows.map((row) => row.name);
}

async function applyNext(db: Db, folder: string, migrations: readonly string[]): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    await lockMigrations(tx);
    await makeMigrationTable(tx);
    const present = await readAppliedMigrations(tx);
    await refuseIncompatible(tx, migrations);
    const name = migrations.find((candidate) => !present.includes(candidate));
    if (name === undefined) return undefined;
    await applyMigration(tx, folder, name);
    return name;
  });
}

async function makeMigrationTable(tx: Db): Promise<void> {
  await sql
    .raw(
      `create table if not exists migration (name text primary key, applied_at timestamptz not null default now());
       alter table migration add column if not exists needs text;
       comment on table migration is '@reference the migrations that were applied'`,
    )
    .execute(tx);
}

/** Applies one migration, and records what a program needs to run beside it. */
async function applyMigration(tx: Db, folder: string, name: string): Promise<void> {
  const text = readFileSync(join(folder, name), 'utf8');
  await sql.raw(text).execute(tx);
  await sql`insert into migration (name, needs) values (${name}, ${contractOf(text) ?? ''})`.execute(tx);
}

/**
 * Refuses a database with a migration of a newer version beside which this program cannot run. A migration that was applied before
 * `needs` was recorded is one.
 */
async function refuseIncompatible(db: Db, own: readonly string[]): Promise<void> {
  const { rows } = await sql<{ name: string; needs: string | null }>`
    select name, to_jsonb(migration) ->> 'needs' as needs from migration order by name`.execute(db);
  const incompatible = rows.filter(
    ({ name, needs }) => !own.includes(name) && !(needs === '' || own.includes(needs ?? '')),
  );
  if (incompatible.length === 0) return;
  const names = incompatible.map(({ name }) => name).join(', ');
  throw new ServiceError('conflict', `The database was written by a newer version: it has ${names}.`, {
    fix: 'Start the newer version, or restore a backup from before the update.',
  });
}
