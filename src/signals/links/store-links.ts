import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';

export const LINK_KINDS = ['code', 'plan', 'decision', 'change'] as const;
type LinkKind = (typeof LINK_KINDS)[number];
type LinkOrigin = 'stated' | 'computed';

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

const within = ({ accountId, productId }: Tenant): RawBuilder<unknown> =>
  sql`account_id = ${accountId} and product_id = ${productId}`;

/** Links of all themes of a product, what people stated first, then the surest. */
export async function selectLinks(db: Db, tenant: Tenant): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select theme_id as "themeId", kind, target, repository_id as "repositoryId", repository, title, origin, score, words
      from theme_link where ${within(tenant)}
     order by theme_id, origin desc, kind, score desc, target`.execute(db);
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
