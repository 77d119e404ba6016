import { sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import type { PlacedBy } from '../store.ts';

/** A signal with a date of its own. */
export interface DatedSignal {
  id: string;
  text: string;
  language: string | null;
  customer: string;
  date: Date;
  /** Time at which it was added. */
  createdAt: Date;
  duplicateOf: string | null;
  themeId: string | null;
  placedBy: PlacedBy;
  /** Label of its theme; empty without one. */
  theme: string;
}

/** Signals of one answer of the database, some 10 ms: questions to the embedded one wait that long. */
const PAGE_SIGNALS = 500;

/** The newest signals of a period whose date came with them, oldest first. */
export async function selectDated(
  db: Db,
  tenant: Tenant,
  { since, until, limit }: { since?: Date; until: Date; limit: number },
): Promise<DatedSignal[]> {
  const all: DatedSignal[] = [];
  // As text, because a date of JavaScript is less exact.
  let before = { at: until.toISOString(), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
  while (all.length < limit) {
    const { rows } = await sql<DatedSignal & { at: string }>`
      select signal.id, left(signal.text, 2000) as text, signal.language, signal.customer, signal.date,
             signal.created_at as "createdAt", signal.duplicate_of as "duplicateOf", signal.theme_id as "themeId", signal.placed_by as "placedBy",
             signal.date::text as at, coalesce(theme.label, '') as theme
        from signal left join theme on theme.account_id = signal.account_id and theme.id = signal.theme_id
       where signal.account_id = ${tenant.accountId} and signal.product_id = ${tenant.productId} and signal.date_given
         and (signal.date, signal.id) < (${before.at}::timestamptz, ${before.id}::uuid)
         and signal.date >= ${since?.toISOString() ?? '-infinity'}::timestamptz
       order by signal.date desc, signal.id desc limit ${Math.min(PAGE_SIGNALS, limit - all.length)}`.execute(db);
    all.push(...rows);
    const last = rows.at(-1);
    if (last === undefined) break;
    before = { at: last.at, id: last.id };
  }
  return all.toReversed();
}
