import { sql } from 'kysely';
import type { ProductScope } from '../../kernel/product-scope.ts';
import type { Db } from '../../platform/db.ts';

/** What the pages of a competitor say in headings: what it offers, in its own words. */
export interface CompetitorHeadings {
  /** Id of the competitor. */
  id: string;
  name: string;
  pages: { url: string; headings: string[] }[];
}

/** Headings of one page that are read. */
const MOST_HEADINGS = 200;

/** Competitors of a product by name, each with the headings of its pages as they were seen last. One query. */
export async function selectCompetitorHeadings(
  db: Db,
  { accountId, productId }: ProductScope,
): Promise<CompetitorHeadings[]> {
  const { rows } = await sql<{ id: string; name: string; url: string | null; headings: string[] }>`
    select competitor.id, competitor.name, page.url,
           array(select ltrim(line, '# ') from regexp_split_to_table(capture.text, E'\\n') line
                  where line ~ '^#{1,6} ' limit ${MOST_HEADINGS}) as headings
      from competitor
      left join competitor_page page
        on page.account_id = competitor.account_id and page.competitor_id = competitor.id
      left join competitor_capture capture on capture.account_id = page.account_id and capture.id = page.capture_id
     where competitor.account_id = ${accountId} and competitor.product_id = ${productId}
     order by lower(competitor.name), page.url`.execute(db);
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => ({
    id,
    name: own[0]?.name ?? '',
    pages: own.flatMap(({ url, headings }) => (url === null ? [] : [{ url, headings }])),
  }));
}
