import type { ProductScope } from '../../kernel/product-scope.ts';
import type { KnowledgeIndex } from '../../knowledge/knowledge.ts';
import type { ChangeRow } from '../store/store-changes.ts';

/** Of each change; more would not be read. */
const MOST_LINKS = 3;
/** A thing of ours is about the same when it shares so many of the words that say what changed. */
const LEAST_TERMS = 3;
const QUERY_CHARACTERS = 600;

/** Plans, decisions and signals of ours that are about the same as changes: their handles by the id of the change. */
export async function linksOf(
  knowledge: Pick<KnowledgeIndex, 'rank'>,
  scope: ProductScope,
  changes: readonly Pick<ChangeRow, 'id' | 'added' | 'removed'>[],
): Promise<Map<string, string[]>> {
  const links = new Map<string, string[]>();
  for (const { id, added, removed } of changes) {
    const query = [...added, ...removed].join(' ').slice(0, QUERY_CHARACTERS);
    if (query.trim() === '') continue;
    const { hits } = await knowledge.rank(scope, {
      query,
      corpora: ['plans', 'decisions', 'signals'],
      limit: MOST_LINKS * 2,
    });
    const found = hits.filter(({ terms }) => terms.length >= LEAST_TERMS).map((hit) => hit.id);
    links.set(id, [...new Set(found)].slice(0, MOST_LINKS));
  }
  return links;
}
