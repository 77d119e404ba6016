import { sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import { namingTexts } from '../detect/naming-texts.ts';
import { selectChanges } from './store-changes.ts';

/** Headings on the pages of a competitor: what it offers, in its own words. */
interface CompetitorHeadings {
  /** Id of the competitor. */
  id: string;
  name: string;
  pages: { url: string; headings: string[] }[];
  /** New texts on its pages from changes of medium and high severity, newest first. */
  news: { changeId: string; url: string; texts: string[] }[];
}

/** Headings of one page that are read. */
const MOST_HEADINGS = 200;

/** Changes of all competitors that are read, the newest. */
const MOST_CHANGES = 200;

/**
 * Selects the competitors of a product by name, each with the headings of the latest versions of its pages, and their news.
 * Three queries.
 */
export async function selectCompetitorHeadings(db: Db, tenant: Tenant): Promise<CompetitorHeadings[]> {
  const { accountId, productId } = tenant;
  const { rows: changes } = await selectChanges(db, tenant, {
    leastSeverity: 'medium',
    limit: MOST_CHANGES,
    offset: 0,
  });
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
    news: changes
      .filter(({ competitorId }) => competitorId === id)
      .map(({ id: changeId, url, added }) => ({ changeId, url, texts: namingTexts({ added, removed: [] }) })),
    pages: own.flatMap(({ url, headings }) => (url === null ? [] : [{ url, headings }])),
  }));
}
