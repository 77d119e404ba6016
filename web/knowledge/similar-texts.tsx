import { useQuery } from '@tanstack/react-query';
import type { TextOutput } from '../../src/search/document-output.ts';
import { EntityLink } from '../components/entity-link.tsx';
import { Section } from '../components/page.tsx';
import { type ToolAnswer, toolQuery } from '../queries.ts';
import { useSession } from '../session.tsx';

function similarQuery(product: string, id: string) {
  const given = { action: 'get', query: id };
  return toolQuery<ToolAnswer<typeof TextOutput>>('similar', { product, name: 'document-search-tool' }, given);
}

/** Other signals, or decisions, that say the same as one; nothing where there are none. */
export function SimilarTexts({ id }: { id: string }) {
  const { product } = useSession();
  const similar = useQuery(similarQuery(product.id, id)).data?.similar ?? [];
  if (similar.length === 0) return null;
  return (
    <Section title="Says the same" lead="By meaning, in any language; by words until meaning has been read.">
      <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
        {similar.map(({ id: other, title, customer, text }) => (
          <li key={other} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2">
            <span className="min-w-0 grow [overflow-wrap:anywhere]">
              <EntityLink repo="" handle={other}>
                {title ?? text}
              </EntityLink>
            </span>
            {customer !== undefined && <span className="text-sm text-quiet">{customer}</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
