import { within } from '../platform/product-rows.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import { uuidv7 } from '../kernel/ids.ts';
import type { Db } from '../platform/db.ts';
import type { Profiles } from './grouping/group-profiles.ts';
import type { PlacedBy } from './store.ts';

export interface ThemeRow {
  id: string;
  key: string;
  label: string;
  labelled: boolean;
  mergedInto: string | null;
  /** Subjects of its members in detail, largest first. */
  parts: { label: string; signals: number }[];
  /** The signal that speaks for it. */
  quoteId: string | null;
  /** A person linked a plan or decision to it. */
  isLinked: boolean;
}

/** The fields of a signal that placing it needs, besides its text. */
export interface PlaceableSignal {
  id: string;
  duplicateOf: string | null;
  themeId: string | null;
  placedBy: PlacedBy;
}

/** The same with what it says, as far as that is compared. */
export interface PlaceableText extends PlaceableSignal {
  text: string;
  language: string | null;
}

/** The theme that a signal gets. */
export interface Placement {
  id: string;
  duplicateOf: string | null;
  themeId: string | null;
  placedBy: PlacedBy;
}

/** The fields of a signal that counting it needs. */
export interface CountedSignal {
  id: string;
  customer: string;
  value: number | null;
  date: Date;
  /** True if the date is its own, and not that of the import. */
  dateGiven: boolean;
  themeId: string;
  polarity: number | null;
  placedBy: PlacedBy;
}

/** Signals of one answer of the database, some 10 ms: questions to the embedded one wait that long. */
const PAGE_SIGNALS = 100;

const COLUMNS = sql`id, key, label, labelled, merged_into as "mergedInto", parts,
  quote_id as "quoteId", exists (select 1 from theme_link as link where link.account_id = theme.account_id
    and link.theme_id = theme.id and link.origin = 'stated') as "isLinked"`;

/** Counts the signals of a product, and those that were not placed yet. */
export async function countPlaceable(db: Db, tenant: Tenant): Promise<{ all: number; waiting: number }> {
  const { rows } = await sql<{ all: number; waiting: number }>`
    select count(*)::int as "all", (count(*) filter (where placed_by = 'nobody'))::int as waiting
      from signal where ${within(tenant)}`.execute(db);
  return rows[0] ?? { all: 0, waiting: 0 };
}

/** True if a product has a signal, or themes that are about ones that are gone. */
export async function selectHasSignals(db: Db, tenant: Tenant): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from signal where ${within(tenant)})
        or exists (select from theme where ${within(tenant)}) as has`.execute(db);
  return rows[0]?.has ?? false;
}

/**
 * Signals of a product, oldest first: all, or those that no one has looked at yet. In pages: one large answer would hold
 * up everybody else for as long, and the texts of all signals do not fit into this process.
 */
export async function* pagesOfPlaceable(
  db: Db,
  tenant: Tenant,
  { waiting }: { waiting: boolean },
): AsyncGenerator<PlaceableText[]> {
  // As text, because a date of JavaScript is less exact.
  let after = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const { rows } = await sql<PlaceableText & { at: string }>`
      select id, left(text, 2000) as text, language, duplicate_of as "duplicateOf", theme_id as "themeId",
             placed_by as "placedBy", date::text as at
        from signal
       where ${within(tenant)} and (placed_by = 'nobody' or not ${waiting})
         and (date, id) > (${after.at}::timestamptz, ${after.id}::uuid)
       order by date, id limit ${PAGE_SIGNALS}`.execute(db);
    const last = rows.at(-1);
    if (last !== undefined) yield rows;
    if (last === undefined || rows.length < PAGE_SIGNALS) return;
    after = last;
  }
}

/** The newest signals of a theme that stand for themselves, oldest first. */
export async function selectMembers(
  db: Db,
  tenant: Tenant,
  { theme, limit }: { theme: string; limit: number },
): Promise<{ id: string; text: string }[]> {
  const { rows } = await sql<{ id: string; text: string }>`
    select id, left(text, 2000) as text from signal
     where ${within(tenant)} and theme_id = ${theme} and duplicate_of is null
     order by date desc, id desc limit ${limit}`.execute(db);
  return rows.toReversed();
}

/** Signals that have a theme, or this one, the newest first. */
export async function selectCounted(db: Db, tenant: Tenant, theme?: string): Promise<CountedSignal[]> {
  const condition = theme === undefined ? sql`theme_id is not null` : sql`theme_id = ${theme}`;
  const { rows } = await sql<CountedSignal>`
    select id, customer, value, date, date_given as "dateGiven", theme_id as "themeId", polarity,
           placed_by as "placedBy" from signal
     where ${within(tenant)} and ${condition} order by date desc, id`.execute(db);
  return rows;
}

/** Date of the oldest signal that has a theme and came with its date; undefined where there is none. */
export async function selectOldestDate(db: Db, tenant: Tenant): Promise<Date | undefined> {
  const { rows } = await sql<{ date: Date | null }>`
    select min(date) as date from signal where ${within(tenant)} and theme_id is not null and date_given`.execute(db);
  return rows[0]?.date ?? undefined;
}

/** Writes where signals are, except those that a person has placed meanwhile. */
export async function updatePlacements(db: Db, tenant: Tenant, placements: readonly Placement[]): Promise<void> {
  await sql`
    update signal
       set duplicate_of = one."duplicateOf",
           theme_id = case when signal.placed_by = 'person' then signal.theme_id else one."themeId" end,
           placed_by = case when signal.placed_by = 'person' then 'person' else one."placedBy" end
      from jsonb_to_recordset(${JSON.stringify(placements)}::jsonb)
        as one (id uuid, "duplicateOf" uuid, "themeId" uuid, "placedBy" text)
     where ${ofSignal(tenant)} and signal.id = one.id`.execute(db);
}

/** Puts a signal where a person says. False when there is none. */
export async function pinSignal(
  db: Db,
  tenant: Tenant,
  { id, themeId }: { id: string; themeId: string },
): Promise<boolean> {
  const { rows } = await sql`
    update signal set theme_id = ${themeId}, placed_by = 'person' where ${within(tenant)} and id = ${id}
    returning id`.execute(db);
  return rows.length === 1;
}

export async function selectThemes(db: Db, tenant: Tenant): Promise<ThemeRow[]> {
  const { rows } = await sql<ThemeRow>`
    select ${COLUMNS} from theme where ${within(tenant)} order by id`.execute(db);
  return rows;
}

/** Themes that a person has named, has joined others with, or has planned or decided about. */
export function personalThemes(themes: readonly ThemeRow[]): Set<string> {
  const targets = new Set(themes.map(({ mergedInto }) => mergedInto));
  return new Set(
    themes.filter(({ id, labelled, isLinked }) => labelled || isLinked || targets.has(id)).map(({ id }) => id),
  );
}

/** Adds a theme unless its key is there, and tells the one that has it then. */
export async function ensureTheme(
  db: Db,
  { accountId, productId }: Tenant,
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

/** Adds a theme without a name, and tells its id. */
export async function insertTheme(db: Db, tenant: Tenant, createdAt: Date): Promise<string> {
  const id = uuidv7(createdAt);
  await ensureTheme(db, tenant, { id, key: `group:${id}`, label: '', labelled: false, createdAt });
  return id;
}

/** Writes what was found of themes: their names where no person gave one, their parts, and which signal speaks for them. */
export async function updateGroups(
  db: Db,
  tenant: Tenant,
  groups: readonly { id: string; label: string; quoteId: string | null; parts: ThemeRow['parts'] }[],
): Promise<void> {
  await sql`
    update theme set label = case when theme.labelled or one.label = '' then theme.label else one.label end,
           quote_id = one."quoteId", parts = one.parts
      from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as one (id uuid, label text, "quoteId" uuid, parts jsonb)
     where theme.account_id = ${tenant.accountId} and theme.product_id = ${tenant.productId}
       and theme.id = one.id`.execute(db);
}

/** Profiles by which further signals are placed, as of the last time that all were grouped; undefined when they never were. */
export async function selectProfiles(
  db: Db,
  tenant: Tenant,
): Promise<{ signals: number; profiles: Profiles } | undefined> {
  const { rows } = await sql<{ signals: number; profiles: Profiles }>`
    select signals, profiles from theme_profiles where ${within(tenant)}`.execute(db);
  return rows[0];
}

export async function upsertProfiles(
  db: Db,
  { accountId, productId }: Tenant,
  { signals, profiles }: { signals: number; profiles: Profiles },
): Promise<void> {
  await sql`
    insert into theme_profiles (account_id, product_id, signals, profiles)
    values (${accountId}, ${productId}, ${signals}, ${JSON.stringify(profiles)}::jsonb)
    on conflict (account_id, product_id) do update set signals = excluded.signals, profiles = excluded.profiles`.execute(
    db,
  );
}

/** Gives a theme the name that a person chose, or lets it have its own. Gives the name; undefined when there is none. */
export async function renameTheme(
  db: Db,
  tenant: Tenant,
  { id, label, labelled }: { id: string; label: string | undefined; labelled: boolean },
): Promise<string | undefined> {
  const { rows } = await sql<{ label: string }>`
    update theme set label = coalesce(${label ?? null}, label), labelled = ${labelled}
    where ${within(tenant)} and id = ${id} returning label`.execute(db);
  return rows[0]?.label;
}

function ofSignal({ accountId, productId }: Tenant): RawBuilder<unknown> {
  return sql`signal.account_id = ${accountId} and signal.product_id = ${productId}`;
}
