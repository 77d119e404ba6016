import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { ensureFirstAccount, recordAudit } from '../accounts/accounts.ts';
import type { Db } from '../platform/db.ts';
import { migrate, migrationsFolder } from '../platform/migrate.ts';
import { emptyDatabase } from '../testing/database.ts';

const NOW = new Date('2026-11-21T10:00:00.000Z');
const GONE = '01890000-0000-7000-8000-000000000000';

function id(index: number): string {
  return `01890000-0000-7000-8000-00000000000${index}`;
}

/** A key as it was written before keys acted for people. */
async function insertKey(db: Db, account: { accountId: string; productId: string }, key: { id: string; by: string }) {
  const { accountId, productId } = account;
  await sql`
    insert into api_key (account_id, id, product_id, name, key_hash, scopes, created_by, created_at)
    values (${accountId}, ${key.id}, ${productId}, 'ci', ${key.id.replaceAll('-', '').repeat(2)},
      ${['read', 'scrape']}::text[], ${key.by}, ${NOW})`.execute(db);
}

test('keys of before act for who made them, by way of other keys too, and end where nobody is left', async () => {
  const database = await emptyDatabase();
  onTestFinished(() => database.close());
  const { db } = database;
  await database.execute('drop schema public cascade; create schema public');
  const folder = mkdtempSync(join(tmpdir(), 'svc-migrate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const names = readdirSync(migrationsFolder()).filter((name) => name < '0018');
  for (const name of names) cpSync(join(migrationsFolder(), name), join(folder, name));
  await migrate(db, folder);
  // Made by the code of today, which writes a column of a later migration.
  await database.execute('alter table product add column is_restricted boolean');
  const account = await ensureFirstAccount(db, NOW);
  await database.execute('alter table product drop column is_restricted');
  const { accountId, ownerId } = account;
  await insertKey(db, account, { id: id(1), by: `person:${ownerId}` });
  await insertKey(db, account, { id: id(3), by: `key:${id(2)}` });
  await insertKey(db, account, { id: id(4), by: `person:${GONE}` });
  await insertKey(db, account, { id: id(5), by: `key:${GONE}` });
  // The key in between was deleted; the log still knows who made it.
  const made = { accountId, at: NOW, action: 'api_key.create', detail: {} } as const;
  await recordAudit(db, { ...made, actor: `person:${ownerId}`, target: id(2) });

  await migrate(db);

  const { rows } = await sql`
    select right(id::text, 1) as key, person_id as person, expires_at is null as lives, scopes
      from api_key order by id`.execute(db);
  expect(rows).toEqual([
    { key: '1', person: ownerId, lives: true, scopes: ['read'] },
    { key: '3', person: ownerId, lives: true, scopes: ['read'] },
    { key: '4', person: GONE, lives: false, scopes: ['read'] },
    { key: '5', person: null, lives: false, scopes: ['read'] },
  ]);
});
