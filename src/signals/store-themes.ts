import { type RawBuilder, sql } from 'kysely';
import type { ProductScope } from '../knowledge/knowledge.ts';
import type { Db } from '../platform/db.ts';
import type { PlacedBy } from './store.ts';

export interface ThemeRow {
  id: string;
  key: string;
  label: string;
  labelled: boolean;
  mergedInto: string | null;
}

/** What is needed of a signal to place it. */
export interface PlaceableSignal {
  id: string;
  text: string;
  duplicateOf: string | null;
  themeId: string | null;
  placedBy: PlacedBy;
  anchor: string | null;
}

/** Where a signal is to be. */
export interface Placement {
  id: string;
  duplicateOf: string | null;
  themeId: string | null;
  placedBy: PlacedBy;
}

/** What is needed of a signal to count it. */
export interface CountedSignal {
  id: string;
  customer: string;
  date: Date;
  themeId: string;
}

/** Signals of one answer of the database: about 1 MB. */
const PAGE_SIGNALS = 500;

const COLUMNS = sql`id, key, label, labelled, merged_into as "mergedInto"`;

const within = ({ accountId, productId }: ProductScope): RawBuilder<unknown> =>
  sql`account_id = ${accountId} and product_id = ${productId}`;

/** All signals of a product, oldest first. */
export function selectPlaceable(db: Db, scope: ProductScope): Promise<PlaceableSignal[]> {
  const columns = sql`id, left(text, 2000) as text, duplicate_of as "duplicateOf", theme_id as "themeId",
    placed_by as "placedBy", anchor`;
  return selectInPages<PlaceableSignal>(db, columns, within(scope));
}

/** Signals that have a theme and stand for themselves, oldest first. */
export function selectPlaced(db: Db, scope: ProductScope): Promise<{ id: string; themeId: string }[]> {
  const condition = sql`${within(scope)} and theme_id is not null and duplicate_of is null`;
  return selectInPages(db, sql`id, theme_id as "themeId"`, condition);
}

/** Oldest first. In pages: one large answer would hold up everybody else for as long. */
async function selectInPages<Row extends { id: string }>(
  db: Db,
  columns: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<Row[]> {
  const all: Row[] = [];
  // As text, because a date of JavaScript is less exact.
  let after = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const { rows } = await sql<Row & { at: string }>`
      select ${columns}, date::text as at
        from signal
       where ${condition} and (date, id) > (${after.at}::timestamptz, ${after.id}::uuid)
       order by date, id limit ${PAGE_SIGNALS}`.execute(db);
    all.push(...rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_SIGNALS) return all;
    after = last;
  }
}

/** Signals that have a theme. */
export async function selectCounted(db: Db, scope: ProductScope): Promise<CountedSignal[]> {
  const { rows } = await sql<CountedSignal>`
    select id, customer, date, theme_id as "themeId" from signal
     where ${within(scope)} and theme_id is not null order by date desc, id`.execute(db);
  return rows;
}

/** Writes what was found of signals in the code; `''` for nothing. */
export async function updateAnchors(
  db: Db,
  scope: ProductScope,
  anchors: readonly { id: string; anchor: string; score: number }[],
): Promise<void> {
  await sql`
    update signal set anchor = one.anchor, anchor_score = one.score
      from jsonb_to_recordset(${JSON.stringify(anchors)}::jsonb) as one (id uuid, anchor text, score real)
     where ${ofSignal(scope)} and signal.id = one.id`.execute(db);
}

/** Writes where signals are, except those that a person has placed meanwhile. */
export async function updatePlacements(db: Db, scope: ProductScope, placements: readonly Placement[]): Promise<void> {
  await sql`
    update signal
       set duplicate_of = one."duplicateOf",
           theme_id = case when signal.placed_by = 'person' then signal.theme_id else one."themeId" end,
           placed_by = case when signal.placed_by = 'person' then 'person' else one."placedBy" end
      from jsonb_to_recordset(${JSON.stringify(placements)}::jsonb)
        as one (id uuid, "duplicateOf" uuid, "themeId" uuid, "placedBy" text)
     where ${ofSignal(scope)} and signal.id = one.id`.execute(db);
}

/** Puts a signal where a person says. False when there is none. */
export async function pinSignal(
  db: Db,
  scope: ProductScope,
  { id, themeId }: { id: string; themeId: string },
): Promise<boolean> {
  const { rows } = await sql`
    update signal set theme_id = ${themeId}, placed_by = 'person' where ${within(scope)} and id = ${id}
    returning id`.execute(db);
  return rows.length === 1;
}

export async function selectThemes(db: Db, scope: ProductScope): Promise<ThemeRow[]> {
  const { rows } = await sql<ThemeRow>`
    select ${COLUMNS} from theme where ${within(scope)} order by id`.execute(db);
  return rows;
}

/** Adds a theme unless its key is there, and tells the one that has it then. */
export async function ensureTheme(
  db: Db,
  { accountId, productId }: ProductScope,
  theme: { id: string; key: string; label: string; labelled: boolean; createdAt: Date },
): Promise<ThemeRow> {
  const { rows } = await sql<ThemeRow>`
    insert into theme (account_id, id, product_id, key, label, labelled, created_at)
    values (${accountId}, ${theme.id}, ${productId}, ${theme.key}, ${theme.label}, ${theme.labelled}, ${theme.createdAt})
    on conflict (account_id, product_id, key) do update set key = excluded.key
    returning ${COLUMNS}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The theme was not saved.');
  return row;
}

/** Names themes anew that no person has named. */
export async function updateLabels(
  db: Db,
  scope: ProductScope,
  labels: readonly { id: string; label: string }[],
): Promise<void> {
  await sql`
    update theme set label = one.label
      from jsonb_to_recordset(${JSON.stringify(labels)}::jsonb) as one (id uuid, label text)
     where theme.account_id = ${scope.accountId} and theme.product_id = ${scope.productId}
       and theme.id = one.id and not theme.labelled`.execute(db);
}

/** Gives a theme the name that a person chose. False when there is none. */
export async function renameTheme(
  db: Db,
  scope: ProductScope,
  { id, label }: { id: string; label: string },
): Promise<boolean> {
  const { rows } = await sql`
    update theme set label = ${label}, labelled = true where ${within(scope)} and id = ${id} returning id`.execute(db);
  return rows.length === 1;
}

/** Moves all signals of a theme to another one, and all that come later. */
export async function mergeTheme(
  tx: Db,
  scope: ProductScope,
  { id, into }: { id: string; into: string },
): Promise<void> {
  await sql`
    update theme set merged_into = ${into} where ${within(scope)} and (id = ${id} or merged_into = ${id})`.execute(tx);
  await sql`update signal set theme_id = ${into} where ${within(scope)} and theme_id = ${id}`.execute(tx);
}

function ofSignal({ accountId, productId }: ProductScope): RawBuilder<unknown> {
  return sql`signal.account_id = ${accountId} and signal.product_id = ${productId}`;
}
