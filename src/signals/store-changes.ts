import { within } from '../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';
import type { Intent } from './polarity.ts';
import { type PlacedBy, SIGNAL_COLUMNS, type SignalRow } from './store.ts';

/** A change of a signal by people; fields that are absent stay. */
interface SignalChange {
  /** Without `sig:`. */
  id: string;
  place?: { themeId: string | null; placedBy: PlacedBy };
  intent?: { is: Intent; by: SignalRow['intentBy'] };
}

type SignalState = Pick<SignalRow, 'id' | 'themeId' | 'placedBy' | 'intent' | 'intentBy'>;

/** Changes those that are there, and tells how each of them was. */
export async function updateSignals(tx: Db, tenant: Tenant, changes: readonly SignalChange[]): Promise<SignalState[]> {
  const list = changes.map(({ id, place, intent }) => ({
    id,
    places: place !== undefined,
    themeId: place?.themeId ?? null,
    placedBy: place?.placedBy ?? null,
    intent: intent?.is ?? null,
    intentBy: intent?.by ?? null,
  }));
  const { rows } = await sql<SignalState>`
    with change as (
      select * from jsonb_to_recordset(${JSON.stringify(list)}::jsonb)
        as change (id uuid, places boolean, "themeId" uuid, "placedBy" text, intent text, "intentBy" text)),
    before as (
      select id, theme_id, placed_by, intent, intent_by from signal
       where ${within(tenant)} and id in (select id from change)
       for update)
    update signal
       set theme_id = case when change.places then change."themeId" else signal.theme_id end,
           placed_by = coalesce(change."placedBy", signal.placed_by),
           intent = coalesce(change.intent, signal.intent),
           intent_by = coalesce(change."intentBy", signal.intent_by)
      from change join before on before.id = change.id
     where signal.account_id = ${tenant.accountId} and signal.id = change.id
    returning before.id, before.theme_id as "themeId", before.placed_by as "placedBy", before.intent,
              before.intent_by as "intentBy"`.execute(tx);
  return rows;
}

/** Deletes signals and keeps them under `deletion`. Those that were folded into one stand alone again. */
export async function moveToDeletion(
  tx: Db,
  tenant: Tenant,
  { ids, deletion, deletedAt }: { ids: readonly string[]; deletion: string; deletedAt: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with gone as (delete from signal where ${within(tenant)} and id = any(${ids}::uuid[]) returning signal.*),
    kept as (
      insert into signal_deletion (account_id, id, product_id, deleted_at, signals)
      select ${tenant.accountId}, ${deletion}, ${tenant.productId}, ${deletedAt}, jsonb_agg(to_jsonb(gone))
        from gone having count(*) > 0)
    select id from gone`.execute(tx);
  const gone = rows.map(({ id }) => id);
  await sql`
    update signal set duplicate_of = null where ${within(tenant)} and duplicate_of = any(${gone}::uuid[])`.execute(tx);
  return gone;
}

/**
 * Takes a deletion back, and tells what is there again; undefined when there is no such deletion. A signal that was sent
 * again meanwhile stays as it was sent.
 */
export async function restoreDeletion(tx: Db, tenant: Tenant, deletion: string): Promise<SignalRow[] | undefined> {
  const { rows: deletedRows } = await sql<{ signals: unknown }>`
    delete from signal_deletion where ${within(tenant)} and id = ${deletion} returning signals`.execute(tx);
  const [snapshot] = deletedRows;
  if (snapshot === undefined) return undefined;
  const { rows } = await sql<SignalRow>`
    insert into signal
    select row.* from jsonb_populate_recordset(null::signal, ${JSON.stringify(snapshot.signals)}::jsonb) as row
        on conflict do nothing
    returning ${SIGNAL_COLUMNS}`.execute(tx);
  return rows;
}

/** Forgets what was deleted before `before`, in all accounts. */
export async function dropDeletions(db: Db, before: Date): Promise<void> {
  await sql`delete from signal_deletion where deleted_at < ${before}`.execute(db);
}
