import type { Tenant } from '../../kernel/tenant.ts';
import { type Entry, putEntries, removeEntries } from '../../knowledge/knowledge.ts';
import type { Db } from '../../platform/db.ts';
import type { SectionText } from '../text/markdown.ts';
import type { PlanRow } from './store.ts';

/** Makes the text of a plan searchable, section by section, as part of the caller's transaction. Call it late: other writers wait. */
export async function indexPlan(
  tx: Db,
  tenant: Tenant,
  { row, sections }: { row: PlanRow; sections: readonly SectionText[] },
): Promise<void> {
  const shared = {
    kind: 'plan',
    title: row.title,
    date: row.updatedAt,
    tags: [row.status],
    customer: '',
    segment: '',
    source: row.path ?? '',
  };
  const entries = sections.flatMap(({ title, text }, index): Entry[] =>
    text === '' && index > 0 ? [] : [{ ...shared, part: `s${index}`, section: title, text }],
  );
  await putEntries(tx, tenant, thingOf(row.slug), entries);
}

export async function unindexPlan(tx: Db, tenant: Tenant, slug: string): Promise<void> {
  await removeEntries(tx, tenant, thingOf(slug));
}

function thingOf(slug: string): { corpus: 'plans'; id: string } {
  return { corpus: 'plans', id: `plan:${slug}` };
}
