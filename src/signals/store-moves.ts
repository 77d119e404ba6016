import { within } from '../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';

/** Reason why signals went to another theme: all were grouped again, or a subject emerged that has a theme of its own now. */
type MoveReason = 'grouped' | 'emerged';

/** Signals that went from one theme to another at a time. */
export interface MoveRow {
  fromId: string;
  intoId: string;
  fromLabel: string;
  intoLabel: string;
  signals: number;
  reason: MoveReason;
  movedAt: Date;
}

/** Moves that a product remembers. */
const MOST_MOVES = 500;

/** Notes how many signals went from where to where; the oldest moves are forgotten. */
export async function insertMoves(
  db: Db,
  tenant: Tenant,
  {
    moves,
    reason,
    movedAt,
  }: { moves: readonly { fromId: string; intoId: string }[]; reason: MoveReason; movedAt: Date },
): Promise<void> {
  if (moves.length === 0) return;
  const counted = Map.groupBy(moves, ({ fromId, intoId }) => `${fromId} ${intoId}`);
  const rows = Array.from(counted.values(), (own) => ({ ...own[0], signals: own.length }));
  await sql`
    insert into theme_move (account_id, product_id, moved_at, from_id, into_id, signals, reason)
    select ${tenant.accountId}, ${tenant.productId}, ${movedAt}, one."fromId", one."intoId", one.signals, ${reason}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one ("fromId" uuid, "intoId" uuid, signals int)
    on conflict do nothing`.execute(db);
  await sql`
    delete from theme_move as move where ${within(tenant, 'move')} and moved_at < (
      select moved_at from theme_move as move where ${within(tenant, 'move')}
       order by moved_at desc offset ${MOST_MOVES} limit 1)`.execute(db);
}

/** The last moves from and to a theme, newest first. */
export async function selectMoves(
  db: Db,
  tenant: Tenant,
  { theme, limit }: { theme: string; limit: number },
): Promise<MoveRow[]> {
  const { rows } = await sql<MoveRow>`
    select from_id as "fromId", into_id as "intoId", source.label as "fromLabel", target.label as "intoLabel", signals,
           reason, moved_at as "movedAt"
      from theme_move as move
      join theme as source on source.account_id = move.account_id and source.id = move.from_id
      join theme as target on target.account_id = move.account_id and target.id = move.into_id
     where ${within(tenant, 'move')} and ${theme}::uuid in (move.from_id, move.into_id)
     order by moved_at desc, signals desc limit ${limit}`.execute(db);
  return rows;
}
