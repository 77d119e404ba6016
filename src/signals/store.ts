import { deleteRow, within } from '../platform/product-rows.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';
import type { Intent } from './polarity.ts';

/** `loosely`: near to the theme without being one of it. `nobody` with a theme: until there is more to go by. */
export const PLACED_BY = ['nobody', 'code', 'words', 'loosely', 'person'] as const;
export type PlacedBy = (typeof PLACED_BY)[number];

export interface SignalRow {
  id: string;
  externalId: string;
  source: string;
  /** The one that it counts for, whatever its source calls it. */
  customer: string;
  customerWritten: string;
  segment: string;
  value: number | null;
  date: Date;
  /** True if it came with the signal; else it is the time of the import. */
  dateGiven: boolean;
  text: string;
  tags: string[];
  link: string;
  /** Stars, 1 to 5. */
  rating: number | null;
  version: string | null;
  /** As its source writes it, for example `de` or `pt-BR`. */
  language: string | null;
  polarity: number | null;
  polarityWords: string[];
  intent: Intent;
  /** Words are a guess; what a person set stays. */
  intentBy: 'words' | 'person';
  duplicateOf: string | null;
  themeId: string | null;
  placedBy: PlacedBy;
  createdAt: Date;
}

export type NewSignal = Omit<SignalRow, 'intentBy' | 'duplicateOf' | 'themeId' | 'placedBy'>;

/** Of the table of signals, as a `SignalRow` names them. */
export const SIGNAL_COLUMNS = sql`id, external_id as "externalId", source, customer,
  customer_written as "customerWritten", segment, value, date,
  date_given as "dateGiven", text, tags, link, rating, version, language, polarity, polarity_words as "polarityWords", intent, intent_by as "intentBy", duplicate_of as "duplicateOf", theme_id as "themeId",
  placed_by as "placedBy", created_at as "createdAt"`;

/** Characters of a signal that can be quoted whole and says something. */
const LEAST_QUOTE = 20;
const LONGEST_QUOTE = 600;

interface SavedRow {
  id: string;
  source: string;
  externalId: string;
  added: boolean;
  changed: boolean;
}

/** True if a signal that comes again says and declares the same, so that its tone and intent stay. */
const IS_SAME = sql`(signal.text = excluded.text and signal.tags = excluded.tags and signal.rating is not distinct from excluded.rating)`;

/** Fields by which a signal differs from the stored one; null is a value like others. */
const SENT = sql`signal.id, signal.customer_written, signal.segment, coalesce(signal.value::text, ''), signal.date, signal.text,
  signal.tags, signal.link, coalesce(signal.rating::text, ''), coalesce(signal.version, ''), coalesce(signal.language, '')`;

/**
 * Adds signals, or changes those that have their source and external id to what is said now; a date that is not given
 * changes nothing. Tells the id of each and whether it was new or says something else now, in no order. No two of `rows` may have
 * the same source and external id. One look-up by key each.
 */
export async function upsertSignals(
  tx: Db,
  { accountId, productId }: Tenant,
  rows: readonly NewSignal[],
): Promise<SavedRow[]> {
  const list = JSON.stringify(rows);
  const { rows: saved } = await sql<SavedRow>`
    with before as (
      select found.* from jsonb_to_recordset(${list}::jsonb) as one (source text, "externalId" text)
       cross join lateral (
         select ${SENT} from signal
          where signal.account_id = ${accountId} and signal.product_id = ${productId}
            and signal.source = one.source and signal.external_id = one."externalId"
         offset 0) as found)
    insert into signal (account_id, product_id, id, external_id, source, customer, customer_written, segment, value, date,
      date_given, text, tags, link, rating, version, language, polarity, polarity_words, intent, created_at)
    select ${accountId}, ${productId}, one.id, one."externalId", one.source, one.customer, one."customerWritten",
           one.segment, one.value, one.date,
           one."dateGiven", one.text, one.tags, one.link, one.rating, one.version, one.language, one.polarity, one."polarityWords", one.intent, one."createdAt"
      from jsonb_to_recordset(${list}::jsonb) as one (id uuid, "externalId" text, source text, customer text,
           "customerWritten" text, segment text, value double precision, date timestamptz, "dateGiven" boolean, text text, tags text[], link text, rating real, version text, language text, polarity real,
           "polarityWords" text[], intent text, "createdAt" timestamptz)
    on conflict (account_id, product_id, source, external_id) do update
       set customer = excluded.customer, customer_written = excluded.customer_written, segment = excluded.segment, value = excluded.value, date = case when excluded.date_given then excluded.date else signal.date end,
           date_given = excluded.date_given or signal.date_given,
           text = excluded.text, tags = excluded.tags, link = excluded.link, rating = excluded.rating, version = excluded.version, language = excluded.language,
           polarity = case when ${IS_SAME} then signal.polarity else excluded.polarity end,
           polarity_words = case when ${IS_SAME} then signal.polarity_words else excluded.polarity_words end,
           tone_by = case when ${IS_SAME} then signal.tone_by end,
           intent = case when signal.intent_by = 'person' or ${IS_SAME} then signal.intent else excluded.intent end,
           theme_id = case when signal.text = excluded.text or signal.placed_by = 'person' then signal.theme_id end,
           placed_by = case when signal.text = excluded.text or signal.placed_by = 'person'
                            then signal.placed_by else 'nobody' end
    returning id, source, external_id as "externalId", id::text in (
      select value->>'id' from jsonb_array_elements(${list}::jsonb)) as added,
      (${SENT}) not in (select * from before) as changed`.execute(tx);
  return saved;
}

export interface SignalFilter {
  query?: string;
  source?: string;
  customer?: string;
  themeId?: string;
  segment?: string;
  intent?: Intent;
  polarity?: 'negative' | 'positive';
  /** Not older. */
  since?: Date;
  /** Customers that are worth so much at least. */
  leastValue?: number;
  sort?: 'newest' | 'oldest' | 'value';
  limit: number;
  offset: number;
}

const ORDERS = {
  newest: sql`date desc, id`,
  oldest: sql`date, id`,
  value: sql`value desc nulls last, date desc, id`,
} as const;

/** A page of those that match in the order of `sort`, newest first without it, and how many there are in all. */
export async function selectSignals(
  db: Db,
  tenant: Tenant,
  { limit, offset, sort = 'newest', ...filter }: SignalFilter,
): Promise<{ rows: SignalRow[]; total: number }> {
  const matching = matchingSignals(tenant, filter);
  const { rows } = await sql<SignalRow>`
    select ${SIGNAL_COLUMNS} from signal where ${matching} order by ${ORDERS[sort]} limit ${limit} offset ${offset}`.execute(
    db,
  );
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from signal where ${matching}`.execute(db);
  return { rows, total: counted[0]?.total ?? 0 };
}

function matchingSignals(
  tenant: Tenant,
  { query = '', ...filter }: Omit<SignalFilter, 'limit' | 'offset' | 'sort'>,
): RawBuilder<unknown> {
  const { source, customer, themeId, segment, intent, polarity, since, leastValue } = filter;
  const conditions = [
    within(tenant),
    ...(source === undefined ? [] : [sql`source = ${source}`]),
    ...(customer === undefined ? [] : [sql`customer = ${customer}`]),
    ...(themeId === undefined ? [] : [sql`theme_id = ${themeId}::uuid`]),
    ...(segment === undefined ? [] : [sql`segment = ${segment}`]),
    ...(intent === undefined ? [] : [sql`intent = ${intent}`]),
    ...(polarity === undefined ? [] : [polarity === 'negative' ? sql`polarity < 0` : sql`polarity > 0`]),
    ...(since === undefined ? [] : [sql`date >= ${since}`]),
    ...(leastValue === undefined ? [] : [sql`value >= ${leastValue}`]),
    ...(query === '' ? [] : [sql`position(lower(${query}) in lower(text)) > 0`]),
  ];
  return sql.join(conditions, sql` and `);
}

export async function selectSignal(db: Db, tenant: Tenant, id: string): Promise<SignalRow | undefined> {
  const { rows } = await sql<SignalRow>`
    select ${SIGNAL_COLUMNS} from signal where ${within(tenant)} and id = ${id}`.execute(db);
  return rows[0];
}

export async function selectSignalsById(db: Db, tenant: Tenant, ids: readonly string[]): Promise<SignalRow[]> {
  const { rows } = await sql<SignalRow>`
    select ${SIGNAL_COLUMNS} from signal where ${within(tenant)} and id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** The signal `first`, then what those customers say that are worth most, each once; all of them short enough to quote. */
export async function selectThemeQuotes(
  db: Db,
  tenant: Tenant,
  { theme, first, limit }: { theme: string; first: string | null; limit: number },
): Promise<SignalRow[]> {
  const { rows } = await sql<SignalRow>`
    with own as (
      select ${SIGNAL_COLUMNS}, coalesce(id = ${first}::uuid, false) as first from signal
       where ${within(tenant)} and theme_id = ${theme}),
    fitting as (
      select own.*, case when first then '' when customer = '' then id::text else customer end as who from own
       where first or ("duplicateOf" is null and length(text) between ${LEAST_QUOTE} and ${LONGEST_QUOTE}))
    select * from (
      select distinct on (who) * from fitting order by who, value desc nulls last, date desc) as quote
     order by first desc, value desc nulls last, date desc limit ${limit}`.execute(db);
  return rows;
}

/** False when there is none. Those that were folded into it stand alone again. */
export async function deleteSignal(tx: Db, tenant: Tenant, id: string): Promise<boolean> {
  await sql`update signal set duplicate_of = null where ${within(tenant)} and duplicate_of = ${id}`.execute(tx);
  return deleteRow(tx, 'signal', tenant, id);
}

/** Counts the signals and customers of a product, with its sources and segments, for filters. */
export async function countSignals(
  db: Db,
  tenant: Tenant,
): Promise<{
  signals: number;
  customers: number;
  folded: number;
  newest: Date | null;
  sources: string[];
  segments: string[];
}> {
  const { rows } = await sql<{
    signals: number;
    customers: number;
    folded: number;
    newest: Date | null;
    sources: string[];
    segments: string[];
  }>`
    select count(*)::int as signals, count(distinct nullif(customer, ''))::int as customers,
           count(duplicate_of)::int as folded, max(date) as newest,
           coalesce(array_agg(distinct source), '{}') as sources,
           coalesce(array_agg(distinct segment) filter (where segment <> ''), '{}') as segments
      from signal where ${within(tenant)}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('Nothing was counted.');
  return row;
}
