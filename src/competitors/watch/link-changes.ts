import type { Tenant } from '../../kernel/tenant.ts';
import type { KnowledgeHit } from '../../knowledge/knowledge.ts';
import { namingTexts } from '../detect/naming-texts.ts';
import type { ChangeRow } from '../store/store-changes.ts';
import type { Competitors, Link } from './context.ts';
import { linksOf } from './links.ts';

/** Of each change; more would not be read. */
const MOST_FEATURES = 3;

/**
 * Links changes to our own plans, decisions and signals that share their words, then to features that they name. By the id of
 * the change. Costs what `linksOf` does, and one query to each index of the product.
 */
export async function linkChanges(
  competitors: Pick<Competitors, 'knowledge' | 'findFeatures'>,
  tenant: Tenant,
  { changes, signal }: { changes: readonly ChangeRow[]; signal: AbortSignal },
): Promise<Map<string, Link[]>> {
  const [written, features] = await Promise.all([
    linksOf(competitors.knowledge, tenant, changes),
    competitors.findFeatures(tenant, { lists: changes.map(namingTexts), signal }),
  ]);
  const titled = await titlesOf(competitors.knowledge, tenant, [...written.values()].flat());
  return new Map(
    changes.map(({ id }, at) => [
      id,
      [
        ...(written.get(id) ?? []).map((hit) => ({ id: hit.id, title: titled.get(hit.id) ?? '' })),
        ...(features[at] ?? []).slice(0, MOST_FEATURES),
      ],
    ]),
  );
}

/** Returns the titles of things by their id. A signal has no title and is named by its beginning. */
async function titlesOf(
  knowledge: Competitors['knowledge'],
  tenant: Tenant,
  hits: readonly KnowledgeHit[],
): Promise<Map<string, string>> {
  const untitled = [...new Map(hits.filter(({ title }) => title === '').map((hit) => [hit.id, hit])).values()];
  const quoted = await knowledge.quote(tenant, '', untitled);
  return new Map([
    ...hits.map(({ id, title }) => [id, title] as const),
    ...quoted.map(({ id, snippet }) => [id, snippet] as const),
  ]);
}
