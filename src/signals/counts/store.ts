import { within } from '../../platform/product-rows.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import type { Condition, GroupField } from './conditions.ts';
import { conditionSql, mentions, valueOf } from './store-conditions.ts';

/** The signals that numbers are counted of. */
export interface Selection {
  conditions: readonly Condition[];
  since?: Date | undefined;
  until?: Date | undefined;
  /** All of them, in any case. */
  tags?: readonly string[] | undefined;
  /** A customer, segment or source, whole and in any case. */
  customer?: string | undefined;
  /** Texts that a signal has, in any case. */
  phrases?: readonly string[] | undefined;
  /** Ids, without `sig:`; all when absent. */
  ids?: readonly string[] | undefined;
}

/** Totals of the signals that have one value. */
export interface Count {
  /** Undefined in the row of totals. */
  value: string | undefined;
  signals: number;
  /** Different ones; a signal without a customer does not count. */
  customers: number;
  /** 1 to 5; undefined when none has a rating. */
  meanRating: number | undefined;
  newest: Date | undefined;
}

export interface Counts {
  rows: Count[];
  /** All values, whatever the page. */
  total: number;
  /** Signals of the selection, those without the field among them. */
  counted: number;
  /** Signals of the product. */
  of: number;
  /** Signals of the selection without the field. */
  lacking: number;
}

interface CountedRow {
  value: string | null;
  signals: number;
  customers: number;
  meanRating: number | null;
  newest: Date | null;
}

const CHRONOLOGICAL: ReadonlySet<GroupField | undefined> = new Set(['month', 'week']);

const MEASURES = sql`count(*)::int as signals, count(distinct nullif(customer, ''))::int as customers,
  avg(rating)::double precision as "meanRating", max(date) as newest`;

/**
 * Counts the signals of a selection by the values of a field, or all of them in one row: months and weeks in their order, ratings
 * from the most stars, others by their signals. A signal counts once for each of its tags and of the competitors that it names.
 */
export async function countBy(
  db: Db,
  tenant: Tenant,
  {
    by,
    competitors = [],
    limit,
    offset,
    ...selection
  }: Selection & {
    by: GroupField | undefined;
    /** Names that signals are searched for, for the field `competitor`. */
    competitors?: readonly string[];
    limit: number;
    offset: number;
  },
): Promise<Counts> {
  const where = selectionSql(tenant, selection);
  const { rows: all } = await sql<CountedRow & { of: number }>`
    select ${MEASURES}, (select count(*)::int from signal where ${within(tenant, 'signal')}) as of
      from signal where ${where}`.execute(db);
  const [totals] = all;
  if (totals === undefined) throw new Error('Nothing was counted.');
  const { signals: counted, of } = totals;
  if (by === undefined) return { rows: [countOf(totals)], total: 1, counted, of, lacking: 0 };
  const { value, join } = groupSql(by, competitors);
  const order = CHRONOLOGICAL.has(by) ? sql`value` : by === 'rating' ? sql`value::real desc` : sql`signals desc, value`;
  const { rows } = await sql<CountedRow & { total: number }>`
    select *, count(*) over ()::int as total
      from (select ${value} as value, ${MEASURES} from signal ${join} where ${where} group by 1) as grouped
     where value is not null order by ${order} limit ${limit} offset ${offset}`.execute(db);
  const { rows: missing } = await sql<{ lacking: number }>`
    select count(*)::int as lacking from signal where ${where} and not ${hasSql(by, competitors)}`.execute(db);
  return { rows: rows.map(countOf), total: rows[0]?.total ?? 0, counted, of, lacking: missing[0]?.lacking ?? 0 };
}

/** Handles of the signals of a selection, newest first. */
export async function selectIds(db: Db, tenant: Tenant, selection: Selection): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from signal where ${selectionSql(tenant, selection)} order by date desc, id`.execute(db);
  return rows.map(({ id }) => `sig:${id}`);
}

/** The values of the fields that people name: each with its field, the most frequent first. */
export async function selectValues(
  db: Db,
  tenant: Tenant,
  { fields, limit }: { fields: readonly Exclude<GroupField, 'competitor'>[]; limit: number },
): Promise<{ field: string; value: string; signals: number }[]> {
  const lists = fields.map((field) => {
    const { value, join } = groupSql(field, []);
    return sql`(select ${field}::text as field, ${value} as value, count(*)::int as signals
      from signal ${join} where ${within(tenant, 'signal')} group by 2 order by 3 desc limit ${limit})`;
  });
  const { rows } = await sql<{ field: string; value: string; signals: number }>`
    select * from (${sql.join(lists, sql` union all `)}) as named
     where value is not null order by signals desc, field, value`.execute(db);
  return rows;
}

function countOf({ value, signals, customers, meanRating, newest }: CountedRow): Count {
  return {
    value: value ?? undefined,
    signals,
    customers,
    meanRating: meanRating ?? undefined,
    newest: newest ?? undefined,
  };
}

function groupSql(
  by: GroupField,
  competitors: readonly string[],
): { value: RawBuilder<unknown>; join: RawBuilder<unknown> } {
  if (by === 'tag')
    return { value: sql`tag`, join: sql`cross join lateral (select distinct unnest(tags) as tag) as own` };
  if (by !== 'competitor') return { value: valueOf(by), join: sql`` };
  const join = sql`join unnest(${competitors}::text[]) as named (name) on ${mentions(sql`named.name`)}`;
  return { value: sql`named.name`, join };
}

function hasSql(by: GroupField, competitors: readonly string[]): RawBuilder<unknown> {
  if (by === 'tag') return sql`(cardinality(tags) > 0)`;
  if (by !== 'competitor') return sql`(${valueOf(by)} is not null)`;
  return sql`exists (select 1 from unnest(${competitors}::text[]) as named (name) where ${mentions(sql`named.name`)})`;
}

function selectionSql(tenant: Tenant, selection: Selection): RawBuilder<unknown> {
  const { conditions, since, until, tags = [], customer = '', phrases = [], ids } = selection;
  const name = customer.trim();
  const all = [
    within(tenant, 'signal'),
    ...conditions.map((condition) => conditionSql(condition, within(tenant, 'signal'))),
    ...(since === undefined ? [] : [sql`date_given and date >= ${since}`]),
    ...(until === undefined ? [] : [sql`date_given and date <= ${until}`]),
    ...tags.map((value) => conditionSql({ field: 'tag', operator: '=', value }, within(tenant, 'signal'))),
    ...(name === '' ? [] : [sql`lower(${name}) in (lower(customer), lower(segment), lower(source))`]),
    ...phrases.map((phrase) => sql`position(lower(${phrase}) in lower(regexp_replace(text, '\\s+', ' ', 'g'))) > 0`),
    ...(ids === undefined ? [] : [sql`id = any(${ids}::uuid[])`]),
  ];
  return sql.join(all, sql` and `);
}
