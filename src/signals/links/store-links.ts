import { within } from '../../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';

export const LINK_KINDS = ['code', 'plan', 'decision', 'change'] as const;
type LinkKind = (typeof LINK_KINDS)[number];
export type LinkOrigin = 'stated' | 'computed';

/** What a theme is about, or what answers it. */
export interface LinkRow {
  themeId: string;
  kind: LinkKind;
  /** Handle: `sym:Class/method@path`, `plan:slug`, `dec:12`, `chg:…`. */
  target: string;
  /** Of code, with its name when it was linked; null and '' for the others. */
  repositoryId: string | null;
  repository: string;
  title: string;
  origin: LinkOrigin;
  /** Share of the theme's subject that the target has, 0 to 1; 1 where a person stated it. */
  score: number;
  /** Words of the subject that the target has. */
  words: string[];
}

/** Computed links of a theme that was merged are of its former texts. */
const CURRENT = sql`(link.origin = 'stated' or theme.merged_into is null)`;

/**
 * Links of all themes of a product, what people stated first, then the surest; those that people stated of a merged theme are of
 * the one that it was merged into.
 */
export async function selectLinks(db: Db, tenant: Tenant): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select *
      from (select distinct on ("themeId", target, "repositoryId")
                   coalesce(theme.merged_into, theme.id) as "themeId", link.kind, target, link.repository_id as "repositoryId",
                   repository, title, origin, score, words
              from theme_link link join theme on theme.account_id = link.account_id and theme.id = link.theme_id
             where link.account_id = ${tenant.accountId} and link.product_id = ${tenant.productId} and ${CURRENT}
             order by "themeId", target, "repositoryId", origin desc) as current
     order by "themeId", origin desc, kind, score desc, target`.execute(db);
  return rows;
}

interface LinkReplacement {
  themes: readonly string[];
  kinds: readonly LinkKind[];
  links: readonly LinkRow[];
  now: Date;
}

/** Replaces the computed links of some kinds of themes; what people stated stays. */
export async function replaceLinks(
  db: Db,
  tenant: Tenant,
  { themes, kinds, links, now }: LinkReplacement,
): Promise<void> {
  const { accountId, productId } = tenant;
  await db.transaction().execute(async (tx) => {
    await sql`
      delete from theme_link
       where ${within(tenant)} and origin = 'computed' and theme_id = any(${themes}::uuid[])
         and kind = any(${kinds}::text[])`.execute(tx);
    await sql`
      insert into theme_link (account_id, product_id, theme_id, kind, target, repository_id, repository, title, origin, score,
        words, created_at)
      select ${accountId}, ${productId}, one."themeId", one.kind, one.target, one."repositoryId", one.repository, one.title,
             one.origin, one.score, array(select jsonb_array_elements_text(one.words)), ${now}
        from jsonb_to_recordset(${JSON.stringify(links)}::jsonb)
          as one ("themeId" uuid, kind text, target text, "repositoryId" uuid, repository text, title text, origin text, score real, words jsonb)
      on conflict do nothing`.execute(tx);
  });
}

/** Adds a link that a person states; one that was computed becomes stated. */
export async function stateLink(
  db: Db,
  { accountId, productId }: Tenant,
  { themeId, kind, target, title, now }: Pick<LinkRow, 'themeId' | 'kind' | 'target' | 'title'> & { now: Date },
): Promise<void> {
  await sql`
    insert into theme_link (account_id, product_id, theme_id, kind, target, title, origin, score, words, created_at)
    values (${accountId}, ${productId}, ${themeId}, ${kind}, ${target}, ${title}, 'stated', 1, '{}', ${now})
    on conflict (account_id, theme_id, target, coalesce(repository_id, '00000000-0000-0000-0000-000000000000'))
      do update set origin = 'stated', score = 1, title = excluded.title`.execute(db);
}

/** Removes the links of all themes, or of one and those merged into it, to something. False when there is none. */
export async function deleteLinks(
  db: Db,
  tenant: Tenant,
  { target, themeId }: { target: string; themeId?: string },
): Promise<boolean> {
  const { rows } = await sql`
    delete from theme_link
     where ${within(tenant)} and target = ${target}
       and (${themeId ?? null}::uuid is null
            or theme_id in (select id from theme where ${within(tenant)} and coalesce(merged_into, id) = ${themeId ?? null}))
    returning target`.execute(db);
  return rows.length > 0;
}

/** Selects the theme with this id or label, or the one that it was merged into; undefined where there is none. */
export async function selectThemeNamed(db: Db, tenant: Tenant, reference: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(merged_into, id) as id from theme
     where ${within(tenant)} and (id::text = ${reference} or lower(label) = lower(${reference}))
     order by id::text = ${reference} desc, merged_into is null desc,
       (select count(*) from signal where signal.account_id = theme.account_id and signal.theme_id = theme.id) desc, id
     limit 1`.execute(db);
  return rows[0]?.id;
}

/** The themes that are linked to one of some handles, those that people linked first, each with its signals counted. */
export async function selectAskingThemes(
  db: Db,
  { accountId, productId }: Tenant,
  targets: readonly string[],
): Promise<{ id: string; label: string; signals: number; customers: number; origin: LinkOrigin; score: number }[]> {
  const { rows } = await sql<Awaited<ReturnType<typeof selectAskingThemes>>[number]>`
    select linked.id, own.label, linked.origin, linked.score, count(signal.id)::int as signals,
           count(distinct nullif(signal.customer, ''))::int as customers
      from (select coalesce(theme.merged_into, theme.id) as id, max(link.origin) as origin, max(link.score) as score
              from theme_link link join theme on theme.account_id = link.account_id and theme.id = link.theme_id
             where link.account_id = ${accountId} and link.product_id = ${productId}
               and link.target = any(${targets}::text[]) and ${CURRENT}
             group by 1) as linked
      join theme own on own.account_id = ${accountId} and own.id = linked.id
      join signal on signal.account_id = ${accountId} and signal.product_id = ${productId}
                 and signal.theme_id = linked.id
     group by 1, 2, 3, 4 order by linked.origin desc, linked.score desc, own.label`.execute(db);
  return rows;
}

/** The customers of some themes, of highest value first. */
export async function selectAskingCustomers(
  db: Db,
  tenant: Tenant,
  themes: readonly string[],
): Promise<{ customer: string; segment: string; value: number | null; signals: number; newest: Date }[]> {
  const { rows } = await sql<Awaited<ReturnType<typeof selectAskingCustomers>>[number]>`
    select customer, max(segment) as segment, max(value) as value, count(*)::int as signals, max(date) as newest
      from signal
     where ${within(tenant)} and theme_id = any(${themes}::uuid[])
       and customer <> ''
     group by customer order by max(value) desc nulls last, count(*) desc, customer`.execute(db);
  return rows;
}

/** A text of a theme by which it is linked. */
export interface LinkText {
  themeId: string;
  id: string;
  text: string;
  language: string | null;
}

/**
 * The texts by which each theme is linked: the one that speaks for it, then its newest that are no copies and are one of it.
 * `most` of each, their first 600 characters.
 */
export async function selectLinkTexts(db: Db, tenant: Tenant, most: number): Promise<LinkText[]> {
  const { rows } = await sql<LinkText>`
    select "themeId", id, text, language
      from (select signal.theme_id as "themeId", signal.id, left(signal.text, 600) as text, signal.language,
                   row_number() over (partition by signal.theme_id
                     order by signal.id is not distinct from theme.quote_id desc, signal.date desc, signal.id desc) as place
              from signal join theme on theme.account_id = signal.account_id and theme.id = signal.theme_id
             where signal.account_id = ${tenant.accountId} and signal.product_id = ${tenant.productId}
               and signal.duplicate_of is null and signal.placed_by <> 'loosely') as ranked
     where place <= ${most} order by "themeId", place`.execute(db);
  return rows;
}

/** What the links of each theme to code were computed from; absent for a theme whose links never were. */
export async function selectLinkedOf(db: Db, tenant: Tenant): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; linkedOf: string }>`
    select id, linked_of as "linkedOf" from theme where ${within(tenant)} and linked_of is not null`.execute(db);
  return new Map(rows.map(({ id, linkedOf }) => [id, linkedOf]));
}

export async function updateLinkedOf(db: Db, tenant: Tenant, linked: ReadonlyMap<string, string>): Promise<void> {
  const pairs = Array.from(linked, ([id, of]) => ({ id, of }));
  await sql`
    update theme set linked_of = one.of
      from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as one (id uuid, of text)
     where theme.account_id = ${tenant.accountId} and theme.product_id = ${tenant.productId}
       and theme.id = one.id`.execute(db);
}
